/** What more wallets cost: one key that asks for scores, to ten thousand of them in turn. */
import { cpuCurve, curveOf } from "../measure/curve.ts";
import type {
  BenchmarkOptions,
  CurvePoint,
  Measurement,
} from "../measure/measurement.ts";
import { sideOf } from "./keyed.ts";
import { fillCallers } from "./keyed_callers.ts";
import { askEach } from "../measure/load.ts";
import { CONNECTIONS, planFor } from "../measure/round.ts";
import { startKeyedService } from "./keyed_service.ts";

/** So many milliseconds of the burst's log a wallet: about as many entries as at the real limit. */
const BURST_MS = 2;
const LONGEST_BURST_MS = 60_000;

/** The most that a score may cost when a process has too many callers to remember: it is read anew then. */
const MOST_RATIO = 10;

/** Measures the CPU time of a score by the number of wallets that ask in turn. */
export async function measureWallets(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const plan = planFor({ short });
  const counts = short ? [1, 300] : [1, 10, 100, 1_000, 10_000];
  const all = counts.reduce((sum, count) => sum + count);
  await using database = await fillCallers(all);
  const points: CurvePoint[] = [];
  let first = 0;
  for (const count of counts) {
    // Each others: the clock of every service starts anew, before what the last one wrote.
    const callers = database.callers.slice(first, first + count);
    first += count;
    const burstMs = Math.min(BURST_MS * count, LONGEST_BURST_MS);
    await using service = await startKeyedService(database.settings, {
      burstMs,
    });
    const { url, process: { pid } } = service;
    const side = sideOf({ url, pids: [pid] }, callers);
    // As often as it takes to know caller and address.
    for (let time = 0; time < 2; time++) {
      await askEach(url, side.requests, { connections: CONNECTIONS });
    }
    points.push(...await cpuCurve(new Map([[count, side]]), plan));
  }
  const growth = {
    name: "keyed score, CPU time",
    of: "wallets",
    unit: "us",
    most: MOST_RATIO,
  };
  return [curveOf(growth, points)];
}
