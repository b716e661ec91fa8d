/** Metrics that lack a day for which upstream has just published the chain's `txCount`. */
import { HOUR_MS } from "../../platform/days.ts";
import type { ChainDataDeps } from "../deps.ts";
import type { MetricsSeriesId } from "../catalogue/series_id.ts";

/** Time within which upstream publishes the other metrics of a day after the chain's `txCount`. */
const METRIC_LATE_MS = 2 * HOUR_MS;

/** Returns whether a metric lacks the newest day of the chain's `txCount`, and that day is new. */
export async function isDayMissing(
  { store, upstream, now }: Pick<ChainDataDeps, "now" | "store" | "upstream">,
  id: MetricsSeriesId,
): Promise<boolean> {
  const { subject } = id;
  if (typeof subject !== "number" || id.metric === "txCount") return false;
  const [state, txCount] = await store.series.listStates(
    [id, { subject, metric: "txCount" }],
    upstream.metrics.baseUrl,
  );
  if (!state || !txCount || txCount.newestAt === null) return false;
  return state.newestDay !== null && state.newestDay < txCount.newestDay! &&
    now().getTime() - txCount.newestAt < METRIC_LATE_MS;
}
