/** The answer of `GET /metrics`: one metric of one chain, folded into buckets. */
import {
  derivationOf,
  METRICS,
  type MetricsAnswer,
  type MetricsQuery,
} from "../catalogue/metrics_schema.ts";
import type { Range } from "../catalogue/fields_schema.ts";
import { findChain } from "../catalogue/chains.ts";
import {
  type CacheableAnswer,
  type FreshnessOptions,
  UPSTREAM_FRESH_MS,
} from "../../platform/cache.ts";
import type { ReadDeps } from "./deps.ts";
import {
  countInferred,
  type DayWindow,
  foldBuckets,
  isComplete,
  isInferred,
  isWithdrawn,
  listGaps,
  newestCompleteDay,
} from "./buckets.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { dayAt, formatDay, parseDay, startOfDay } from "../../platform/days.ts";
import { Fault } from "../../platform/fault.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  newestDay,
  valueOn,
} from "./series.ts";
import { checkDays, selectDays } from "./window.ts";
import {
  findPublication,
  findSecondTxCount,
  findSeries,
  readSeries,
  type SeriesOptions,
  waitsUntil,
  type WindowOf,
} from "./series_reader.ts";
import { type MetricsSeriesId, storedIdOf } from "../catalogue/series_id.ts";
import { CANARY, isCanary } from "./series_freshness.ts";
import { inferableThrough } from "./inferred_days.ts";
import { findValues, type FoundValues, type SeriesReads } from "./values.ts";
import { earlierReads, instantOf, isFinal, NotRecorded } from "./vintages.ts";

/** The default range. */
const RANGE: Range = "1y";

/** A metric of a chain before it is compared with a second source, and all its days. */
interface MetricsRead extends CacheableAnswer<Omit<MetricsAnswer, "check">> {
  readonly ours: DailySeries;
}

/**
 * Reads a metric of a chain. Throws a fault if the chain is unknown, if the
 * upstream is down, or if it has no values of the metric for an active chain.
 */
export async function readMetrics(
  deps: ReadDeps,
  query: MetricsQuery,
  freshness: FreshnessOptions,
): Promise<MetricsRead> {
  const { metric, chainId, interval } = query;
  const { unit, kind, fold } = METRICS[metric];
  const derived = derivationOf(metric);
  const now = deps.now().getTime();
  const instant = instantOf("asOf", query.asOf, now);
  const after = instantOf("updatedAfter", query.updatedAfter, instant ?? now);
  const today = dayAt(instant ?? now);
  checkDays(query, today);
  // Both are read in one round trip, so a stored series is read before the
  // chain is known to exist.
  const finding = findChain(deps, chainId);
  const reads = instant === null
    ? currentReads(deps, query, { today, freshness, chain: finding })
    : earlierReads(deps, instant);
  const [chain, found] = await Promise.all([
    finding,
    // For an unknown chain, that fault is thrown instead.
    findValues(reads, query).catch(async (error) => {
      await finding;
      throw error;
    }),
  ]);
  if (found === null) throw missingMetric(deps, query);
  const { series, gapsThrough, changedAt, source } = found;
  const { range, days, window } = selectDays(query, {
    usual: RANGE,
    series,
    today,
    interval,
  });
  const folded = foldBuckets(series, window, {
    interval,
    fold,
    today,
    isOnlyFinal: instant !== null,
  });
  const updates = after === null
    ? null
    : await readUpdates(deps, query, { ...found, after, today });
  const points = updates === null
    ? folded
    : folded.filter(({ day }) => updates.days.has(parseDay(day)));
  const through = newestCompleteDay(series, today);
  const answer: MetricsRead["answer"] = {
    metric,
    chainId,
    chainName: chain.chainName,
    unit,
    token: chain.token,
    kind,
    interval,
    range,
    ...days,
    aggregation: fold,
    series: points,
    lastPeriodComplete: points.at(-1)?.complete ?? false,
    inferredDayCount: countInferred(series, window),
    gaps: listGaps(series, window, gapsThrough),
    dataThrough: through === null ? null : formatDay(through),
    fetchedAt: new Date(found.fetchedAt).toISOString(),
    // `asOf` with this instant must give the same values, so the instant is not before
    // the last change.
    confirmedAt: new Date(Math.max(found.confirmedAt, changedAt)).toISOString(),
    source,
    ...derived && { derivedFrom: derived.from },
    ...instant !== null && { asOf: new Date(instant).toISOString() },
    ...after !== null && {
      updatedAfter: new Date(after).toISOString(),
      removedDays: updates!.removed.map(formatDay),
    },
  };
  // A new day changes the range and which days are complete, even without new data.
  return {
    answer,
    ours: series,
    fetchedAt: found.validAt,
    changedAt: Math.max(changedAt, startOfDay(today)),
    isFinal: isFinal(instant, now),
  };
}

