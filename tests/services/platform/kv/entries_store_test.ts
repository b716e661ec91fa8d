/** Entries of a backup: which are listed, and what an import writes. */
import { assertEquals } from "@std/assert";
import { entryStore } from "../../../../services/platform/kv/entries_store.ts";
import { FORMAT_KEY } from "../../../../services/platform/kv/store_format.ts";

/** Collections of each kind. */
const COLLECTIONS = {
  alone: { isIndependent: true },
  expiring: { expireMs: 5 },
  left: { isLeftOut: true },
  outdated: {
    whenOutdated: {
      says: "numbers grow",
      change: (value: number) => value === 0 ? undefined : Math.max(value, 9),
    },
  },
} as const;

async function open() {
  const kv = await Deno.openKv(":memory:");
  const entries = entryStore(kv, COLLECTIONS);
  const dump = async () =>
    (await Array.fromAsync(kv.list({ prefix: [] })))
      .map(({ key, value }) => `${key.join("/")} ${JSON.stringify(value)}`);
  return { kv, entries, dump, [Symbol.dispose]: () => kv.close() };
}

Deno.test("list() leaves out what a backup does not keep, and says what is independent", async () => {
  using store = await open();
  for (const name of ["alone", "expiring", "left", "unknown"]) {
    await store.kv.set([name, "a"], name);
  }
  const listed = await Array.fromAsync(store.entries.list());
  assertEquals(
    listed.map(({ value, isIndependent }) => [value, isIndependent]),
    [["alone", true], ["expiring", false], ["unknown", false]],
  );
  assertEquals(listed.map(({ versionstamp }) => versionstamp.length), [
    20,
    20,
    20,
  ]);
});

Deno.test("isEmpty() ignores the number of the format, and nothing else", async () => {
  const [format, other] = [FORMAT_KEY, ["other"]];
  const cases = [[[], true], [[format], true], [[other], false], [
    [format, other],
    false,
  ]] as const;
  for (const [written, expected] of cases) {
    using store = await open();
    for (const key of written) await store.kv.set([...key], 1);
    assertEquals(await store.entries.isEmpty(), expected);
  }
});

Deno.test("put() changes what may be outdated, unless the backup is current, and says so for each", async () => {
  const given = [
    ["alone", undefined],
    ["left", 1],
    ["outdated", 0],
    ["outdated", 3],
    ["outdated", 12],
    ["unknown", 4],
  ] as const;
  const written = given.map(([name, value], nth) => ({
    key: [name, nth],
    value,
  }));
  const says = "numbers grow";
  const cases = [
    [true, ["outdated/2 0", "outdated/3 3"], []],
    [false, ["outdated/3 9"], [says, says]],
  ] as const;
  for (const [isCurrent, expected, changes] of cases) {
    using store = await open();
    assertEquals(await store.entries.put(written, { isCurrent }), [...changes]);
    assertEquals(await store.dump(), [
      "alone/0 undefined",
      ...expected,
      "outdated/4 12",
      "unknown/5 4",
    ]);
  }
});

Deno.test("put() gives records of a collection its expiry, and others none", async () => {
  using store = await open();
  const { kv, entries } = store;
  const options: unknown[] = [];
  const { atomic } = kv;
  kv.atomic = () => {
    const operation = atomic.call(kv);
    const { set } = operation;
    operation.set = (key, value, given) => {
      options.push(given);
      return set.call(operation, key, value, given);
    };
    return operation;
  };
  const some = ["expiring", "alone"].map((name) => ({ key: [name], value: 1 }));
  await entries.put(some, { isCurrent: true });
  assertEquals(options, [{ expireIn: 5 }, {}]);
});

Deno.test("an import is marked with its format from its start to its end", async () => {
  using store = await open();
  const { entries, dump } = store;
  const mark = { sha256: "hash", isCurrent: true };
  assertEquals(await entries.findImport(), null);
  await entries.startImport(mark, 1);
  assertEquals(await entries.findImport(), mark);
  const format = 'format {"format":1,"cursor":null}';
  const marked = `import ${JSON.stringify(mark)}`;
  assertEquals(await dump(), [format, marked]);
  await entries.endImport();
  assertEquals(await dump(), [format]);
});
