import { assertEquals, assertRejects } from "@std/assert";
import {
  exportStore,
  exportToFile,
  importStore,
  type Seal,
} from "../../../services/operator/backup.ts";
import { entryStore } from "../../../services/platform/kv/entries_store.ts";
import { FORMAT } from "../../../services/platform/kv/store_format.ts";
import { openStores } from "../../../services/stores.ts";
import { START, type TestDeps, testDeps } from "../../support/deps.ts";
import { fc } from "../../support/properties.ts";

const now = () => new Date(START);

/** Nothing in the backup is outdated. */
const CURRENT = { isCurrent: true };

async function openStore() {
  const kv = await Deno.openKv(":memory:");
  return { kv, store: openStores(kv), now, [Symbol.dispose]: () => kv.close() };
}

type Opened = Awaited<ReturnType<typeof openStore>>;

async function exportLines(
  deps: Pick<Opened, "now" | "store">,
  during: (read: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<{ lines: string[]; reads: number; seal: Seal }> {
  let lines: string[] = [];
  let reads = 0;
  const seal = await exportStore(deps, async (copy) => {
    reads += 1;
    lines = (await Array.fromAsync(copy)).map((line) => line.trimEnd());
    await during(reads);
  });
  return { lines, reads, seal };
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Lists all records but the number of the format, which an import writes. */
async function dump({ kv }: Opened) {
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return entries.map(({ key, value }) => ({ key, value }))
    .filter(({ key }) => key[0] !== "format");
}

const keyPart = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.double({ noNaN: true }),
  fc.bigInt({ max: 10n ** 30n }),
  fc.boolean(),
  fc.uint8Array({ maxLength: 8 }),
);

const value = fc.oneof(
  fc.anything({
    // The serializer refuses this name. No record takes its names from outside.
    key: fc.string().filter((name) => name !== "__proto__"),
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
  }),
  fc.float64Array({ maxLength: 366 }),
);

Deno.test("importStore() restores every exported key and value", async () => {
  const entries = fc.array(
    fc.tuple(fc.array(keyPart, { minLength: 1, maxLength: 4 }), value),
  );
  await fc.assert(
    fc.asyncProperty(entries, async (entries) => {
      using from = await openStore();
      for (const [key, value] of entries) await from.kv.set(key, value);
      using to = await openStore();
      const { lines, seal } = await exportLines(from);
      const { changes, ...imported } = await importStore(
        to,
        () => each(lines),
        CURRENT,
      );
      assertEquals([imported, changes.size], [seal, 0]);
      assertEquals(await dump(to), await dump(from));
    }),
    { numRuns: 50, examples: [[[[["toString"], 1], [["__proto__"], 2]]]] },
  );
});

Deno.test("importStore() makes one commit for 500 small entries and no read for them, however many there are before", async () => {
  const callsFor = async (entries: number) => {
    using from = await openStore();
    for (let first = 0; first < entries; first += 500) {
      const atomic = from.kv.atomic();
      for (let nth = 0; nth < 500; nth++) atomic.set(["a", first + nth], nth);
      await atomic.commit();
    }
    const { lines } = await exportLines(from);
    using to = await openStore();
    const calls = { reads: 0, commits: 0 };
    const { kv } = to;
    const { get, list, atomic } = kv;
    kv.get = (...args) => (calls.reads++, get.apply(kv, args)) as never;
    kv.list = (...args) => (calls.reads++, list.apply(kv, args)) as never;
    kv.atomic = () => (calls.commits++, atomic.call(kv));
    await importStore(to, () => each(lines), CURRENT);
    return calls;
  };
  const [few, many] = [await callsFor(1_000), await callsFor(4_000)];
  assertEquals(many, { reads: few.reads, commits: few.commits + 6 });
});

Deno.test("reports of profiles of an older version break no rule, are in no new backup, and are skipped in an old one", async () => {
  using from = await openStore();
  const reports = { counts: { name: 1 }, firstAt: 1, lastAt: 1 };
  await from.kv.set(["profile_reports", `0x${"aa".repeat(20)}`], reports);
  await from.kv.set(["series_failures", "kept"], 1);
  const { brokenCount } = await from.store.invariants.check(+now());
  assertEquals(brokenCount, 0);
  assertEquals((await exportLines(from)).seal.entries, 1);
  const older = { ...from.store, entries: entryStore(from.kv, {}) };
  const { lines, seal } = await exportLines({ now, store: older });
  assertEquals(seal.entries, 2);
  using to = await openStore();
  await importStore(to, () => each(lines), CURRENT);
  assertEquals(await dump(to), [{
    key: ["series_failures", "kept"],
    value: 1,
  }]);
});

Deno.test("exportStore() throws for a value with a property named __proto__, instead of losing it", async () => {
  using from = await openStore();
  await from.kv.set(["plans", "a"], JSON.parse('{"__proto__":1}'));
  await assertRejects(() => exportLines(from), Error, "__proto__");
});

Deno.test("exportStore() reads the store again if it changed meanwhile, except for counters", async () => {
  using from = await openStore();
  await from.kv.set(["plans", "a"], 1);
  const { lines, reads } = await exportLines(from, async (read) => {
    if (read === 1) await from.kv.set(["plans", "b"], 2);
    if (read === 2) await from.kv.delete(["plans", "a"]);
    await from.kv.set(["usage", "a"], read);
    await from.kv.set(["sessions", "a"], read);
  });
  assertEquals(reads, 3);
  assertEquals(lines.filter((line) => line.includes("plans")).length, 1);
});

/** Collections whose records refer to each other, each group in one transaction. */
const TOGETHER = [
  "api_keys api_key_owners api_key_revision wallet_keys",
  "ledgers paid_blocks paid_transactions plan_ends plans revoked_payments quotes",
  "payment_scan payment_watch audit",
  "profiles slugs socials human_count human_evidence humans",
  "donations donation_flows graphs graph_changes",
  "block_samples chains disputes publications rechecks series validator_days",
].flatMap((names) => names.split(" "));

for (const collection of TOGETHER) {
  Deno.test(`exportStore() reads the store again if ${collection} change meanwhile`, async () => {
    using from = await openStore();
    const { reads } = await exportLines(from, async (read) => {
      if (read === 1) await from.kv.set([collection, "a"], 1);
    });
    assertEquals(reads, 2);
  });
}

Deno.test("exportStore() throws for a store that changes during each of five reads", async () => {
  using from = await openStore();
  let reads = 0;
  await assertRejects(
    () =>
      exportLines(from, (read) => {
        reads = read;
        return from.kv.set(["plans", "a"], read);
      }),
    Error,
    "it changed during each of 5 reads",
  );
  assertEquals(reads, 5);
});

Deno.test("importStore() resumes an interrupted import, with the same backup only", async () => {
  using from = await openStore();
  // Four times what an import writes at a time.
  for (let i = 0; i < 2_000; i += 500) {
    const batch = from.kv.atomic();
    for (let j = i; j < i + 500; j++) batch.set(["plans", j], { i: j });
    await batch.commit();
  }
  const { lines } = await exportLines(from);
  using to = await openStore();
  const put = to.store.entries.put;
  let puts = 0;
  const store = {
    ...to.store,
    entries: {
      ...to.store.entries,
      put(...args: Parameters<typeof put>) {
        puts += 1;
        if (puts > 2) throw new Error("killed");
        return put(...args);
      },
    },
  };
  await assertRejects(
    () => importStore({ now, store }, () => each(lines), CURRENT),
    Error,
    "killed",
  );
  await assertRejects(() => exportLines(to), Error, "an import is unfinished");
  await assertRejects(
    () => importStore(to, () => each(lines), { isCurrent: false }),
    Error,
    "its import was begun with --keep-keys",
  );
  await from.kv.set(["plans", "more"], 1);
  const { lines: others } = await exportLines(from);
  await assertRejects(
    () => importStore(to, () => each(others), CURRENT),
    Error,
    "the import of another one is unfinished",
  );
  await from.kv.delete(["plans", "more"]);
  await importStore(to, () => each(lines), CURRENT);
  assertEquals(await dump(to), await dump(from));
});

Deno.test("importStore() refuses a backup that was taken after now", async () => {
  using from = await openStore();
  await from.kv.set(["plans", "a"], 1);
  const { lines } = await exportLines(from);
  using to = await openStore();
  const importAt = (ms: number) =>
    importStore(
      { store: to.store, now: () => new Date(Date.parse(START) + ms) },
      () => each(lines),
      CURRENT,
    );
  await assertRejects(() => importAt(-60_001), Error, "and the clock says");
  assertEquals(await dump(to), []);
  await importAt(-60_000);
});

Deno.test("importStore() changes nothing if the backup is invalid or the store is in use", async (t) => {
  using from = await openStore();
  await from.kv.set(["plans", "a"], 1);
  await from.kv.set(["plans", "b"], 2);
  const { lines } = await exportLines(from);
  const [header = "", first = "", second = "", seal = ""] = lines;
  const cases = {
    "nothing": { lines: [], says: "it is incomplete" },
    "another file": {
      lines: ["{}", first, seal],
      says: "expected a file of",
    },
    "another version": {
      lines: [
        header.replace('"version":1', '"version":2'),
        first,
        second,
        seal,
      ],
      says: "version 1",
    },
    "no seal": { lines: [header, first, second], says: "it is incomplete" },
    "a line too few": {
      lines: [header, first, seal],
      says: "it is incomplete",
    },
    "a line twice": {
      lines: [header, first, first, seal],
      says: "it is incomplete",
    },
    "a changed line": {
      lines: [header, first, second.replace("2", "3"), seal],
      says: "it is incomplete",
    },
    "lines in another order": {
      lines: [header, second, first, seal],
      says: "it is incomplete",
    },
  };
  for (const [name, { lines, says }] of Object.entries(cases)) {
    await t.step(name, async () => {
      using to = await openStore();
      await assertRejects(
        () => importStore(to, () => each(lines), CURRENT),
        Error,
        says,
      );
      assertEquals(await dump(to), []);
    });
  }
  await t.step("a store in use", async () => {
    using to = await openStore();
    await to.kv.set(["plans", "c"], 3);
    await assertRejects(
      () => importStore(to, () => each(lines), CURRENT),
      Error,
      "the store is not empty",
    );
    assertEquals((await dump(to)).length, 1);
  });
});

Deno.test("importStore() refuses records of a newer format, and marks those of an older one for migration", async () => {
  using from = await openStore();
  await from.kv.set(["plans", "a"], 1);
  const { lines } = await exportLines(from);
  const header = JSON.parse(lines[0]!);
  assertEquals(header.format, FORMAT);
  const withFormat = (format: number) => [
    JSON.stringify({ ...header, format }),
    ...lines.slice(1),
  ];
  using to = await openStore();
  await assertRejects(
    () => importStore(to, () => each(withFormat(FORMAT + 1)), CURRENT),
    Error,
    `its records have format ${FORMAT + 1}, expected at most ${FORMAT}`,
  );
  assertEquals(await to.store.entries.isEmpty(), true);
  await importStore(to, () => each(withFormat(FORMAT)), CURRENT);
  assertEquals((await to.kv.get(["format"])).value, {
    format: FORMAT,
    cursor: null,
  });
});

Deno.test("exportToFile() removes what it could not complete, and keeps the backup before it", async () => {
  const folder = await Deno.makeTempDir();
  using kv = await Deno.openKv(":memory:");
  const store = openStores(kv);
  const { entries } = store;
  const file = `${folder}/backup.ndjson`;
  await kv.set(["plans", "a"], 1);
  await exportToFile({ now, store }, file);
  const before = await Deno.readTextFile(file);
  const gone = new Error("no space left on device");
  const failing = {
    ...entries,
    async *list() {
      yield* entries.list();
      throw gone;
    },
  };
  const broken = { ...store, entries: failing };
  await assertRejects(
    () => exportToFile({ now, store: broken }, file),
    Error,
    gone.message,
  );
  assertEquals(
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
    ["backup.ndjson"],
  );
  assertEquals(await Deno.readTextFile(file), before);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("exportToFile() says what failed before there was a file, and that another export replaced its file", async () => {
  const folder = await Deno.makeTempDir();
  using kv = await Deno.openKv(":memory:");
  const store = openStores(kv);
  const { entries } = store;
  const file = `${folder}/backup.ndjson`;
  await kv.set(["plans", "a"], 1);
  await assertRejects(
    () => exportToFile({ now, store }, `${folder}/missing/backup.ndjson`),
    Deno.errors.NotFound,
    "open",
  );
  let isReplaced = false;
  const slow = {
    ...entries,
    async *list() {
      yield* entries.list();
      if (!isReplaced) await exportToFile({ now, store }, file);
      isReplaced = true;
    },
  };
  await assertRejects(
    () => exportToFile({ now, store: { ...store, entries: slow } }, file),
    Error,
    `another export writes ${file}`,
  );
  assertEquals(
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
    ["backup.ndjson"],
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("of two exports to one file one completes, and the other neither replaces nor removes it", async () => {
  const folder = await Deno.makeTempDir();
  using kv = await Deno.openKv(":memory:");
  const store = openStores(kv);
  const { entries } = store;
  const file = `${folder}/backup.ndjson`;
  for (let nth = 0; nth < 3; nth++) await kv.set(["plans", `${nth}`], nth);
  await exportToFile({ now, store }, file);
  const alone = await Deno.readTextFile(file);
  await Deno.remove(file);
  const [begun, replaced] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const slow = {
    ...entries,
    async *list() {
      for await (const entry of entries.list()) {
        yield entry;
        begun.resolve();
        await replaced.promise;
      }
    },
  };
  const first = exportToFile({ now, store: { ...store, entries: slow } }, file);
  await begun.promise;
  let began = false;
  const other = {
    ...entries,
    async *list() {
      for await (const entry of entries.list()) {
        yield entry;
        if (began) continue;
        began = true;
        replaced.resolve();
        await assertRejects(() => first, Error, "another export writes");
      }
    },
  };
  await exportToFile({ now, store: { ...store, entries: other } }, file);
  assertEquals(await Deno.readTextFile(file), alone);
  assertEquals(
    (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name),
    ["backup.ndjson"],
  );
  await Deno.remove(folder, { recursive: true });
});

// The transactions of an import: their sizes, and what they changed.

/** Returns a backup whose entries have lines of these lengths. */
async function backupOf(deps: TestDeps, lengths: readonly number[]) {
  for (const [nth, length] of lengths.entries()) {
    const line = `[[1,3],[2,2],"nth",${nth},""]`;
    await deps.kv.set(["nth", nth], "x".repeat(length - line.length));
  }
  let lines: string[] = [];
  await exportStore(deps, async (copy) => {
    lines = (await Array.fromAsync(copy)).map((line) => line.trimEnd());
  });
  assertEquals(lines.slice(1, -1).map((line) => line.length), lengths);
  return lines;
}

/** Imports a backup of such entries; each transaction says what it changed. */
async function importOf(lengths: readonly number[], says: string[] = []) {
  using deps = await testDeps();
  const lines = await backupOf(deps, lengths);
  const sizes: number[] = [];
  const entries = {
    ...deps.store.entries,
    isEmpty: () => Promise.resolve(true),
    put(entries: readonly unknown[]) {
      sizes.push(entries.length);
      return Promise.resolve(says);
    },
  };
  const store = { ...deps.store, entries };
  const { changes } = await importStore(
    { ...deps, store },
    async function* () {
      yield* lines;
    },
    { isCurrent: true },
  );
  return { sizes, changes: Object.fromEntries(changes) };
}

Deno.test("importStore() writes at most 500 entries and 120,000 characters at a time", async () => {
  const rows: [lengths: number[], sizes: number[]][] = [
    [Array(1_001).fill(60), [500, 500, 1]],
    [Array(500).fill(60), [500]],
    [[60_000, 60_000, 60], [2, 1]],
    [[60_000, 60_001, 60], [1, 2]],
    [[60_000, 60_000, 60_000, 60_000], [2, 2]],
  ];
  for (const [lengths, sizes] of rows) {
    assertEquals((await importOf(lengths)).sizes, sizes);
  }
});

Deno.test("importStore() counts what its transactions changed", async () => {
  const says = ["ended", "ended", "held"];
  const { changes } = await importOf([60_000, 60_001], says);
  assertEquals(changes, { ended: 4, held: 2 });
});
