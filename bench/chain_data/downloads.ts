/** Builds the downloadable files of 200 chains, all metrics and six years in one job run. */
import { METRIC_NAMES } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { readConfig } from "../../services/config.ts";
import { openDeps } from "../../services/deps.ts";
import { startOfYear } from "../../services/platform/days.ts";
import { V8_FLAGS } from "../../services/operator/start_flags.ts";
import { sweep } from "../../tests/support/chain_data/swept.ts";
import { ROOT } from "../../tests/support/processes/service.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { memoryMb } from "../measure/process_usage.ts";

const CHAINS = 200;
const FEW_CHAINS = 20;
const FIRST_YEAR = 2020;
const LAST_YEAR = 2025;
const NOW = "2026-01-01T03:00:00.000Z";

/** How often the memory of the job is read. Its peak is counted by the system. */
const SAMPLE_MS = 250;

/** What the worker prints. */
interface Report {
  readonly outcome: string | null;
  readonly idleMb: number;
  readonly cpuS: number;
  readonly files: number;
  readonly bytes: number;
}

/** Measures memory, CPU and size of a release in which every file is new. */
export async function measureDownloads(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const chains = short ? FEW_CHAINS : CHAINS;
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  try {
    const path = `${folder}/swept.sqlite3`;
    await fill(path, chains);
    const { report, peakMb } = await build(path);
    const name =
      `files of ${chains} chains, ${METRIC_NAMES.length} metrics, 6 years`;
    return [
      {
        name: `${name}, memory at its peak`,
        value: peakMb,
        unit: "MB",
        peer: null,
        target: { of: "value", is: "<", than: 200 },
      },
      {
        name: `${name}, memory over the idle process`,
        value: peakMb - report.idleMb,
        unit: "MB",
        peer: null,
        target: null,
      },
      {
        name: `${name}, CPU`,
        value: report.cpuS,
        unit: "s",
        peer: null,
        target: { of: "value", is: "<", than: 60 },
      },
      {
        name: `${name}, size of ${report.files} files`,
        value: report.bytes / 1e6,
        unit: "MB",
        peer: null,
        target: null,
      },
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Stores every series as a sweep leaves it: values without a pattern, which compress worst. */
async function fill(path: string, chains: number): Promise<void> {
  using kv = await Deno.openKv(path);
  const deps = openDeps(readConfig({ KV_PATH: path }), {
    kv,
    now: () => new Date(NOW),
    fetch: () => Promise.reject(new TypeError("no network")),
    write: () => {},
    sleep: () => Promise.resolve(),
  });
  const days = startOfYear(LAST_YEAR + 1) - startOfYear(FIRST_YEAR);
  let seed = 1;
  const random = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  await sweep(deps, {
    chains: Object.fromEntries(
      Array.from(
        { length: chains },
        (_, nth) => [nth === 0 ? 43114 : 1000 + nth * 37, `Chain ${nth}`],
      ),
    ),
    published: startOfYear(LAST_YEAR + 1) - 1,
    valuesOf: (_, metric) => {
      let total = 0;
      const values = Array.from(
        { length: days },
        () =>
          metric === "feesPaid" || metric.startsWith("avg")
            ? random() * 1000
            : metric.startsWith("cumulative")
            ? total += Math.floor(random() * 1e6)
            : Math.floor(random() * 1e6),
      );
      return { from: `${FIRST_YEAR}-01-01`, values };
    },
  });
}

/** Runs the job in a process of its own, with the flags of the service. */
async function build(
  path: string,
): Promise<{ report: Report; peakMb: number }> {
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--lock=tests/deno.lock",
      ...V8_FLAGS,
      "bench/chain_data/downloads_worker.ts",
      path,
      "2026-01-01T04:00:00.000Z",
    ],
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
  }).spawn();
  let peakMb = 0;
  const sampling = setInterval(() => {
    const { peak } = memoryMb(process.pid);
    peakMb = Math.max(peakMb, Number.isNaN(peak) ? 0 : peak);
  }, SAMPLE_MS);
  const { stdout, success } = await process.output();
  clearInterval(sampling);
  if (!success) throw new Error("Cannot build the files: the worker failed");
  return { report: JSON.parse(new TextDecoder().decode(stdout)), peakMb };
}
