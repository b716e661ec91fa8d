/** The service's dependencies for a test: a new database, a manual clock, embedded upstreams. */
import { callLog } from "../../services/accounts/call_log_store.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps, type Runtime } from "../../services/deps.ts";
import type { Telemetry } from "../../services/platform/observability/telemetry.ts";
import {
  asFetch,
  type SimnetOptions,
  simulateUpstreams,
  type Upstream,
  UPSTREAM_PATHS,
  type UpstreamName,
} from "../../simnet/upstreams.ts";
import { waitUntil } from "./wait_until.ts";

/** The time of a test's clock until the test moves it. */
export const START = "2026-11-21T08:00:00.000Z";

/** Database calls in sequence that storing the outcome of a call can take. */
const MAX_WRITES = 8;

/** Longer than the pauses of a write's first attempts after conflicts. */
const CONFLICT_PAUSE_MS = 50;

/** Dependencies whose clock and upstreams the test controls. */
export interface TestDeps extends Deps, Disposable {
  readonly kv: Deno.Kv;
  readonly upstreams: Record<UpstreamName, Upstream>;
  /** The lines of the log. */
  readonly lines: string[];
  /** Moves the clock. */
  advance(ms: number): void;
  /** Waits until upstream calls in flight have ended and their outcome is stored. */
  settle(): Promise<void>;
}

/** DNS records by name, without a trailing dot. */
export type Zones = Record<
  string,
  { readonly txt?: string[][]; readonly cname?: string[] }
>;

/** Options of test dependencies. */
export interface TestOptions extends Omit<SimnetOptions, "now"> {
  /** Time of the clock at the start, ISO 8601. */
  readonly start?: string;
  /** A database file; in memory by default. */
  readonly kvPath?: string;
  /** Settings in addition to those of the upstreams. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Replaces the embedded upstreams. */
  readonly fetch?: typeof fetch;
  /** Receives traces; they are dropped by default. */
  readonly telemetry?: Telemetry;
  /** Bounds the operations of the database; real time by default. */
  readonly stopwatch?: Runtime["stopwatch"];
  /** TXT and CNAME records; none by default. */
  readonly zones?: Zones;
}

/** Opens dependencies; sleeping moves the clock and takes no time. */
export async function testDeps(options: TestOptions = {}): Promise<TestDeps> {
  let ms = Date.parse(options.start ?? START);
  const now = () => new Date(ms);
  const lines: string[] = [];
  const upstreams = simulateUpstreams({ ...options, now });
  const send = options.fetch ?? asFetch(upstreams);
  let callsInFlight = 0;
  let sharedInFlight = 0;
  const kv = await Deno.openKv(options.kvPath ?? ":memory:");
  const config = readConfig({
    METRICS_API_URL: `http://metrics.test${UPSTREAM_PATHS.metricsApi}`,
    EXPLORER_API_URL: `http://explorer.test${UPSTREAM_PATHS.explorer}`,
    C_CHAIN_RPC_URL: `http://c-chain.test${UPSTREAM_PATHS.cChainRpc}`,
    P_CHAIN_RPC_URL: `http://p-chain.test${UPSTREAM_PATHS.pChainRpc}`,
    // Tests of payments buy plans that the public sources could not serve.
    COLD_READS_PERCENT: "0",
    ...options.settings,
  });
  const deps = openDeps(config, {
    kv,
    now,
    async fetch(input, init) {
      callsInFlight++;
      try {
        return await send(input, init);
      } finally {
        callsInFlight--;
      }
    },
    resolver: resolverOf(options.zones ?? {}),
    write: (line) => lines.push(line),
    ...options.telemetry && { telemetry: options.telemetry },
    ...options.stopwatch && { stopwatch: options.stopwatch },
    sleep: (forMs) => {
      ms += forMs;
      return Promise.resolve();
    },
  });
  return {
    ...deps,
    share: (key, work, client) =>
      deps.share(key, async () => {
        sharedInFlight++;
        try {
          return await work();
        } finally {
          sharedInFlight--;
        }
      }, client),
    // A busy machine must not show a page that waits.
    scorePatienceMs: 60_000,
    // Calls are written when they are read, so that no write outlives its test.
    callLog: callLog({ now, store: deps.store, everyMs: Infinity }),
    kv,
    upstreams,
    lines,
    advance: (byMs) => ms += byMs,
    async settle() {
      await waitUntil(() => callsInFlight + sharedInFlight === 0);
      // The database serves calls in turn: pending ones come before each of these.
      // A write that met a conflict waits for its next attempt meanwhile.
      for (let round = 0; round < MAX_WRITES; round++) {
        await kv.get(["settle"]);
      }
      await new Promise((resolve) => setTimeout(resolve, CONFLICT_PAUSE_MS));
      for (let round = 0; round < MAX_WRITES; round++) {
        await kv.get(["settle"]);
      }
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

/** Resolves names from records that the test may change later. */
function resolverOf(zones: Zones): Required<Runtime>["resolver"] {
  const find = <T>(name: string, records: T | undefined): Promise<T> =>
    records === undefined
      ? Promise.reject(new Deno.errors.NotFound(name))
      : Promise.resolve(records);
  const zone = (name: string) => zones[name.replace(/\.$/, "")];
  return {
    resolveTxt: (name) => find(name, zone(name)?.txt),
    resolveCname: (name) => find(name, zone(name)?.cname),
  };
}
