/** Open disputes in the store: the days of a series, and when each was found first. */
import { assertEquals } from "@std/assert";
import { disputeStore } from "../../../../services/chain_data/checks/disputes_store.ts";

const days = (count: number, foundAt: number, first = 0) =>
  new Map(Array.from({ length: count }, (_, nth) => [first + nth, foundAt]));

Deno.test("replace() opens and closes days, and a day keeps the instant at which it was found", async () => {
  using kv = await Deno.openKv(":memory:");
  const { list, replace } = disputeStore(kv);
  const other = new Map([[1, 9]]);
  await replace("fees", other);
  const steps: [ReadonlyMap<number, number>, ReadonlyMap<number, number>][] = [
    [new Map([[1, 5], [2, 5]]), new Map([[1, 5], [2, 5]])],
    [new Map([[2, 6], [3, 6]]), new Map([[2, 5], [3, 6]])],
    [new Map(), new Map()],
    [new Map([[2, 7]]), new Map([[2, 7]])],
  ];
  for (const [open, expected] of steps) {
    await replace("transactions", open);
    assertEquals(await list("transactions"), expected);
  }
  assertEquals(await list("fees"), other);
});

Deno.test("replace() writes many days, a hundred in each transaction, as many as Deno KV checks", async () => {
  using kv = await Deno.openKv(":memory:");
  const { list, replace } = disputeStore(kv);
  let commits = 0;
  const { atomic } = kv;
  kv.atomic = () => {
    commits++;
    return atomic.call(kv);
  };
  for (const [open, expected] of [[201, 3], [1, 2], [101, 1]] as const) {
    commits = 0;
    await replace("transactions", days(open, 1));
    assertEquals((await list("transactions")).size, open);
    assertEquals(commits, expected);
  }
});

Deno.test("replace() keeps the instant of another process that found the dispute meanwhile", async () => {
  using kv = await Deno.openKv(":memory:");
  const { list, replace } = disputeStore(kv);
  const { atomic } = kv;
  kv.atomic = () => {
    kv.atomic = atomic;
    const late = atomic.call(kv);
    const { commit } = late;
    late.commit = async () => {
      await replace("transactions", new Map([[1, 5]]));
      return commit.call(late);
    };
    return late;
  };
  await replace("transactions", new Map([[1, 6], [2, 6]]));
  assertEquals(await list("transactions"), new Map([[1, 5], [2, 6]]));
});
