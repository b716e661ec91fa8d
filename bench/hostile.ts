/** CPU time of hostile requests: no single one may block a core. */
import process from "node:process";
import { sampleHostile } from "../tests/support/hostile/hostile_sample.ts";
import type { HostileRequest } from "../tests/support/hostile/hostile_requests.ts";
import {
  type HostileService,
  hostileService,
} from "../tests/support/hostile/hostile_service.ts";
import type { BenchmarkOptions, Measurement } from "./measure/measurement.ts";

/** Requests of each kind, in the full and in the short run. */
const MOST = 3_400;
const FEW = 250;

/** Maximum CPU time of a request in ms. */
const MAX_MS = 50;

/** A request that took at least `SLOW_MS` is sent up to `TIMES` times; the least value counts. */
const SLOW_MS = 2;
const TIMES = 5;

/** Measures the CPU time of refused requests. It includes the upstreams, which run in this process. */
export async function measureHostile(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  using service = await hostileService();
  const requests = sampleHostile(service, { ofEach: short ? FEW : MOST });
  // Warm up: some modules are loaded on first use.
  for (const request of requests.slice(0, FEW)) await service.send(request);
  const refused: number[] = [];
  for (const request of requests) {
    const { status, ms } = await measureLeast(service, request);
    if (status >= 400) refused.push(ms);
  }
  const mean = refused.reduce((sum, ms) => sum + ms, 0) / refused.length;
  const measurement = { unit: "ms CPU", peer: null };
  return [
    {
      ...measurement,
      name: `most expensive of ${refused.length} hostile requests`,
      value: Math.max(...refused),
      target: { of: "value", is: "<=", than: MAX_MS },
    },
    {
      ...measurement,
      name: "hostile request, mean",
      value: mean,
      target: null,
    },
  ];
}

/**
 * Returns the least CPU time of several attempts. Garbage collection and compilation
 * do not hit the same request each time.
 */
async function measureLeast(service: HostileService, request: HostileRequest) {
  let least = await measure(service, request);
  for (let time = 1; time < TIMES && least.ms >= SLOW_MS; time++) {
    const { ms } = await measure(service, request);
    least = { ...least, ms: Math.min(least.ms, ms) };
  }
  return least;
}

async function measure(service: HostileService, request: HostileRequest) {
  const before = process.cpuUsage();
  const status = await service.send(request);
  const { user, system } = process.cpuUsage(before);
  return { status, ms: (user + system) / 1_000 };
}
