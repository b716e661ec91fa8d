/** Preconditions of changes that share a transaction, and lost answers of its commit. */
import { assertEquals, assertRejects } from "@std/assert";
import { CommitOutcomeUnknown } from "../../../../services/platform/kv/commit.ts";
import { breakKv } from "../../../support/kv/faulty_kv.ts";
import { tapKv } from "../../../support/kv/tapped_kv.ts";
import {
  openCounters,
  openCountersOf,
  versionOf,
} from "../../../support/kv/counters.ts";

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
