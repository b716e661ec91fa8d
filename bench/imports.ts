/** The import of a backup: how its rate changes as the store grows. */
import { stringify } from "devalue";
import { importStore } from "../services/operator/backup.ts";
import { sha256 } from "../services/platform/bytes.ts";
import { FORMAT } from "../services/platform/kv/store_format.ts";
import { testDeps } from "../tests/support/deps.ts";
import { addressOf } from "../tests/support/graph.ts";
import { curveOf } from "./measure/curve.ts";
import type {
  BenchmarkOptions,
  CurvePoint,
  Measurement,
} from "./measure/measurement.ts";
import { cpuSeconds } from "./measure/process_usage.ts";

/** Entries of the backup, in the full and in the short run. */
const ENTRIES = { full: 1_000_000, short: 100_000 };

/** Bytes of an entry: a score history of some weeks. */
const BYTES = 600;

/** Parts of the import whose rates are compared. */
const PARTS = 10;

/** Largest ratio of the slowest part to the first one. */
const MAX_RATIO = 1.25;

/** Imports a backup of addresses in the order of an export into a database file. */
export async function measureImports(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const count = short ? ENTRIES.short : ENTRIES.full;
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const deps = stack.use(await testDeps({ kvPath: `${folder}/import` }));
  const hash = sha256();
  for (let nth = 0; nth < count; nth++) hash.update(`${entryOf(nth)}\n`);
  const header = { firn: "backup", version: 1, format: FORMAT };
  const takenAt = deps.now().toISOString();
  const seal = { entries: count, sha256: hash.hex() };
  let reads = 0;
  const marks: { ms: number; cpu: number }[] = [];
  async function* read(): AsyncGenerator<string> {
    const isImport = ++reads === 2;
    yield JSON.stringify({ ...header, takenAt });
    for (let nth = 0; nth < count; nth++) {
      if (isImport && nth % (count / PARTS) === 0) mark();
      yield entryOf(nth);
    }
    yield JSON.stringify(seal);
  }
  const mark = () =>
    marks.push({ ms: performance.now(), cpu: cpuSeconds(Deno.pid) });
  await importStore(deps, read, { isCurrent: true });
  mark();
  const points = (of: "ms" | "cpu", perEntry: number): CurvePoint[] =>
    marks.slice(1).map((at, nth) => ({
      at: (nth + 1) * count / PARTS,
      value: (at[of] - marks[nth]![of]) * perEntry * PARTS / count,
    }));
  const growth = { of: "entries", unit: "us", most: MAX_RATIO };
  return [
    curveOf(
      { ...growth, name: "import, CPU time an entry" },
      points("cpu", 1e6),
    ),
    curveOf(
      { ...growth, name: "import, time an entry", most: null },
      points("ms", 1e3),
    ),
  ];
}

const VALUE = new Uint8Array(BYTES).map((_, nth) => nth * 31 % 256);

function entryOf(nth: number): string {
  return stringify([["score_histories", addressOf(1e6 + nth)], VALUE]);
}
