/** The answer of `GET /revisions`, read from the store. */
import { findChain } from "../chains.ts";
import type { ChainDataDeps } from "../deps.ts";
import { type Metric, METRIC_NAMES, METRICS } from "../metrics_schema.ts";
import type { CacheableAnswer } from "../../platform/cache/cacheable_answer.ts";
import { formatDay } from "../../platform/days.ts";
import { listRevisions, type Revision } from "./revision_log.ts";
import type { RevisionsAnswer, RevisionsQuery } from "./revisions_schema.ts";
import { findSeries } from "./series_reader.ts";
import { instantOf } from "./vintages.ts";

/** A revision of a metric. */
interface MetricRevision extends Revision {
  readonly metric: Metric;
}

/** Reads the revisions of a chain, the last seen first. Throws a fault if the chain is unknown. */
export async function readRevisions(
  deps: Pick<ChainDataDeps, "now" | "share" | "store" | "upstream">,
  query: RevisionsQuery,
): Promise<CacheableAnswer<RevisionsAnswer>> {
  const { chainId, metric, limit } = query;
  const now = deps.now().getTime();
  const since = instantOf("since", query.since, now) ?? -Infinity;
  const metrics = metric === undefined ? METRIC_NAMES : [metric];
  const [chain, found] = await Promise.all([
    findChain(deps, chainId),
    Promise.all(metrics.map((metric) => listOf(deps, chainId, metric))),
  ]);
  const all = found.flat();
  const isAsked = isAfter(query.cursor);
  const asked = all.filter((revision) =>
    revision.seenAt > since && isIn(query, formatDay(revision.day)) &&
    isAsked(revision)
  ).sort(compare);
  const revisions = asked.slice(0, limit);
  return {
    answer: {
      chainId,
      chainName: chain.chainName,
      count: revisions.length,
      revisions: revisions.map(show),
      nextCursor: asked.length > limit ? cursorOf(revisions.at(-1)!) : null,
    },
    fetchedAt: now,
    changedAt: all.length === 0
      ? null
      : Math.max(...all.map(({ seenAt }) => seenAt)),
  };
}

async function listOf(
  deps: Pick<ChainDataDeps, "store" | "upstream">,
  subject: number,
  metric: Metric,
): Promise<MetricRevision[]> {
  const stored = await findSeries(deps, { subject, metric });
  if (stored === null) return [];
  return listRevisions(stored).map((revision) => ({ ...revision, metric }));
}

/** A place in the order of revisions: instant, day and number of the metric. */
type Place = readonly [seenAt: number, day: number, metric: number];

function placeOf({ seenAt, day, metric }: MetricRevision): Place {
  return [seenAt, day, METRIC_NAMES.indexOf(metric)];
}

/** Orders revisions: the last seen first, then the newest day, then the metric. */
function compare(a: MetricRevision, b: MetricRevision): number {
  return comparePlaces(placeOf(a), placeOf(b));
}

function comparePlaces(a: Place, b: Place): number {
  return b[0] - a[0] || b[1] - a[1] || a[2] - b[2];
}

function cursorOf(revision: MetricRevision): string {
  return placeOf(revision).join(".");
}

function isAfter(
  cursor: string | undefined,
): (revision: MetricRevision) => boolean {
  if (cursor === undefined) return () => true;
  const [seenAt, day, metric] = cursor.split(".").map(Number);
  const last: Place = [seenAt!, day!, metric!];
  return (revision) => comparePlaces(placeOf(revision), last) > 0;
}

function isIn(
  { from = "", to = "9999-12-31" }: RevisionsQuery,
  day: string,
): boolean {
  return from <= day && day <= to;
}

function show(
  { day, metric, from, to, seenAt, cause }: MetricRevision,
): RevisionsAnswer["revisions"][number] {
  return {
    day: formatDay(day),
    metric,
    oldValue: from,
    newValue: to,
    unit: METRICS[metric].unit,
    cause,
    seenAt: new Date(seenAt).toISOString(),
  };
}
