/**
 * Changes that share transactions: no item of the queue is left waiting, preconditions
 * hold, and lost answers of a commit are found out.
 */
import { assertEquals, assertRejects } from "@std/assert";
import {
  batchQueue,
  type Precondition,
} from "../../../../services/platform/kv/batched_writes.ts";
import { waitUntil } from "../../../support/wait_until.ts";
import { tapKv } from "../../../support/kv/tapped_kv.ts";
import {
  openCounters,
  openCountersOf,
  versionOf,
} from "../../../support/kv/counters.ts";
import { CommitOutcomeUnknown } from "../../../../services/platform/kv/commit.ts";
import { breakKv } from "../../../support/kv/faulty_kv.ts";

Deno.test("batchQueue commits items that callers add as soon as they are notified", async () => {
  const committed: string[] = [];
  const settlers = new Map<string, () => void>();
  let together = Promise.withResolvers<void>();
  const queue = batchQueue({
    sizeLimit: () => 1,
    // Two batches at a time end in the same turn.
    async commit(batch) {
      committed.push(...batch.flatMap(({ writes }) => writes));
      if (committed.length % 2 === 0) {
        together.resolve();
        together = Promise.withResolvers();
      } else await together.promise;
      return () =>
        batch.forEach(({ writes: [item] }) => settlers.get(item!)!());
    },
  });
  const change = (item: string) =>
    new Promise<void>((settle) => {
      settlers.set(item, settle);
      queue.add({ writes: [item] });
    });
  const caller = async (name: string) => {
    for (let round = 0; round < 20; round++) await change(`${name} ${round}`);
  };
  await Promise.all([caller("a"), caller("b")]);
  assertEquals(committed.length, 40);
});

/** A queue that writes one record at a time, unless its items are small, and lists what each batch wrote. */
function listingQueue(sizes: { most: number; maxBytes?: number }) {
  const batches: string[][] = [];
  const queue = batchQueue({
    sizeLimit: () => sizes.most,
    recordLimit: () => 1,
    maxBytes: sizes.maxBytes ?? 0,
    concurrency: 1,
    commit(batch) {
      batches.push(batch.map(({ writes }) => writes.join("")));
      return Promise.resolve(() => {});
    },
  });
  /** Waits until so many items are written. */
  const reach = (count: number) =>
    waitUntil(() => batches.flat().length === count);
  return { batches, queue, reach };
}

Deno.test("batchQueue writes no more records at once than the limit, and later items pass one that does not fit", async () => {
  const { batches, queue, reach } = listingQueue({ most: 3 });
  for (const item of ["z", "a", "ab", "a", "a", "a"]) {
    queue.add({ writes: [...item] });
  }
  await reach(6);
  assertEquals(batches, [["z"], ["a", "a", "a"], ["ab", "a"]]);
});

Deno.test("batchQueue writes more records at once than the limit while the items are small together", async () => {
  const { batches, queue, reach } = listingQueue({ most: 9, maxBytes: 10 });
  for (const [record, bytes] of Object.entries({ a: 6, b: 4, c: 1, d: 11 })) {
    queue.add({ writes: [record], bytes });
  }
  await reach(4);
  assertEquals(batches, [["a", "b"], ["c"], ["d"]]);
});

Deno.test("batchQueue counts the bytes of a precondition once in a batch", async () => {
  const { batches, queue, reach } = listingQueue({ most: 9, maxBytes: 10 });
  const fact = (id: string) => ({ id, bytes: 4 });
  queue.add({ writes: ["a"], bytes: 3, preconditions: [fact("shared")] });
  queue.add({ writes: ["b"], bytes: 3, preconditions: [fact("own")] });
  queue.add({ writes: ["c"], bytes: 3, preconditions: [fact("shared")] });
  await reach(3);
  assertEquals(batches, [["a", "c"], ["b"]]);
});

