/** Changes that share transactions. */
import { assertEquals } from "@std/assert";
import { tapKv } from "../../../support/kv/tapped_kv.ts";
import { openCounters, versionOf } from "../../../support/kv/counters.ts";

Deno.test("batchedWrites() makes one read and two commits for the changes of one turn, and later no read", async () => {
  using store = await openCounters();
  const { kv, count, valueOf } = store;
  const calls = tapKv(kv);
  await Promise.all(Array.from({ length: 30 }, () => count("a")));
  assertEquals([calls.reads, calls.commits], [[[["a"]]], 2]);
  await count("a");
  assertEquals([calls.reads.length, calls.commits], [1, 3]);
  assertEquals(await valueOf("a"), 31);
});

Deno.test("batchedWrites() runs two transactions at once, but never two of one record", async () => {
  using store = await openCounters();
  const { kv, count, valueOf } = store;
  const underWay: PromiseWithResolvers<void>[] = [];
  tapKv(kv, async (commit) => {
    const gate = Promise.withResolvers<void>();
    underWay.push(gate);
    await gate.promise;
    return await commit();
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  /** Waits for so many transactions, and a turn longer for one too many. */
  const reach = async (count: number) => {
    while (underWay.length < count) await turn();
    await turn();
    assertEquals(underWay.length, count);
  };
  const first = ["a", "b", "a"].map((name) => count(name));
  await reach(1);
  const others = ["a", "c", "b", "d"].map((name) => count(name));
  await reach(2);
  const third = count("e");
  await reach(2);
  underWay[1]!.resolve();
  await reach(3);
  underWay[2]!.resolve();
  await third;
  await reach(3);
  underWay[0]!.resolve();
  await Promise.all(first);
  await reach(4);
  underWay[3]!.resolve();
  await Promise.all(others);
  const values = await Promise.all(["a", "b", "c", "d", "e"].map(valueOf));
  assertEquals(values, [3, 2, 1, 1, 1]);
});

Deno.test("batchedWrites() writes one record in a transaction of a hosted database, and 64 transactions at once", async () => {
  using store = await openCounters({ isHosted: true });
  let gate = Promise.withResolvers<void>();
  const calls = tapKv(store.kv, async (commit) => {
    await gate.promise;
    return await commit();
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  /** Counts, and lets no transaction end before the others have begun. */
  const countAll = async (names: readonly string[]) => {
    const before = calls.commits;
    gate = Promise.withResolvers();
    const counted = Promise.all(names.map((name) => store.count(name)));
    while (calls.commits === before) await turn();
    await turn();
    gate.resolve();
    await counted;
    return calls.commits - before;
  };
  const names = Array.from({ length: 65 }, (_, nth) => `counter ${nth}`);
  assertEquals(await countAll(["a", "b", "a", "b", "a"]), 2);
  assertEquals(await countAll(names.slice(1)), 64);
  // All are known then, so none waits for a read.
  assertEquals(await countAll(names.slice(0, 1)), 1);
  assertEquals(await countAll(names), 33, "two records each");
  assertEquals([await store.valueOf("a"), await store.valueOf("b")], [3, 2]);
});

Deno.test("batchedWrites() writes small records of one turn together on a hosted database, in less than 1,024 bytes", async () => {
  using store = await openCounters({ isHosted: true, size: 300 });
  const { kv, count, valueOf } = store;
  const calls = tapKv(kv);
  const names = ["a", "b", "c"];
  const countAll = async () => {
    const before = calls.commits;
    await Promise.all(names.map((name) => count(name)));
    return calls.commits - before;
  };
  assertEquals(await countAll(), 3, "their sizes are not known yet");
  assertEquals(await countAll(), 2, "the third does not fit");
  const facts = await Promise.all(
    Array.from({ length: 30 }, (_, nth) => versionOf(kv, `fact ${nth}`)),
  );
  const before = calls.commits;
  await Promise.all([count("a", ...facts), count("b")]);
  assertEquals(calls.commits - before, 2, "checks count too");
  assertEquals(await Promise.all(names.map(valueOf)), [3, 3, 2]);
});

Deno.test("batchedWrites() commits on a hosted database while other transactions run", async () => {
  using store = await openCounters({ isHosted: true });
  const gates: PromiseWithResolvers<void>[] = [];
  tapKv(store.kv, async (commit) => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return await commit();
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  const counting: Promise<unknown>[] = [];
  for (let nth = 1; nth <= 66; nth++) {
    counting.push(store.count(`counter ${nth}`));
    while (gates.length < Math.min(nth, 64)) await turn();
  }
  await turn();
  assertEquals(gates.length, 64);
  gates[0]!.resolve();
  while (gates.length < 65) await turn();
  for (const gate of gates) gate.resolve();
  await Promise.all(counting);
  assertEquals(gates.length, 65, "the two that waited go together");
});

Deno.test("batchedWrites() keeps each transaction within the checks that the database allows", async () => {
  using store = await openCounters();
  const { kv, count, valueOf } = store;
  const facts = await Promise.all(
    Array.from({ length: 180 }, (_, nth) => versionOf(kv, `fact ${nth}`)),
  );
  const calls = tapKv(kv);
  const outcomes = await Promise.all(
    Array.from(
      { length: 60 },
      (_, nth) => count(`${nth}`, ...facts.slice(3 * nth, 3 * nth + 3)),
    ),
  );
  assertEquals(new Set(outcomes), new Set(["committed"]));
  assertEquals(calls.commits, 3);
  assertEquals(await valueOf("59"), 1);
});
