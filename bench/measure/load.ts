/** Closed-loop load: each connection sends its next request when it has its answer. */
import { connect } from "./connection.ts";
import { percentile } from "./statistics.ts";

/** Number of connections and duration. */
interface LoadOptions {
  readonly connections: number;
  readonly ms: number;
}

/** The result of a load. */
export interface Load {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Loads a server with encoded requests in turn. Throws unless every status is 200. */
export async function load(
  url: string,
  requests: readonly Uint8Array[],
  { connections, ms }: LoadOptions,
): Promise<Load> {
  const latenciesMs: number[] = [];
  const opened = await Promise.all(
    Array.from({ length: connections }, () => connect(url)),
  );
  let sent = 0;
  const startedAt = performance.now();
  await Promise.all(opened.map(async (connection) => {
    using _ = connection;
    let askedAt = performance.now();
    while (askedAt - startedAt < ms) {
      const request = requests[sent++ % requests.length]!;
      const { status, head } = await connection.ask(request);
      if (status !== 200) throw new Error(`Cannot load ${url}: ${head}`);
      const answeredAt = performance.now();
      latenciesMs.push(answeredAt - askedAt);
      askedAt = answeredAt;
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