/** Reads what changed in the window of a query after an instant. */
async function readUpdates(
  deps: ReadDeps,
  query: MetricsQuery,
  { series, today, after, inferredFromAt }:
    & EarlierState
    & Pick<FoundValues, "inferredFromAt">
    & { readonly after: number },
): Promise<Updates> {
  const before = await findBefore(deps, query, { after, inferredFromAt });
  const windowIn = windowOfQuery(query, today);
  const { start, end } = windowIn(series);
  // The first days may have been removed, with which the window began.
  const first = before === null ? start : windowIn(before.series).start;
  const window = { start: Math.min(start, first), end };
  return listUpdates({ series, today }, before, { after, window });
}

/** Returns the window of a query over a series. */
function windowOfQuery(query: MetricsQuery, today: number): WindowOf {
  const { interval } = query;
  return (series) =>
    selectDays(query, { usual: RANGE, series, today, interval }).window;
}

/** Reads series that are current. Upstream is not called unless `chain` resolves. */
function currentReads(
  deps: ReadDeps,
  query: MetricsQuery,
  { today, freshness, chain }: {
    today: number;
    freshness: FreshnessOptions;
    chain: Promise<unknown>;
  },
): SeriesReads {
  // A derived day needs the totals of two days.
  const more = derivationOf(query.metric) === undefined ? 0 : 1;
  const windowFrom: WindowOf = (series) => {
    const { start, end } = windowOfQuery(query, today)(series);
    return { start, end: end + more };
  };
  const options = { ...freshness, waitUntil: waitsUntil(deps) };
  const read = (id: MetricsSeriesId) =>
    readSeries(deps, id, options, windowFrom, chain);
  return {
    today,
    read,
    readStored: async (id) => await findSeries(deps, id) ?? await read(id),
    readSecond: (chainId) => findSecondTxCount(deps, chainId),
    readPublished: () => readPublished(deps, options),
  };
}

/**
 * Finds what an answer with `after` as its `fetchedAt` has shown; null if it is not
 * recorded. Its published days are those of that instant. Inferred days rest on other
 * series, too: the answer may have been made of later ones, and a process whose clock is
 * behind may have written them since with an earlier instant.
 */
async function findBefore(
  deps: ReadDeps,
  query: MetricsQuery,
  { after, inferredFromAt = Infinity }: Pick<FoundValues, "inferredFromAt"> & {
    readonly after: number;
  },
): Promise<Before | null> {
  const { read } = earlierReads(deps, after);
  const sureAt = after - 2 * CLOCK_SKEW_MS;
  const today = dayAt(sureAt);
  // Where the others were not recorded yet, nothing about them is sure.
  for (const othersAt of [sureAt, after + 2 * CLOCK_SKEW_MS]) {
    const others = earlierReads(deps, othersAt);
    try {
      const [found, then, publication] = await Promise.all([
        findValues({ ...others, read }, query),
        others.readPublished(),
        findPublication(deps),
      ]);
      if (found === null) return null;
      const { series } = found;
      const published = series.inferredAfter ?? newestDay(series) ?? -Infinity;
      const through = inferableThrough(then.newestDay);
      const isSure = othersAt === sureAt && inferredFromAt <= sureAt;
      return {
        series,
        today,
        unsure: {
          start: isSure ? Math.max(published, through + 1) : published,
          // No day of the canary is inferred.
          end: isCanary(storedIdOf(query)) ? -Infinity : Math.max(
            through,
            inferableThrough(publication?.newestDay ?? -Infinity),
          ),
        },
      };
    } catch (error) {
      if (!(error instanceof NotRecorded)) throw error;
    }
  }
  return null;
}

