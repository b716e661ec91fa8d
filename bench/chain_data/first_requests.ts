/** Many concurrent first requests for one series: how often upstream is called. */
import { startSimnet } from "../../simnet/start.ts";
import { startService } from "../../tests/support/processes/service.ts";
import { connect, getRequest } from "../measure/connection.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { NO_JOBS } from "./filled_database.ts";

const REQUESTS = 500;

/** Counts the upstream calls that 500 concurrent first requests cause. */
export async function measureFirstRequests(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  await using simnet = startSimnet();
  await using service = await startService({
    KV_PATH: ":memory:",
    METRICS_API_URL: simnet.urls.metricsApi,
    ...NO_JOBS,
  });
  let maxFetches = 0;
  let slowestMs = 0;
  for (const metric of short ? ["txCount"] : ["txCount", "gasUsed", "maxTps"]) {
    const url =
      `${service.url}/api/chain-data/metrics?range=all&metric=${metric}`;
    const connections = await Promise.all(
      Array.from({ length: REQUESTS }, () => connect(url)),
    );
    const startedAt = performance.now();
    await Promise.all(connections.map(async (connection) => {
      using _ = connection;
      const { status, head } = await connection.ask(getRequest(url));
      if (status !== 200) throw new Error(`Cannot use ${url}: ${head}`);
    }));
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    const pages = simnet.calls.metricsApi.map(({ path }) => path)
      .filter((path) => path.includes(`/metrics/${metric}?`));
    const fetches = Map.groupBy(pages, (path) => path).values()
      .map((same) => same.length);
    maxFetches = Math.max(maxFetches, ...fetches);
  }
  const name = `${REQUESTS} first requests at once`;
  return [
    {
      name: `${name}, fetches of a page`,
      unit: "",
      value: maxFetches,
      peer: null,
      target: { of: "value", is: "=", than: 1 },
    },
    {
      name: `${name}, all answered`,
      unit: "ms",
      value: slowestMs,
      peer: null,
      target: null,
    },
  ];
}
