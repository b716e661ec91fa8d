/** Warm scores of the keyed API, compared with a peer that checks key, burst and period, too. */
import { askOnce, getRequest } from "../measure/connection.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { type BenchCaller, fillCallers } from "./keyed_callers.ts";
import { findMissingTool, startKeyedPeer } from "./keyed_peer.ts";
import { startKeyedService } from "./keyed_service.ts";
import {
  compareSides,
  coreUsage,
  planFor,
  type Rounds,
  takeTurns,
} from "../measure/round.ts";
import { STORAGES } from "./storage.ts";

/** Number of wallets with one key each, in the full and in the short run. */
const MANY = { full: 1_000, short: 300 };

/** Window of the burst limit per wallet, so that each log is about as long as at its real limit. */
const BURST_MS = 2;

/** Measures requests per second and latency of both sides in alternating rounds. */
export async function measureKeyed(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const missing = await findMissingTool();
  if (missing !== null) {
    // deno-lint-ignore no-console
    console.log(`keyed: skipped, ${missing} is not installed`);
    return [];
  }
  const many = short ? MANY.short : MANY.full;
  const variants = [
    { name: "keyed, 1 key", wallets: 1, least: 2 },
    { name: `keyed, ${many} wallets`, wallets: many, least: 1.3 },
  ];
  const measurements: Measurement[] = [];
  const all: Rounds[] = [];
  for (const storage of STORAGES) {
    for (const { name, wallets, least } of variants) {
      await using database = await fillCallers(wallets, storage);
      const { settings, callers } = database;
      const burstMs = BURST_MS * wallets;
      await using service = await startKeyedService(settings, { burstMs });
      const bodies = await warmUp(service.url, callers);
      await using peer = await startKeyedPeer(callers, bodies, storage);
      const rounds = await takeTurns([
        sideOf({ url: service.url, pids: [service.process.pid] }, callers),
        sideOf(peer, callers),
      ], planFor({ short }));
      measurements.push(...compareSides(`${name}, ${storage.name}`, rounds, {
        perSecond: { of: "ratio", is: ">=", than: least },
        p99Ms: { of: "ratio", is: "<=", than: 1 },
      }));
      all.push(rounds);
    }
  }
  return [...measurements, ...coreUsage("keyed", all)];
}

/** Returns a side whose callers request scores in turn. */
export function sideOf(
  { url, pids }: { readonly url: string; readonly pids: readonly number[] },
  callers: readonly BenchCaller[],
) {
  const requests = callers.map(({ key, address }) =>
    getRequest(`${url}/api/v1/score/${address}`, { "X-Api-Key": key })
  );
  return { url, pids, requests };
}

/** Requests each score twice, so that caller and signals are cached; returns the bodies. */
async function warmUp(
  url: string,
  callers: readonly BenchCaller[],
): Promise<string[]> {
  const bodies: string[] = [];
  for (const { key, address } of callers) {
    const headers = { "X-Api-Key": key };
    const endpoint = `${url}/api/v1/score/${address}`;
    await askOnce(endpoint, headers);
    const { body } = await askOnce(endpoint, headers);
    bodies.push(new TextDecoder().decode(body));
  }
  return bodies;
}