/** Reads the newest day that upstream has published for the C-Chain, and since when. */
async function readPublished(
  deps: ReadDeps,
  options: SeriesOptions,
): Promise<{ newestDay: number; publishedAt: number }> {
  const publication = await findPublication(deps);
  if (publication) return publication;
  const { series, changedAt } = await readSeries(deps, CANARY, options);
  return { newestDay: newestDay(series) ?? -Infinity, publishedAt: changedAt };
}

function missingMetric(
  { upstream }: ReadDeps,
  { metric, chainId }: MetricsQuery,
): Fault {
  const { host } = new URL(upstream.metrics.baseUrlOf({ subject: chainId }));
  return new Fault(
    `Cannot read ${metric} of chain ${chainId}: ${host} has no values, ` +
      `although the chain was active`,
    { kind: "upstreamLacks", upstream: host, retryAfterMs: UPSTREAM_FRESH_MS },
  );
}

/** A series, and the day on which it is answered. */
interface EarlierState {
  readonly series: DailySeries;
  readonly today: number;
}

/** What an earlier answer has shown. */
interface Before extends EarlierState {
  /** Days of which it may have shown something else. */
  readonly unsure: DayWindow;
}

/** What changed. */
interface Updates {
  /** Days that were first seen, completed, revised or withdrawn. */
  readonly days: ReadonlySet<number>;
  /** Days that had a value and have none. */
  readonly removed: readonly number[];
}

/**
 * Lists what changed in a window after an instant, in epoch ms. `before` is what the
 * answer of that instant has shown; without it every day is new. Growth of a day that was
 * incomplete then and is incomplete now is not a change.
 */
export function listUpdates(
  now: EarlierState,
  before: Before | null,
  { after, window }: { readonly after: number; readonly window: DayWindow },
): Updates {
  const days = new Set<number>();
  const removed: number[] = [];
  const end = Math.min(
    window.end,
    Math.max(
      newestDay(now.series) ?? -Infinity,
      newestDay(before?.series ?? EMPTY_SERIES) ?? -Infinity,
      before?.unsure.end ?? -Infinity,
    ),
  );
  for (let day = window.start; day <= end; day++) {
    const isUnsure = before !== null && before.unsure.start <= day &&
      day <= before.unsure.end;
    const isThere = !Number.isNaN(valueOn(now.series, day));
    // An answer shows no day after its own.
    const wasThere = before !== null && day <= before.today &&
      !Number.isNaN(valueOn(before.series, day));
    if (!isThere) {
      if (wasThere || isUnsure) removed.push(day);
    } else if (
      !wasThere || isUnsure ||
      (now.series.revised?.get(day) ?? -Infinity) > after ||
      !isSame(stateOf(now, day), stateOf(before, day))
    ) days.add(day);
  }
  return { days, removed };
}

/** Returns the facts that an answer shows of a day. The value of a day that grows is left out. */
function stateOf({ series, today }: EarlierState, day: number) {
  const complete = isComplete(series, day, today);
  const inferred = isInferred(series, day);
  return [
    complete,
    inferred,
    isWithdrawn(series, day),
    complete ? valueOn(series, day) : null,
  ];
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((part, nth) => part === b[nth]);
}
