/** Load: so many connections, each of which asks again as soon as it has its answer. */
import { connect, getRequest } from "./connection.ts";
import { percentile } from "./statistics.ts";

/** What is asked, by how many, and for how long. */
export interface LoadOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly ms: number;
}

/** What came of a load. */
export interface Load {
  readonly answers: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Puts a load on a URL; throws where an answer is no 200. */
export async function load(
  url: string,
  { headers, connections, ms }: LoadOptions,
): Promise<Load> {
  const request = getRequest(url, headers);
  const latenciesMs: number[] = [];
  const opened = await Promise.all(
    Array.from({ length: connections }, () => connect(url)),
  );
  const startedAt = performance.now();
  await Promise.all(opened.map(async (connection) => {
    using _ = connection;
    let askedAt = performance.now();
    while (askedAt - startedAt < ms) {
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
    p99Ms: percentile(latenciesMs, 99),
  };
}
