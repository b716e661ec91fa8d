/** The benchmarks: `deno task bench [--short] [name…]`. */
import { measureBadge } from "./scores/badge.ts";
import { measureCapacity } from "./scores/capacity.ts";
import { measureChains } from "./chain_data/chains.ts";
import { measureCold } from "./chain_data/cold.ts";
import type {
  Benchmark,
  BenchmarkOptions,
  Measurement,
} from "./measure/measurement.ts";
import { measureDownloads } from "./chain_data/downloads.ts";
import { fillDatabase } from "./chain_data/filled_database.ts";
import { measureFollowers } from "./followers.ts";
import { measureFreshness } from "./chain_data/freshness.ts";
import { measureFirstRequests } from "./chain_data/first_requests.ts";
import { measureHistory } from "./scores/history.ts";
import { measureHosted } from "./hosted.ts";
import { measureImports } from "./imports.ts";
import { measureHostile } from "./hostile.ts";
import { measureKeyed } from "./scores/keyed.ts";
import { measureRouteCosts } from "./route_costs.ts";
import { measureShares } from "./shares/shares.ts";
import { measureMcp } from "./mcp.ts";
import { measureMemory } from "./chain_data/memory.ts";
import { measureNeighbours } from "./shares/neighbours.ts";
import { measureRecordScores } from "./scores/record_scores.ts";
import { measureQuota } from "./scores/quota.ts";
import { curvesOf, jsonOf, tableOf } from "./measure/report.ts";
import { measureVintages } from "./chain_data/vintages.ts";
import { measureWallets } from "./scores/wallets.ts";
import { measureWarm } from "./chain_data/warm.ts";

/** The benchmarks by name, in the order in which they run. */
const BENCHMARKS: Record<string, Benchmark> = {
  "warm": measureWarm,
  "badge": measureBadge,
  "cold": measureCold,
  "vintages": measureVintages,
  "first-requests": measureFirstRequests,
  "freshness": measureFreshness,
  "memory": measureMemory,
  "downloads": measureDownloads,
  "quota": measureQuota,
  "keyed": measureKeyed,
  "history": measureHistory,
  "wallets": measureWallets,
  "capacity": measureCapacity,
  "chains": measureChains,
  "record-scores": measureRecordScores,
  "followers": measureFollowers,
  "imports": measureImports,
  "hostile": measureHostile,
  "shares": measureShares,
  "neighbours": measureNeighbours,
  "hosted": measureHosted,
  "mcp": measureMcp,
  "costs": measureRouteCosts,
};

/** Chains in the database, in the full and in the short run. */
const CHAINS = 200;
const FEW_CHAINS = 50;

const RESULTS = new URL("results.json", import.meta.url);

const short = Deno.args.includes("--short");
const named = Deno.args.filter((arg) => arg !== "--short");
const unknown = named.find((name) => !(name in BENCHMARKS));
if (unknown !== undefined) {
  const accepted = Object.keys(BENCHMARKS).join(", ");
  print(
    `Unknown benchmark "${unknown}": expected --short or one of ${accepted}`,
  );
  Deno.exit(2);
}

await using stack = new AsyncDisposableStack();
let filling: ReturnType<BenchmarkOptions["filled"]> | undefined;
const filled = () =>
  filling ??= timed(
    "fill a database",
    async () => stack.use(await fillDatabase(short ? FEW_CHAINS : CHAINS)),
  );
const measurements: Measurement[] = [];
for (const [name, measure] of Object.entries(BENCHMARKS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const run = { short, filled };
  measurements.push(...await timed(`measure ${name}`, () => measure(run)));
}
print(`\n${tableOf(measurements)}\n\n${curvesOf(measurements)}\n`);
await Deno.writeTextFile(RESULTS, jsonOf(measurements, { short }));

/** Runs a task and prints how long it took. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  print(`${what}: ${seconds.toFixed(1)} s`);
  return result;
}

function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}
