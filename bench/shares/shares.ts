/** Cold reads of a Scale customer and checks of payments, while 50 free wallets of 50 networks read at full speed. */
import { createApiKey } from "../../services/accounts/api_keys.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps } from "../../services/deps.ts";
import { type PlanName, USDC } from "../../services/payments/plans_schema.ts";
import {
  PAYMENTS,
  readerCallOptions,
} from "../../services/platform/rate_limit/call_budget.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { startService } from "../../tests/support/processes/service.ts";
import { MAX_REQUESTS, NO_JOBS } from "../chain_data/filled_database.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { percentile } from "../measure/statistics.ts";
import { makeFolder } from "../scores/storage.ts";
import { type Client, serveFor } from "./flood.ts";

const FREE_WALLETS = 50;

/** Length of each phase, in the full and in the short run. */
const PHASE_MS = 300_000;
const SHORT_MS = 40_000;

/** Pause of the customer after each cold read, and between two checks of payments. */
const REST_MS = 1_500;

/** Measures the customer alone, and then under the flood. */
export async function measureShares(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const phaseMs = short ? SHORT_MS : PHASE_MS;
  const folder = await makeFolder({ folder: null });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const simnet = stack.use(startSimnet());
  const settings = {
    ...settingsOf(simnet),
    KV_PATH: `${folder}/shares.sqlite3`,
    TRUSTED_PROXY_HOPS: "1",
    FAIR_USE_PER_MINUTE: MAX_REQUESTS,
    ...NO_JOBS,
  };
  const kv = stack.use(await Deno.openKv(settings.KV_PATH));
  const deps = openDeps(readConfig(settings), {
    kv,
    fetch,
    now: () => new Date(),
    write: () => {},
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const customer = await newReader(deps, {
    plan: "scale",
    nth: 0,
    restMs: REST_MS,
  });
  const free = await Promise.all(
    Array.from(
      { length: FREE_WALLETS },
      (_, nth) => newReader(deps, { plan: "free", nth: 1 + nth, restMs: 0 }),
    ),
  );
  const service = stack.use(await startService(settings));
  const { url } = service;
  await serveFor(url, [customer], 2_000);
  const quiet = await phase(deps, url, [customer], phaseMs);
  const flooded = await phase(deps, url, [customer, ...free], phaseMs);
  return [
    {
      name: "cold reads of a Scale customer in a flood, answered",
      value: percentOf(flooded.customer.statuses),
      unit: "%",
      peer: null,
      target: { of: "value", is: "=", than: 100 },
    },
    {
      name: "cold reads of a Scale customer in a flood, p99",
      value: percentile(flooded.customer.times, 99),
      unit: "ms",
      peer: percentile(quiet.customer.times, 99),
      target: { of: "ratio", is: "<", than: 2 },
    },
    {
      name: "cold reads of a Scale customer in a flood, median",
      value: percentile(flooded.customer.times, 50),
      unit: "ms",
      peer: percentile(quiet.customer.times, 50),
      target: null,
    },
    {
      name: "checks of payments in a flood, p99",
      value: percentile(flooded.checks, 99),
      unit: "ms",
      peer: percentile(quiet.checks, 99),
      target: null,
    },
    {
      name: "requests of the flood",
      value: flooded.others,
      unit: "",
      peer: null,
      target: null,
    },
  ];
}

/** Serves clients for a time, of whom the first is the customer, and checks payments meanwhile. */
async function phase(
  deps: Deps,
  url: string,
  clients: readonly Client[],
  ms: number,
) {
  const [[customer, ...others], checks] = await Promise.all([
    serveFor(url, clients, ms),
    checkPayments(deps, ms),
  ]);
  const requests = others.reduce((sum, { times }) => sum + times.length, 0);
  return { customer: customer!, others: requests, checks };
}

/** Reads a transaction again and again, as a claim does; returns the times in ms. Throws if a check fails. */
async function checkPayments(deps: Deps, ms: number): Promise<number[]> {
  const until = performance.now() + ms;
  const times: number[] = [];
  const [node] = deps.upstream.transfers;
  while (performance.now() < until) {
    const startedAt = performance.now();
    await node!.readTransaction(
      `0x${"5e".repeat(32)}`,
      { token: USDC, to: `0x${"7e".repeat(20)}` },
      readerCallOptions(PAYMENTS),
    );
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return times;
}

/** Makes a client that reads addresses that nobody has scored. */
async function newReader(
  deps: Deps,
  { plan, nth, restMs }: { plan: PlanName; nth: number; restMs: number },
): Promise<Client> {
  const wallet = `0x${(nth + 1).toString(16).padStart(40, "0")}`;
  const created = await createApiKey(deps, { wallet, name: "bench" });
  if (plan !== "free") {
    const at = deps.now().getTime();
    const paidUntil = at + 30 * DAY_MS;
    await deps.store.payments.grant(wallet, { at, plan, paidUntil });
  }
  let reads = 0;
  return {
    next() {
      const bytes = `${nth.toString(16)}f${(reads++).toString(16)}`;
      return `/api/v1/score/0x${bytes.padStart(40, "0")}`;
    },
    headers: {
      "X-Api-Key": created!.key,
      "X-Forwarded-For": `198.51.100.${nth}`,
    },
    restMs,
  };
}

function percentOf(statuses: readonly number[]): number {
  const answered = statuses.filter((status) => status === 200).length;
  return 100 * answered / statuses.length;
}