/** A queue that records its batches; each is committed once its gate is opened. */
function gatedQueue() {
  const batches: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const queue = batchQueue<
    { writes: string[]; preconditions?: Precondition[] }
  >({
    sizeLimit: () => 9,
    async commit(batch) {
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      batches.push(batch.map(({ writes }) => writes[0]!));
      await gate.promise;
      return () => {};
    },
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  /** Waits for so many batches, and a turn longer for one too many. */
  const reach = async (count: number) => {
    await waitUntil(() => gates.length >= count);
    await turn();
    assertEquals(batches.length, count);
  };
  return { queue, batches, gates, reach };
}

Deno.test("batchQueue keeps an item back while any of its records is written", async () => {
  const { queue, batches, gates, reach } = gatedQueue();
  queue.add({ writes: ["a"] });
  await reach(1);
  queue.add({ writes: ["ab", "a", "b"] });
  queue.add({ writes: ["c"] });
  await reach(2);
  assertEquals(batches, [["a"], ["c"]]);
  gates[1]!.resolve();
  await reach(2);
  gates[0]!.resolve();
  await reach(3);
  assertEquals(batches, [["a"], ["c"], ["ab"]]);
  gates[2]!.resolve();
});

Deno.test("batchQueue commits at most 100 records together, and more of one item alone", async () => {
  const { queue, batches, gates, reach } = gatedQueue();
  const add = (name: string, writes: number, checks: number) => {
    const records = (kind: string, count: number) =>
      Array.from({ length: count }, (_, nth) => `${name} ${kind} ${nth}`);
    queue.add({
      writes: [name, ...records("write", writes - 1)],
      preconditions: records("check", checks).map((id) => ({ id, bytes: 1 })),
    });
  };
  add("40", 40, 0);
  add("60", 1, 59);
  add("1", 1, 0);
  add("101", 1, 100);
  await reach(2);
  gates[0]!.resolve();
  await reach(3);
  for (const gate of gates) gate.resolve();
  assertEquals(batches, [["40", "60"], ["1"], ["101"]]);
});

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

Deno.test("batchedWrites() checks preconditions in the commit that makes the change", async () => {
  using store = await openCounters();
  const { kv, count, valueOf } = store;
  const absent = await versionOf(kv, "fact");
  const calls = tapKv(kv);
  assertEquals(await count("a", absent), "committed");
  assertEquals([calls.reads.length, calls.commits], [1, 1]);
  assertEquals(await valueOf("a"), 1);
});

Deno.test("batchedWrites() rejects a change with an outdated precondition, and commits the others of its batch", async () => {
  using store = await openCounters();
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
  using store = await openCounters();
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
  using store = await openCounters();
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

Deno.test("batchedWrites() decides a refusal on a fresh read, and writes nothing", async () => {
  using store = await openCounters();
  const { kv, change, count, valueOf } = store;
  await count("a");
  const calls = tapKv(kv);
  let seen = 0;
  const refuse = (held: number) => seen = held;
  await kv.set(["a"], { count: 7 });
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
  using store = await openCounters();
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

Deno.test("batchedWrites() makes a change once if its commit is repeated, or its response lost, after another process wrote the record", async (t) => {
  for (const outcome of ["repeated", "lost"]) {
    await t.step(outcome, async () => {
      using store = await openCounters();
      const { kv, count, valueOf } = store;
      const other = openCountersOf(kv);
      await count("a");
      let isFirst = true;
      tapKv(kv, async (commit) => {
        if (!isFirst) return await commit();
        isFirst = false;
        await commit();
        await other.count("a");
        await other.count("a");
        if (outcome === "lost") throw new Error("connection lost");
        // What the checks of a repeated transaction find.
        return { ok: false };
      });
      assertEquals(await count("a"), "committed");
      assertEquals(await valueOf("a"), 4);
      assertEquals([await count("a"), await other.count("a")], [
        "committed",
        "committed",
      ]);
      assertEquals(await valueOf("a"), 6);
    });
  }
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
        await kv.set(["a"], { count: 70, marks: [] });
      },
      true,
      70,
    ],
    [
      "another process wrote before the commit",
      (kv) => kv.set(["a"], { count: 70, marks: [] }),
      true,
      70,
    ],
    [
      "another process wrote the same value before the commit",
      (kv) => kv.set(["a"], { count: 2, marks: [] }),
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
      using store = await openCounters();
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

Deno.test("batchedWrites() throws CommitOutcomeUnknown if a commit is repeated and the store is unreadable", async () => {
  using store = await openCounters();
  const { kv, count, valueOf } = store;
  await count("a");
  const { getMany } = kv;
  let isFirst = true;
  tapKv(kv, async (write) => {
    if (!isFirst) return await write();
    isFirst = false;
    await write();
    kv.getMany = () => Promise.reject(new Error("connection lost"));
    // What the checks of a repeated transaction find.
    return { ok: false };
  });
  await assertRejects(() => count("a"), CommitOutcomeUnknown);
  kv.getMany = getMany;
  assertEquals(await valueOf("a"), 2);
  assertEquals(await count("a"), "committed");
  assertEquals(await valueOf("a"), 3);
});
