/** Load of a server: as fast as it answers, or at a fixed rate. */
import { connect } from "./connection.ts";
import { percentile } from "./statistics.ts";

/** Number of connections, duration and rate. */
export interface LoadOptions {
  readonly connections: number;
  readonly ms: number;
  /** Requests due per second; by default each is due when its connection is free. */
  readonly ratePerSecond?: number | undefined;
}

/** The result of a load. */
export interface Load {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Loads a server with encoded requests in turn. Throws unless every status is 200.
 *
 * At a fixed rate, latency begins when the request was due, so a late answer
 * counts for all requests that wait for its connection.
 */
export async function load(
  url: string,
  requests: readonly Uint8Array[],
  { connections, ms, ratePerSecond }: LoadOptions,
): Promise<Load> {
  const latenciesMs: number[] = [];
  const opened = await Promise.all(
    Array.from({ length: connections }, () => connect(url)),
  );
  let sent = 0;
  const startedAt = performance.now();
  await Promise.all(opened.map(async (connection) => {
    using _ = connection;
    while (true) {
      const nth = sent++;
      const dueAt = ratePerSecond === undefined
        ? performance.now()
        : startedAt + nth / ratePerSecond * 1000;
      if (dueAt - startedAt >= ms) return;
      const askedAt = await waitUntil(dueAt);
      const request = requests[nth % requests.length]!;
      const { status, head } = await connection.ask(request);
      if (status !== 200) throw new Error(`Cannot load ${url}: ${head}`);
      latenciesMs.push(performance.now() - askedAt);
    }
  }));
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    answers: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
}

/** Waits for the time at which a request is due; returns the time from which its latency counts. */
async function waitUntil(dueAt: number): Promise<number> {
  const waitMs = dueAt - performance.now();
  if (waitMs <= 0) return dueAt;
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  // A timer that fires late is not the server's latency.
  return performance.now();
}

/** Sends each request once. Throws unless every status is 200. */
export async function askEach(
  url: string,
  requests: readonly Uint8Array[],
  { connections }: Pick<LoadOptions, "connections">,
): Promise<void> {
  // All connections share one iterator, so each request is sent once.
  const next = requests.values();
  await Promise.all(Array.from({ length: connections }, async () => {
    using connection = await connect(url);
    for (const request of next) {
      const { status, head } = await connection.ask(request);
      if (status !== 200) throw new Error(`Cannot use ${url}: ${head}`);
    }
  }));
}
