/** The queue of series to read next: each is in it once, in the order of the promised times. */
import { assertEquals } from "@std/assert";
import { readQueueStore } from "../../../../services/chain_data/series/read_queue_store.ts";

const [first, second, third] = [
  { subject: 1, metric: "gasUsed" },
  { subject: 2, metric: "txCount" },
  { subject: "primary-network", metric: "validatorCount" },
] as const;

Deno.test("findNext() gives the series that is due first until it is removed", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, find, findNext, countBefore, remove } = readQueueStore(kv);
  assertEquals(await findNext(), null);
  assertEquals(await add(second, { at: 30_000 }), 30_000);
  assertEquals(await add(first, { at: 20_000 }), 20_000);
  assertEquals(await add(first, { at: 25_000 }), 20_000, "it keeps its place");
  const apart = { ms: 1, of: "one.test" };
  assertEquals(await add(first, { at: 5_000, apart }), 20_000);
  assertEquals(await add(first, { at: 10_000 }), 10_000, "an earlier one");
  assertEquals(await add(third, { at: 40_000 }), 40_000);
  const isOfHost = ({ subject }: { subject: unknown }) => subject !== 1;
  const isOfAny = () => true;
  assertEquals(await countBefore(40_000, { most: 9, isOfHost: isOfAny }), 2);
  assertEquals(await countBefore(40_000, { most: 1, isOfHost: isOfAny }), 1);
  assertEquals(await countBefore(40_000, { most: 9, isOfHost }), 1);
  assertEquals(await findNext(isOfHost), second);
  for (const id of [first, second, third]) {
    assertEquals(await findNext(), id);
    await remove(id);
    assertEquals(await find(id), null);
  }
  assertEquals(await findNext(), null);
});

Deno.test("add() keeps series apart that are to be, until they are read early", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, remove } = readQueueStore(kv);
  const options = { at: 10_000, apart: { ms: 3_000, of: "one.test" } };
  const added = await Promise.all(
    [first, second].map((id) => add(id, options)),
  );
  assertEquals(added.toSorted(), [10_000, 13_000]);
  assertEquals(await add(third, options), 16_000);
  const fourth = { subject: 4, metric: "txCount" } as const;
  const other = { at: 10_000, apart: { ms: 3_000, of: "other.test" } };
  assertEquals(await add(fourth, other), 10_000, "another host");
  await remove(fourth);
  for (const id of [first, second, third]) await remove(id);
  assertEquals(await add(first, options), 10_000);
});
