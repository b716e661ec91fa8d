/** Growth with the number of wallets: scores requested by 1 to 10,000 keys in turn. */
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

/** Window of the burst limit per wallet, so that each log is about as long as at its real limit. */
const BURST_MS = 2;
const MAX_BURST_MS = 60_000;

/** Largest ratio when there are too many callers to cache, so that they are read from the database. */
const MAX_RATIO = 10;

/** Measures the CPU time of a score by the number of wallets. */
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
    // Different callers for each count: every service restarts its clock, so it must not meet newer records.
    const callers = database.callers.slice(first, first + count);
    first += count;
    const burstMs = Math.min(BURST_MS * count, MAX_BURST_MS);
    await using service = await startKeyedService(database.settings, {
      burstMs,
    });
    const { url, process: { pid } } = service;
    const side = sideOf({ url, pids: [pid] }, callers);
    // Twice, so that caller and signals are cached.
    for (let time = 0; time < 2; time++) {
      await askEach(url, side.requests, { connections: CONNECTIONS });
    }
    points.push(...await cpuCurve(new Map([[count, side]]), plan));
  }
  const growth = {
    name: "keyed score, CPU time",
    of: "wallets",
    unit: "us",
    most: MAX_RATIO,
  };
  return [curveOf(growth, points)];
}
