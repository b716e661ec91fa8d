/** The environment of a soak: two services on one database, embedded upstreams, and callers with keys. */
import {
  C_CHAIN,
  STORED_METRICS,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { refreshChains } from "../../services/chain_data/catalogue/chains.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps } from "../../services/deps.ts";
import { jobCallOptions } from "../../services/platform/rate_limit/call_budget.ts";
import { fetchNewDays } from "../../services/chain_data/checks/explorer_series.ts";
import {
  EXPLORER_METRICS,
  type MetricsSeriesId,
  STAKING_METRICS,
} from "../../services/chain_data/catalogue/series_id.ts";
import { refreshSeries } from "../../services/chain_data/series/series_reader.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { ANOMALY_CHAIN_IDS } from "../../simnet/series/anomalies.ts";
import { SIGNING } from "../../tests/support/attestations.ts";
import {
  freePort,
  type RunningService,
  startProgram,
  untilAnswers,
} from "../../tests/support/processes/service.ts";
import { withoutBudget } from "../chain_data/filled_database.ts";
import { addCaller, type BenchCaller } from "../scores/keyed_callers.ts";

/** Simulated chains, and the number of chains whose series are stored at the start. */
const CHAINS = 200;
const STORED_CHAINS = 8;

const SERVICES = 2;

/** Permissions of every process, on any database and port. */
export const PERMISSIONS = [
  "--allow-net",
  "--allow-env",
  "--allow-read",
  "--allow-write",
  "--allow-sys=statfs",
];

/** The environment of a soak. Disposing it stops the processes and deletes the files. */
export interface Environment extends AsyncDisposable {
  readonly services: readonly RunningService[];
  /** Settings of every process that uses the database. */
  readonly settings: Readonly<Record<string, string>>;
  readonly publicUrl: string;
  /** Dependencies on the same database, for this process. */
  readonly deps: Deps;
  readonly kv: Deno.Kv;
  readonly callers: readonly BenchCaller[];
  /** Chains whose series are stored, and chains whose series must be fetched. */
  readonly storedChains: readonly number[];
  readonly newChains: readonly number[];
}

/** Starts an environment with this many callers. */
export async function openEnvironment(
  callerCount: number,
): Promise<Environment> {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "firn_soak_" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const simnet = stack.use(startSimnet({ chains: CHAINS }));
  const publicUrl = "http://firn.test";
  const settings = {
    KV_PATH: `${folder}/soak.sqlite3`,
    PUBLIC_URL: publicUrl,
    TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
    ...SIGNING,
    ...settingsOf(simnet),
  };
  const kv = stack.use(await Deno.openKv(settings.KV_PATH));
  const deps = openDeps(readConfig(settings), {
    kv,
    fetch,
    now: () => new Date(),
    write: () => {},
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const chains = await fillSeries(withoutBudget(deps, fetch));
  const callers: BenchCaller[] = [];
  for (let nth = 0; nth < callerCount; nth++) {
    callers.push(await addCaller(deps, nth));
  }
  const services: RunningService[] = [];
  for (let nth = 0; nth < SERVICES; nth++) {
    services.push(stack.use(await startSoakService(settings)));
  }
  const parts = stack.move();
  return {
    services,
    settings,
    publicUrl,
    deps,
    kv,
    callers,
    ...chains,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function fillSeries(deps: Deps) {
  const { chains } = await refreshChains(deps, jobCallOptions());
  // One chain lacks a metric, which is correctly a 503.
  const others = chains.map(({ chainId }) => chainId)
    .filter((id) => id !== C_CHAIN && id !== ANOMALY_CHAIN_IDS.nullAddresses);
  const storedChains = [C_CHAIN, ...others.splice(0, STORED_CHAINS - 1)];
  const stored: MetricsSeriesId[] = [
    ...storedChains.flatMap((subject) =>
      STORED_METRICS.map((metric) => ({ subject, metric }))
    ),
    ...STAKING_METRICS.map((metric) => ({
      subject: "primary-network" as const,
      metric,
    })),
  ];
  for (const id of stored) await refreshSeries(deps, id, jobCallOptions());
  for (const metric of EXPLORER_METRICS) {
    await fetchNewDays(deps, metric, jobCallOptions);
  }
  return { storedChains, newChains: others };
}

/** Starts a service that prints the size of its heap regularly. */
async function startSoakService(
  settings: Environment["settings"],
): Promise<RunningService> {
  const port = freePort();
  const running = startProgram([
    "run",
    ...PERMISSIONS,
    "--v8-flags=--expose-gc",
    "--preload=bench/soak/log_heap.ts",
    "main.ts",
  ], { ...settings, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/api/chain-data`, running);
  return { ...running, url };
}
