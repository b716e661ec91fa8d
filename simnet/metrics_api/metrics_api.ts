/** The Metrics API: chains, their series and the staking series. */
import { Hono } from "hono";
import { z } from "zod";
import { C_CHAIN_ID, type Chain, listChains } from "../chains.ts";
import { dayAt } from "../series/days.ts";
import { LAG_DAYS, type Series, seriesPublisher } from "./published_series.ts";
import { answerError, parse, refuse } from "./metrics_errors.ts";
import { answerPage, readHistoryQuery, readPosition } from "./metrics_pages.ts";
import { pageToken } from "./page_tokens.ts";
import {
  type Bucket,
  hasRollup,
  type Interval,
  rollUp,
} from "../series/rollups.ts";
import { type Metric, METRICS } from "../series/series.ts";
import {
  listStaking,
  PRIMARY_SUBNET_ID,
  STAKING_METRICS,
  type StakingMetric,
} from "../series/staking.ts";

/** Options of the simulated Metrics API. */
export interface MetricsApiOptions {
  /** The clock. The newest published day is two days before it. */
  readonly now: () => Date;
  /** Number of chains. */
  readonly chains?: number;
  /** Milliseconds after midnight at which a day is published; 0 by default. */
  readonly publishesAtMs?: number;
  /** Milliseconds by which a chain publishes later than the others; 0 by default. */
  readonly lateBy?: (chainId: number) => number;
  /** Maximum number of chains on a page. */
  readonly chainPageSize?: number;
}

const MAX_CHAIN_PAGE_SIZE = 10_000;

const chainsQuery = z.object({
  network: z.enum(["mainnet", "testnet", "fuji"]).default("mainnet"),
  pageToken: z.string().optional(),
});
const stakingMetric = z.enum(Object.keys(STAKING_METRICS) as StakingMetric[]);

/** Returns a handler that answers like the Metrics API. */
export function metricsApi(
  options: MetricsApiOptions,
): (request: Request) => Promise<Response> {
  const {
    now,
    publishesAtMs = 0,
    lateBy = () => 0,
    chainPageSize = MAX_CHAIN_PAGE_SIZE,
  } = options;
  const chains = listChains(options.chains);
  const publishSeries = seriesPublisher();

  /** Returns the day up to which a chain has published, as if it were today. */
  function publishingDay(chainId: number): number {
    return dayAt(now().getTime() - publishesAtMs - lateBy(chainId));
  }

  function findChain(id: string): Chain {
    const chain = chains.find(({ evmChainId }) => `${evmChainId}` === id);
    return chain ?? refuse(404, "Chain not found");
  }

  const app = new Hono();

  app.get("/v2/chains", (c) => {
    const query = parse(chainsQuery, c.req.query());
    const listed = query.network === "mainnet" ? chains : [];
    const from = readPosition("chains", query.pageToken) ?? 0;
    const next = from + chainPageSize;
    return c.json({
      chains: listed.slice(from, next).map(describeChain),
      ...(next < listed.length &&
        { nextPageToken: pageToken("chains", next) }),
    });
  });

  app.get("/v2/chains/:id", (c) => {
    return c.json(describeChain(findChain(c.req.param("id"))));
  });

  app.get("/v2/chains/:id/metrics/:metric", (c) => {
    const chain = findChain(c.req.param("id"));
    const metric = parse(z.enum(METRICS), c.req.param("metric"), "metric");
    const query = readHistoryQuery(c.req.query());
    const series = publishSeries(
      chain,
      metric,
      publishingDay(chain.evmChainId),
    );
    if (series === null) return c.json({ results: null });
    const buckets = bucketsOf(series, metric, query.timeInterval);
    return answerPage(c.req.path, buckets, query);
  });

  app.get("/v2/networks/mainnet/metrics/:metric", (c) => {
    const metric = parse(stakingMetric, c.req.param("metric"), "metric");
    const query = readHistoryQuery(c.req.query());
    const { subnetId = PRIMARY_SUBNET_ID } = c.req.query();
    const newestDay = publishingDay(C_CHAIN_ID) - LAG_DAYS;
    const buckets = subnetId === PRIMARY_SUBNET_ID
      ? listStaking(metric, newestDay)
      : [];
    return answerPage(c.req.path, buckets, query);
  });

  app.notFound((c) => refuse(404, `Cannot ${c.req.method} ${c.req.path}`));
  app.onError(answerError);
  return async (request) => await app.fetch(request);
}

function describeChain(chain: Chain): Record<string, string | number> {
  const { evmChainId, chainName, blockchainId, subnetId } = chain;
  return { evmChainId, chainName, blockchainId, subnetId, network: "mainnet" };
}

function bucketsOf(
  series: Series,
  metric: Metric,
  interval: Interval,
): Bucket[] {
  if (interval === "day") {
    return Array.from(
      series.values,
      (value, index) => ({ day: series.firstDay + index, value }),
    ).filter(({ value }) => !Number.isNaN(value));
  }
  if (!hasRollup(metric)) refuse(400, "timeInterval must be day");
  return rollUp(series, metric, interval);
}
