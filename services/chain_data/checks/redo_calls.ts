/** The calls by which anybody repeats the comparison of a day. */
import type { SecondSourceDeps } from "./deps.ts";
import { parseDay, startOfDay } from "../../platform/days.ts";
import { CHECKS, INDEX_METRICS } from "../catalogue/check_rules_schema.ts";
import {
  C_CHAIN,
  derivationOf,
  type Metric,
} from "../catalogue/metrics_schema.ts";
import { storedIdOf } from "../catalogue/series_id.ts";
import type { DayPath } from "./day_proof.ts";

/** A call: what it answers, and its URL. */
export interface RedoCall {
  readonly answers: string;
  readonly url: string;
}

/** Daily statistics of the explorer index. */
const ACTIONS: Partial<Record<Metric, string>> = {
  txCount: "dailytx",
  feesPaid: "dailytxnfee",
};

/**
 * Lists the calls: first those of this service, then those of both sources.
 */
export function redoCalls(
  { series, chainId, day }: DayPath,
  { publicUrl, upstream }: Pick<SecondSourceDeps, "publicUrl" | "upstream">,
): RedoCall[] {
  const api = `${publicUrl}/api/chain-data`;
  if (series === "blocks" || series === "stake") {
    const { endpoint } = CHECKS[series];
    return [{
      answers: series === "blocks"
        ? "both values, and the four calls of a node that count the blocks"
        : "both values, ours and that of our own snapshot",
      url: `${api}/${endpoint}?from=${day}&to=${day}`,
    }];
  }
  const days = `metric=${series}&chainId=${chainId}`;
  const stored = storedIdOf({ chainId, metric: series }).metric;
  // A derived day is the difference of two totals, and one of them is its own.
  const derived = derivationOf(series);
  const from = parseDay(day) - (derived ? 1 - derived.includedAfterDays : 0);
  const [start, end] = [from, from + (derived ? 1 : 0)]
    .map((day) => startOfDay(day) / 1000);
  const second = secondUrl({ series, chainId, day }, upstream);
  return [
    {
      answers: "the value and how it compares",
      url: `${api}/metrics?${days}&from=${day}&to=${day}`,
    },
    {
      answers: "what changed afterwards",
      url: `${api}/revisions?${days}&from=${day}&to=${day}`,
    },
    {
      answers: "the first source",
      url: `${
        upstream.metrics.baseUrlOf({ subject: chainId }).replace(/\/$/, "")
      }/v2/chains/${chainId}/metrics/${stored}?timeInterval=day&startTimestamp=${start}&endTimestamp=${end}`,
    },
    ...second === null ? [] : [{
      answers: "the second source",
      url: second,
    }],
  ];
}

/** Returns the URL of the second source; null for a metric without one. */
function secondUrl(
  { series, chainId, day }: { series: Metric; chainId: number; day: string },
  { explorer, chainIndex }: SecondSourceDeps["upstream"],
): string | null {
  const action = ACTIONS[series];
  if (action !== undefined && chainId === C_CHAIN) {
    return `${explorer.baseUrl}?module=stats&action=${action}&startdate=${day}&enddate=${day}&sort=asc`;
  }
  const indexed = INDEX_METRICS.find((metric) => metric === series);
  return indexed === undefined
    ? null
    : chainIndex.urlOf(indexed, chainId, parseDay(day));
}
