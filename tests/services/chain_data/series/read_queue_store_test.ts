/** The queue of series to read next: each is in it once. */
import { assertEquals } from "@std/assert";
import { readQueueStore } from "../../../../services/chain_data/series/read_queue_store.ts";

Deno.test("find() gives a queued series until it is removed", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, find, remove } = readQueueStore(kv);
  const [first, second] = [
    { subject: 1, metric: "gasUsed" },
    { subject: 2, metric: "txCount" },
  ] as const;
  assertEquals(await find(), null);
  for (const id of [second, first, first]) await add(id);
  for (const id of [first, second]) {
    assertEquals(await find(), id);
    await remove(id);
  }
  assertEquals(await find(), null);
});
