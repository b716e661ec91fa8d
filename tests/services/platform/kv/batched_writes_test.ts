/** Changes that share transactions, and the preconditions of each. */
import { assertEquals, assertRejects } from "@std/assert";
import { CommitOutcomeUnknown } from "../../../../services/platform/kv/commit_outcome_unknown.ts";
import { batchedWrites } from "../../../../services/platform/kv/batched_writes.ts";
import {
  sharedReads,
  trackedReads,
  type Version,
} from "../../../../services/platform/kv/shared_reads.ts";
import { breakKv } from "../../../support/kv/faulty_kv.ts";
import { tapKv } from "../../../support/kv/tapped_kv.ts";

/** A counter as it is stored. */
type Counted = [count: number, mark: string];

/** Opens a database of counters; `count` adds one to a counter if all preconditions hold. */
async function open({ isHosted } = { isHosted: false }) {
  const kv = await Deno.openKv(":memory:");
  const read = sharedReads(kv);
  const change = batchedWrites<Counted, number>(kv, read, {
    isHosted,
    expireIn: 1_000_000,
    decode: (stored) => stored?.[0] ?? 0,
    encode: (value) => [value, crypto.randomUUID()],
    markOf: ([, mark]) => mark,
  });
  const count = (name: string, ...preconditions: Version[]) =>
    change({ key: [name], preconditions, decide: (held) => held + 1 });
  const valueOf = async (name: string) =>
    (await kv.get<Counted>([name])).value?.[0] ?? null;
  return { kv, change, count, valueOf, [Symbol.dispose]: () => kv.close() };
}

/** Returns the current version of a record. */
async function versionOf(kv: Deno.Kv, name: string): Promise<Version> {
  const { read, versions } = trackedReads(sharedReads(kv));
  await read([name]);
  return versions[0]!;
}

Deno.test("batchedWrites() makes one read and two commits for the changes of one turn, and later no read", async () => {
  using store = await open();
  const { kv, count, valueOf } = store;
  const calls = tapKv(kv);
  await Promise.all(Array.from({ length: 30 }, () => count("a")));
  assertEquals([calls.reads, calls.commits], [[[["a"]]], 2]);
  await count("a");
  assertEquals([calls.reads.length, calls.commits], [1, 3]);
  assertEquals(await valueOf("a"), 31);
});

