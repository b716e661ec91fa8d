/** The answer of `GET /revisions`, read from the store. */
import { findChains } from "../catalogue/chains.ts";
import type { ReadDeps, StoredSeriesDeps } from "./deps.ts";
import {
  C_CHAIN,
  METRICS,
  STORED_METRICS,
  type StoredMetric,
} from "../catalogue/metrics_schema.ts";
import type { CacheableAnswer } from "../../platform/cache.ts";
import { formatDay } from "../../platform/days.ts";
import { listRevisions, type Revision } from "./revision_log.ts";
import type { RevisionsAnswer, RevisionsQuery } from "./revisions_schema.ts";
import { storedIdOf } from "../catalogue/series_id.ts";
import { findSeries } from "./series_reader.ts";
import { instantOf } from "./vintages.ts";
import { maxOf } from "../../platform/numbers.ts";

/** A revision of a metric of a chain. */
interface MetricRevision extends Revision {
  readonly metric: StoredMetric;
  readonly chainId: number;
}

/** Reads the revisions of chains, the last seen first; of a derived metric those of its running total. Throws a fault if a chain is unknown. */
export async function readRevisions(
  deps: ReadDeps,
  query: RevisionsQuery,
): Promise<CacheableAnswer<RevisionsAnswer>> {
  const { chainId = C_CHAIN, chainIds, metric, limit } = query;
  const now = deps.now().getTime();
  const since = instantOf("since", query.since, now) ?? -Infinity;
  const metrics = metric === undefined
    ? STORED_METRICS
    : [storedIdOf({ chainId, metric }).metric];
  const ids = chainIds ?? [chainId];
  const [chains, found] = await Promise.all([
    findChains(deps, ids),
    Promise.all(
      ids.flatMap((id) => metrics.map((metric) => listOf(deps, id, metric))),
    ),
  ]);
  const names = new Map(
    chains.map(({ chainId, chainName }) => [chainId, chainName]),
  );
  const all = found.flat();
  const isAsked = isAfter(query.cursor);
  const asked = all.filter((revision) =>
    revision.seenAt > since && isIn(query, formatDay(revision.day)) &&
    isAsked(revision)
  ).sort(compare);
  const revisions = asked.slice(0, limit);
  return {
    answer: {
      chainId: chainIds ? null : chainId,
      chainName: chainIds ? null : chains[0]!.chainName,
      count: revisions.length,
      revisions: revisions.map((revision) =>
        show(revision, names.get(revision.chainId)!)
      ),
      nextCursor: asked.length > limit ? cursorOf(revisions.at(-1)!) : null,
    },
    fetchedAt: now,
    changedAt: all.length === 0 ? null : maxOf(all.map(({ seenAt }) => seenAt)),
  };
}

async function listOf(
  deps: Pick<StoredSeriesDeps, "store" | "upstream">,
  chainId: number,
  metric: StoredMetric,
): Promise<MetricRevision[]> {
  const stored = await findSeries(deps, { subject: chainId, metric });
  if (stored === null) return [];
  return listRevisions(stored)
    .map((revision) => ({ ...revision, metric, chainId }));
}

/** A place in the order of revisions: instant, day, number of the metric, and chain. */
type Place = readonly [
  seenAt: number,
  day: number,
  metric: number,
  chainId: number,
];

function placeOf({ seenAt, day, metric, chainId }: MetricRevision): Place {
  return [seenAt, day, STORED_METRICS.indexOf(metric), chainId];
}

/** Orders revisions: the last seen first, then the newest day, then the metric and the chain. */
function compare(a: MetricRevision, b: MetricRevision): number {
  return comparePlaces(placeOf(a), placeOf(b));
}

function comparePlaces(a: Place, b: Place): number {
  return b[0] - a[0] || b[1] - a[1] || a[2] - b[2] || a[3] - b[3];
}

function cursorOf(revision: MetricRevision): string {
  return placeOf(revision).join(".");
}

function isAfter(
  cursor: string | undefined,
): (revision: MetricRevision) => boolean {
  if (cursor === undefined) return () => true;
  const [seenAt, day, metric, chainId] = cursor.split(".").map(Number);
  const last: Place = [seenAt!, day!, metric!, chainId!];
  return (revision) => comparePlaces(placeOf(revision), last) > 0;
}

function isIn(
  { from = "", to = "9999-12-31" }: RevisionsQuery,
  day: string,
): boolean {
  return from <= day && day <= to;
}

function show(
  { day, metric, from, to, seenAt, cause, chainId }: MetricRevision,
  chainName: string,
): RevisionsAnswer["revisions"][number] {
  return {
    day: formatDay(day),
    metric,
    oldValue: from,
    newValue: to,
    unit: METRICS[metric].unit,
    cause,
    seenAt: new Date(seenAt).toISOString(),
    chainId,
    chainName,
  };
}
