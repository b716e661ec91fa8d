/** What hostile requests cost: no single one may hold a core for long. */
import process from "node:process";
import { sampleHostile } from "../tests/support/hostile/hostile_sample.ts";
import type { HostileRequest } from "../tests/support/hostile/hostile_requests.ts";
import {
  type HostileService,
  hostileService,
} from "../tests/support/hostile/hostile_service.ts";
import type { BenchmarkOptions, Measurement } from "./measure/measurement.ts";

/** Requests of each kind. */
const MOST = 3_400;
const FEW = 250;

/** CPU that one request may take, in ms. */
const MOST_MS = 50;

/** A request that took as many ms is sent again, so often in all: the least is its own. */
const DEAR_MS = 2;
const TIMES = 5;

/** Measures the CPU of requests that are refused; upstreams are in this process too. */
export async function measureHostile(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  using service = await hostileService();
  const requests = sampleHostile(service, { ofEach: short ? FEW : MOST });
  // What is loaded when it is first needed belongs to the start.
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
      name: `the dearest of ${refused.length} hostile requests`,
      value: Math.max(...refused),
      target: { of: "value", is: "<=", than: MOST_MS },
    },
    {
      ...measurement,
      name: "a hostile request, in the mean",
      value: mean,
      target: null,
    },
  ];
}

/**
 * Measures what a request takes by itself. The collector, the compiler and what
 * else is at work come when they like, but not each time to the same request.
 */
async function measureLeast(service: HostileService, request: HostileRequest) {
  let least = await measure(service, request);
  for (let time = 1; time < TIMES && least.ms >= DEAR_MS; time++) {
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
