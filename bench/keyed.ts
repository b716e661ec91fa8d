/** Warm scores of the keyed API against a peer that does the same: key, burst, period, stored body. */
import { askOnce, getRequest } from "./connection.ts";
import type { Figure, Run } from "./figure.ts";
import { type BenchCaller, fillCallers } from "./keyed_callers.ts";
import { findMissingTool, startKeyedPeer } from "./keyed_peer.ts";
import { startKeyedService } from "./keyed_service.ts";
import { coresOf, mediansOf, type Rounds, takeTurns } from "./round.ts";

/** What is measured: everything by one key, or by one key each of many wallets in turn. */
const VARIANTS = [
  { name: "keyed, 1 key", wallets: 1, burstMs: 2, least: 2 },
  { name: "keyed, 1000 wallets", wallets: 1_000, burstMs: 2_000, least: 1.3 },
] as const;

/** Measures requests a second and latency of either side, in turns. */
export async function measureKeyed({ short }: Run): Promise<Figure[]> {
  const missing = await findMissingTool();
  if (missing !== null) {
    // deno-lint-ignore no-console
    console.log(`keyed is left out: there is no ${missing} here`);
    return [];
  }
  const plan = short ? { rounds: 3, ms: 500 } : { rounds: 9, ms: 800 };
  const figures: Figure[] = [];
  const all: Rounds[] = [];
  for (const { name, wallets, burstMs, least } of VARIANTS) {
    await using database = await fillCallers(wallets);
    const { settings, callers } = database;
    await using service = await startKeyedService(settings, { burstMs });
    const bodies = await warmUp(service.url, callers);
    await using peer = await startKeyedPeer(callers, bodies);
    const rounds = await takeTurns([
      sideOf({ url: service.url, pids: [service.process.pid] }, callers),
      sideOf(peer, callers),
    ], plan);
    figures.push(
      {
        name,
        unit: "/s",
        ...mediansOf(rounds, "perSecond"),
        wanted: { of: "ratio", is: ">=", than: least },
      },
      {
        name: `${name}, p99`,
        unit: "ms",
        ...mediansOf(rounds, "p99Ms"),
        wanted: { of: "ratio", is: "<=", than: 1 },
      },
      {
        name: `${name}, CPU time`,
        unit: "us",
        ...mediansOf(rounds, "cpuUs"),
        wanted: null,
      },
    );
    all.push(rounds);
  }
  return [...figures, ...coresOf("keyed", all)];
}

function sideOf(
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
