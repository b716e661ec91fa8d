/** A small database with downloadable files, and the files of it. */
import { appOf } from "../app.ts";
import type { TestDeps } from "../deps.ts";
import { filledDeps } from "../filled_deps.ts";
import { succeed } from "../jobs.ts";
import {
  type Metric,
  METRIC_NAMES,
  METRICS,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { findFile, readFile } from "../../../services/downloads/downloads.ts";
import type { Deps } from "../../../services/deps.ts";
import { sweep } from "./swept.ts";

/** Chains of the database: one starts late, one has a name that CSV and spreadsheets mistake. */
export const CHAINS = { 43114: "C-Chain", 4337: "Beam L1", 99: `=1+1,"x"` };

/** Tables: every metric in two years each, the chain list, the overview, four checked series, the documents. */
export const TABLES = METRIC_NAMES.length * 2 + 1 + 1 + 4 + 1;

/** How the test upstream names itself once it was read. */
export const SIMULATED =
  "simulated (simnet in place of the Avalanche Metrics API)";

const FIRST = "2025-12-20";
const DAYS = 336;

/** Fills the database as a sweep on 21 November 2026 does. `more` is added to the last value of a metric. */
export async function fill(
  deps: TestDeps,
  more: Partial<Record<Metric, number>> = {},
): Promise<void> {
  const metrics = { ...deps.upstream.metrics, source: SIMULATED };
  await sweep({ ...deps, upstream: { ...deps.upstream, metrics } }, {
    chains: CHAINS,
    published: Math.floor(Date.parse("2026-11-20") / 864e5),
    valuesOf(chainId, metric) {
      const values = Array.from({ length: DAYS }, (_, nth) => {
        // A gap.
        if (chainId === 4337 && nth === 40) return null;
        const value = 1000 + ((chainId * 31 + nth * 7919) % 997);
        return METRICS[metric].unit === "avax" ? value / 8 : value;
      });
      values[DAYS - 1]! += more[metric] ?? 0;
      return { from: FIRST, values };
    },
  });
}

/** Finds a stored file. */
export async function fileOf(deps: Deps, name: string) {
  return (await findFile(deps, name)).file;
}

/** Reads a whole file. */
export async function bytesOfFile(
  deps: Deps,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = await fileOf(deps, name);
  const parts = readFile(deps, file, { start: 0, end: file.bytes - 1 });
  return await new Response(ReadableStream.from(parts)).bytes();
}

/** Counts the records under a prefix. */
export async function countRecords(kv: Deno.Kv, prefix: Deno.KvKey) {
  return (await Array.fromAsync(kv.list({ prefix }))).length;
}

/** A Parquet file that `buildDownloads` releases. */
export const PARQUET = "/downloads/txCount-2026.parquet";

/** Opens deps whose first release is built. */
export const buildDownloads = () => filledDeps(build);

async function build(deps: TestDeps): Promise<void> {
  await fill(deps);
  await succeed(deps, "build-downloads");
}

/** Requests a path of the service. */
export const askFor = (deps: TestDeps, path: string, init: RequestInit = {}) =>
  appOf(deps).request(path, init);
