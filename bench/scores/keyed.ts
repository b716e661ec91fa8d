/** Warm scores of the keyed API against a peer that does the same: key, burst, period, stored body. */
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

/** Wallets that one key each asks for in turn. */
const MANY = { full: 1_000, short: 300 };

/** A wallet's share of the burst's log: together as many entries as at the real limit. */
const BURST_MS = 2;

/** Measures requests a second and latency of either side, in turns. */
export async function measureKeyed(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const missing = await findMissingTool();
  if (missing !== null) {
    // deno-lint-ignore no-console
    console.log(`keyed is left out: there is no ${missing} here`);
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

/** Returns a side on which every caller asks for a score in turn. */
export function sideOf(
  { url, pids }: { readonly url: string; readonly pids: readonly number[] },
  callers: readonly BenchCaller[],
) {
  const requests = callers.map(({ key, address }) =>
    getRequest(`${url}/api/v1/score/${address}`, { "X-Api-Key": key })
  );
  return { url, pids, requests };
}

/** Asks for each score as often as it takes to know caller and address; returns the bodies. */
async function warmUp(
  url: string,
  callers: readonly BenchCaller[],
): Promise<string[]> {
  const bodies: string[] = [];
  for (const { key, address } of callers) {
    const headers = { "X-Api-Key": key };
    const target = `${url}/api/v1/score/${address}`;
    await askOnce(target, headers);
    const { body } = await askOnce(target, headers);
    bodies.push(new TextDecoder().decode(body));
  }
  return bodies;
}
