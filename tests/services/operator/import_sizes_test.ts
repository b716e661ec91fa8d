/** The transactions of an import: their sizes, and what they changed. */
import { assertEquals } from "@std/assert";
import { exportStore, importStore } from "../../../services/operator/backup.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

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
