/** The open surface described for machines: what it has, and by which rules. */
import {
  type ChainDataAnswer,
  FORMATS,
  INTERVALS,
  METRIC_NAMES,
  METRICS,
  RANGE_NAMES,
} from "./contract/chain.ts";
import type { Dated } from "./dated.ts";
import type { Deps } from "./deps.ts";

const ENDPOINTS: ChainDataAnswer["endpoints"] = [
  { path: "/metrics", answers: "one metric of one chain" },
  { path: "/chains", answers: "the tracked mainnet chains" },
];

const RULES: readonly string[] = [
  "Days are UTC. A bucket is named by its first day; weeks start on Monday.",
  "range counts days back from today, today included. from and to are inclusive. The window is widened to whole buckets, so that no bucket is cut.",
  "complete is false for today and for the newest day upstream has published, which it is still adding up. A bucket is complete when every day in it is there and complete. Do not average over incomplete points.",
  "Weeks and months are folded here from the daily series, as aggregation says, never taken from upstream's own rollup.",
  "activeAddresses and activeSenders of a week or month are the mean of daily distinct counts, not the distinct count of the period.",
  "A metric with summable false must not be added up over a window.",
  "A day that upstream lacks inside an active chain's series is listed in gaps, never filled.",
  "A chain without transactions in the window answers zeroes; its running totals stay where they stood.",
  "Chains do not share a day axis: join series on the day, never on position.",
  "An upstream that is down is a 503, never a partial series; Cache-Control: max-stale accepts the last whole one.",
];

/** Describes the open surface. */
export function describeChainData(
  { now, upstream }: Pick<Deps, "now" | "upstream">,
): Dated<ChainDataAnswer> {
  const answer: ChainDataAnswer = {
    metrics: METRIC_NAMES.map((metric) => {
      const { fold, ...rule } = METRICS[metric];
      return { metric, ...rule, aggregation: fold, summable: fold === "sum" };
    }),
    endpoints: ENDPOINTS,
    parameters: {
      metric: METRIC_NAMES,
      range: RANGE_NAMES,
      interval: [...INTERVALS],
      format: [...FORMATS],
    },
    sources: [
      { name: "Avalanche Metrics API", url: upstream.metrics.baseUrl },
    ],
    rules: [...RULES],
  };
  return { answer, fetchedAt: now().getTime(), changedAt: null };
}