Deno.test("batchedWrites() runs two transactions at once, but never two of one record", async () => {
  using store = await open();
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
  using store = await open({ isHosted: true });
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

Deno.test("batchedWrites() commits on a hosted database while other transactions run", async () => {
  using store = await open({ isHosted: true });
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

Deno.test("batchedWrites() checks preconditions in the commit that makes the change", async () => {
  using store = await open();
  const { kv, count, valueOf } = store;
  const absent = await versionOf(kv, "fact");
  const calls = tapKv(kv);
  assertEquals(await count("a", absent), "committed");
  assertEquals([calls.reads.length, calls.commits], [1, 1]);
  assertEquals(await valueOf("a"), 1);
});

Deno.test("batchedWrites() rejects a change with an outdated precondition, and commits the others of its batch", async () => {
  using store = await open();
  const { kv, count, valueOf } = store;
  const absent = await versionOf(kv, "fact");
  await kv.set(["fact"], 1);
  const current = await versionOf(kv, "fact");
  const group = [
    count("a", absent),
    count("a"),
    count("b", current),
    count("b", absent, current),
  ];
  assertEquals(await Promise.all(group), [
    "outdated",
    "committed",
    "committed",
    "outdated",
  ]);
  assertEquals([await valueOf("a"), await valueOf("b")], [1, 1]);
});

Deno.test("batchedWrites() rejects the older of two versions of a record in one batch, in any order", async () => {
  using store = await open();
  const { kv, count, valueOf } = store;
  const old = await versionOf(kv, "fact");
  await kv.set(["fact"], 1);
  const current = await versionOf(kv, "fact");
  for (const preconditions of [[old, current], [current, old]]) {
    const outcomes = await Promise.all(
      preconditions.map((version) => count("a", version)),
    );
    assertEquals(
      outcomes,
      preconditions.map((version) =>
        version === current ? "committed" : "outdated"
      ),
    );
  }
  assertEquals(await valueOf("a"), 2);
});

Deno.test("batchedWrites() rejects a change whose precondition changes during the commit", async () => {
  using store = await open();
  const { kv, count, valueOf } = store;
  const absent = await versionOf(kv, "fact");
  let isFirst = true;
  tapKv(kv, async (commit) => {
    if (isFirst) {
      isFirst = false;
      await kv.set(["fact"], 1);
    }
    return await commit();
  });
  assertEquals(await count("a", absent), "outdated");
  assertEquals(await valueOf("a"), null);
});

Deno.test("batchedWrites() keeps each transaction within the checks that the database allows", async () => {
  using store = await open();
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

Deno.test("batchedWrites() decides a refusal on a fresh read, and writes nothing", async () => {
  using store = await open();
  const { kv, change, count, valueOf } = store;
  await count("a");
  const calls = tapKv(kv);
  let seen = 0;
  const refuse = (held: number) => seen = held;
  await kv.set(["a"], [7, "other"]);
  const outcome = await change({
    key: ["a"],
    preconditions: [],
    decide: refuse,
  });
  assertEquals([outcome, seen], ["committed", 7]);
  assertEquals(
    [calls.reads.length, calls.commits],
    [1, 1],
    "one is the set above",
  );
  assertEquals(await valueOf("a"), 7);
});

Deno.test("batchedWrites() makes a change once if the response of its commit is lost", async () => {
  using store = await open();
  const { kv, count, valueOf } = store;
  const faults = breakKv(kv);
  faults.lostAnswers = 2;
  const outcomes = await Promise.all(
    ["a", "a", "b"].map((name) => count(name)),
  );
  assertEquals(new Set(outcomes), new Set(["committed"]));
  await count("a");
  assertEquals([await valueOf("a"), await valueOf("b")], [3, 1]);
});

Deno.test("batchedWrites() recovers the outcome of a lost commit response, or throws CommitOutcomeUnknown", async (t) => {
  const gone = new Error("connection lost");
  const cases: [
    name: string,
    commit: (
      kv: Deno.Kv,
      write: () => Promise<unknown>,
    ) => Promise<unknown>,
    isUncertain: boolean,
    stored: number,
  ][] = [
    ["nothing was written", () => Promise.resolve(), false, 1],
    [
      "another process wrote after the commit",
      async (kv, write) => {
        await write();
        await kv.set(["a"], [70, "other"]);
      },
      true,
      70,
    ],
    [
      "another process wrote before the commit",
      (kv) => kv.set(["a"], [70, "other"]),
      true,
      70,
    ],
    [
      "another process wrote the same value before the commit",
      (kv) => kv.set(["a"], [2, "other"]),
      true,
      2,
    ],
    [
      "the store is unreadable",
      async (kv, write) => {
        await write();
        kv.getMany = () => Promise.reject(gone);
      },
      true,
      2,
    ],
  ];
  for (const [name, commit, isUncertain, stored] of cases) {
    await t.step(name, async () => {
      using store = await open();
      const { kv, count, valueOf } = store;
      await count("a");
      const { getMany } = kv;
      let isFirst = true;
      tapKv(kv, async (write) => {
        if (!isFirst) return await write();
        isFirst = false;
        await commit(kv, write);
        throw gone;
      });
      const thrown = await assertRejects(() => count("a"));
      assertEquals(thrown instanceof CommitOutcomeUnknown, isUncertain);
      kv.getMany = getMany;
      assertEquals(await valueOf("a"), stored);
      assertEquals(await count("a"), "committed");
      assertEquals(await valueOf("a"), stored + 1);
    });
  }
});
