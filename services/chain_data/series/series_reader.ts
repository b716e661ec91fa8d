/** Reads daily series of the Metrics API through the store. */
import {
  type FreshnessOptions,
  isFresh,
  waitOutside,
} from "../../platform/cache.ts";
import {
  type CallOptions,
  READER_WAIT_MS,
  readerCallOptions,
  requesterOfClient,
} from "../../platform/rate_limit/call_budget.ts";
import { dayAt, formatDay, HOUR_MS } from "../../platform/days.ts";
import { Fault, isOwnLimit, upstreamDown } from "../../platform/fault.ts";
import { ofUpstream } from "../../platform/http/upstream_answer.ts";
import { retryWords } from "../../platform/text.ts";
import type { ReadDeps, StoredSeriesDeps } from "./deps.ts";
import { C_CHAIN, type Metric, METRICS } from "../catalogue/metrics_schema.ts";
import { type DayWindow, newestCompleteDay } from "./buckets.ts";
import type { Publication, Published } from "./publications_store.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  newestDay,
  pointsOf,
} from "./series.ts";
import {
  CANARY,
  freshnessOf,
  isCanary,
  type SeriesFreshness,
  settledThrough,
  TAIL_DAYS,
} from "./series_freshness.ts";
import {
  indexSeriesId,
  type MetricsSeriesId,
  nameSeries,
  nodeSeriesId,
  type SeriesId,
  storedIdOf,
} from "../catalogue/series_id.ts";
import { valuesOf } from "./derived_days.ts";
import type { UnreadRow } from "./daily_rows.ts";
import { type Place, queueRead } from "./queued_reads.ts";
import { activityOf, type Doubt } from "./doubted_days.ts";
import { growTail } from "./series_tail.ts";
import type { FoundHead } from "./series_store.ts";
import {
  firstHeldDay,
  mergeRead,
  type SeriesState,
  type StoredSeries,
  type WriteOptions,
} from "./stored_series.ts";
import {
  inferableThrough,
  isInferable,
  laterActive,
  withSecondSource,
} from "./inferred_days.ts";

type SeriesDeps = Pick<StoredSeriesDeps, "log" | "now" | "store" | "upstream">;

/** A stored series, and how current it is. */
interface CurrentSeries extends StoredSeries, SeriesFreshness {}

/** Returns the window of an answer that is made of a series. */
export type WindowOf = (series: DailySeries) => DayWindow;

/** How a request reads series. */
export interface SeriesOptions extends FreshnessOptions {
  /** Until when the request waits for all its series, epoch ms; ten seconds for each if absent. */
  readonly waitUntil?: number;
}

/** Returns until when a request that begins now waits for series while no call is free, epoch ms. */
export function waitsUntil({ now }: Pick<SeriesDeps, "now">): number {
  return now().getTime() + READER_WAIT_MS;
}

/** How often a request that waits looks whether its series was read, ms. */
const LOOK_MS = 1_000;

/**
 * Reads a series: the stored one, unless upstream may have published since it was
 * read. A window whose days are all settled never needs upstream. If the canary was
 * not read within the hour, it is read first. A series that was never read, or that
 * a sweep has missed, is fetched. If that fails, it is queued, and a fault says
 * until when the stored series is complete. If no call is free for it, it is queued,
 * and the request waits up to ten seconds for a call or for the job that reads the
 * queue; then a fault says until when the job has read it. Upstream is not called
 * unless `chain` resolves: the caller may still be looking for it.
 */
export async function readSeries(
  deps: ReadDeps,
  id: MetricsSeriesId,
  { client, maxStaleMs, waitUntil = waitsUntil(deps) }: SeriesOptions,
  windowOf?: WindowOf,
  chain?: Promise<unknown>,
): Promise<CurrentSeries> {
  let found = await findCurrent(deps, id, windowOf);
  if (found?.isServed) return found;
  await chain;
  const nowMs = () => deps.now().getTime();
  let place: Place | null = null;
  for (let looks = 0;; looks++) {
    const read = () =>
      readNow(deps, id, { found, client, waitUntil, windowOf });
    try {
      // The network is charged for one read, however often it looks.
      return await (looks === 0 ? read() : waitOutside(read));
    } catch (error) {
      if (!(error instanceof Fault) || !isUnavailable(error)) throw error;
      if (place === null) {
        found = await findCurrent(deps, id, windowOf);
        const isRecent = found !== null &&
          isFresh({ fetchedAt: found.confirmedAt }, nowMs(), maxStaleMs);
        if (isRecent) return found!;
      }
      if (!isOwnLimit(error)) {
        const isQueued = found === null || found.isConfirmed;
        if (isQueued) await queueRead(deps, id, client);
        throw unavailable(deps, { id, error, found, isQueued });
      }
      place ??= await queueWithActivity(deps, id, client);
      const isOver = looks * LOOK_MS >= READER_WAIT_MS ||
        nowMs() >= waitUntil || deps.runningJobs.isStopping();
      if (!place.isPrompt || isOver) {
        throw unread(deps, { id, error, found, place });
      }
      // Requests for one series look together.
      const name = `the wait for ${nameSeries(id)}`;
      await waitOutside(() => deps.share(name, () => deps.sleep(LOOK_MS)));
    }
  }
}

/**
 * Queues a series, and the transactions of its chain if they were never read: the
 * answer about a chain that has gone quiet needs both.
 */
async function queueWithActivity(
  deps: SeriesDeps,
  id: MetricsSeriesId,
  client: string | undefined,
): Promise<Place> {
  const { subject } = id;
  const place = await queueRead(deps, id, client);
  if (typeof subject !== "number" || id.metric === "txCount") return place;
  const txCount = { subject, metric: "txCount" } as const;
  if (await findSeries(deps, txCount) !== null) return place;
  const at = await deps.store.readQueue.add(txCount, place);
  return { ...place, at: Math.max(at, place.at) };
}

/** Reads a series that is not stored, or that may not be served, as `found` tells. */
async function readNow(
  deps: ReadDeps,
  id: MetricsSeriesId,
  { found, client, waitUntil, windowOf }: {
    readonly found: CurrentSeries | null;
    readonly client: string | undefined;
    readonly waitUntil: number;
    readonly windowOf: WindowOf | undefined;
  },
): Promise<CurrentSeries> {
  const isKnown = found === null || found.isConfirmed || isCanary(id);
  for (const due of isKnown ? [id] : [CANARY, id]) {
    const requester = requesterOfClient(client);
    const options = { ...readerCallOptions(requester), waitUntil };
    await deps.share(nameSeries(due), async () => {
      // Another request may have read it since.
      if ((await findCurrent(deps, due, windowOf))?.isServed) return;
      await refreshSeries(deps, due, options);
    }, client);
    const current = await findCurrent(deps, id, windowOf);
    if (current?.isServed) return current;
  }
  throw new Error(`Cannot serve ${nameSeries(id)}: it was just read`);
}

/** Finds a stored series, and how current it is now. */
async function findCurrent(
  deps: SeriesDeps,
  id: MetricsSeriesId,
  windowOf: WindowOf | undefined,
): Promise<CurrentSeries | null> {
  const { metrics } = deps.upstream;
  const { subject } = id;
  const isL1 = typeof subject === "number" && subject !== C_CHAIN;
  const [stored, publication, [txCount = null]] = await Promise.all([
    findSeries(deps, id),
    findPublication(deps),
    isL1
      ? deps.store.series.listStates(
        [{ subject, metric: "txCount" } as const],
        metrics.baseUrlOf,
      )
      : [],
  ]);
  return stored && {
    ...stored,
    ...freshnessOf(id, stored, {
      publication,
      txCount,
      window: windowOf?.(stored.series) ?? null,
      now: deps.now().getTime(),
    }),
  };
}

function isUnavailable(error: Fault): boolean {
  return error.failure.kind === "upstreamDown" || isOwnLimit(error);
}

/** Returns the fault of a series that upstream does not answer now. It says which days are stored. */
function unavailable(
  deps: SeriesDeps,
  { id, error, found, isQueued }: {
    readonly id: MetricsSeriesId;
    readonly error: Fault;
    readonly found: StoredSeries | null;
    readonly isQueued: boolean;
  },
): Fault {
  const { failure } = error;
  const { words, ...days } = storedDays(deps, found);
  return new Fault(
    `${error.message}${isQueued ? "; it is queued and read next" : ""}${words}`,
    {
      kind: "upstreamDown",
      upstream: new URL(deps.upstream.metrics.baseUrlOf(id)).host,
      retryAfterMs: "retryAfterMs" in failure ? failure.retryAfterMs : 0,
      ...days,
    },
    { cause: error },
  );
}

/** Shortest wait for a series that the job has not read in time. */
const MIN_RETRY_MS = 10_000;

/** Returns the fault of a series that waits in the queue. It blames no source, and says which days are stored. */
function unread(
  deps: SeriesDeps,
  { id, error, found, place }: {
    readonly id: MetricsSeriesId;
    readonly error: Fault;
    readonly found: StoredSeries | null;
    readonly place: Place;
  },
): Fault {
  const retryAfterMs = Math.max(
    place.at - deps.now().getTime(),
    MIN_RETRY_MS,
  );
  const reason = error.failure.kind === "ipRateLimit"
    ? "this network has used its share of first reads"
    : "this service has used up the first reads that it allows itself";
  const { words, ...days } = storedDays(deps, found);
  return new Fault(
    `Cannot show ${
      nameSeries(id)
    } yet: ${reason}, so the series waits in the queue of this service; ${
      retryWords(retryAfterMs)
    }${words}`,
    { kind: "notReadYet", retryAfterMs, ...days },
    { cause: error },
  );
}

/** Returns through which days a stored series is complete and settled, in words too; no words if no day is. */
function storedDays({ now }: SeriesDeps, found: StoredSeries | null) {
  const through = found &&
    newestCompleteDay(found.series, dayAt(now().getTime()));
  if (found === null || through === null) return { words: "" };
  const settled = settledThrough(found.series);
  const days = {
    dataThrough: formatDay(through),
    settledThrough: settled === null ? null : formatDay(settled),
  };
  const without = settled === null
    ? ""
    : `, and to=${days.settledThrough} or earlier needs no upstream`;
  const words = `; the stored series is complete through ` +
    `${days.dataThrough}: Cache-Control: max-stale accepts it${without}`;
  return { words, ...days };
}

/**
 * Finds the newest publication: the newest day that upstream has published for
 * the C-Chain, and when that was last confirmed. Returns null before the first
 * read, and if it came from another upstream.
 */
export async function findPublication(
  { store, upstream }: Pick<StoredSeriesDeps, "store" | "upstream">,
): Promise<Publication | null> {
  const baseUrl = upstream.metrics.baseUrlOf(CANARY);
  return ofUpstream({ baseUrl }, await store.publications.find());
}

/** Finds the newest publication, as `findPublication` does, and what was read since, in one read. */
export async function findPublished(
  { store, upstream }: Pick<StoredSeriesDeps, "store" | "upstream">,
): Promise<Published> {
  const { publication, ...read } = await store.publications.findAll();
  const baseUrl = upstream.metrics.baseUrlOf(CANARY);
  return { publication: ofUpstream({ baseUrl }, publication), ...read };
}

/** Finds a stored series of any age. Returns null if it came from another upstream. */
export async function findSeries(
  deps: Pick<StoredSeriesDeps, "store" | "upstream">,
  id: MetricsSeriesId,
): Promise<StoredSeries | null> {
  const baseUrl = deps.upstream.metrics.baseUrlOf(id);
  return ofUpstream({ baseUrl }, await deps.store.series.find(id));
}

/**
 * Finds the stored transactions of a chain in the explorer index or at its own node,
 * whichever is the later sign that the chain is active. Returns null if neither was read.
 */
export async function findSecondTxCount(
  { store, upstream }: Pick<StoredSeriesDeps, "store" | "upstream">,
  chainId: number,
): Promise<StoredSeries | null> {
  const node = upstream.chainNodes.get(chainId);
  const [indexed, atNode] = await Promise.all([
    store.series.find(indexSeriesId(chainId, "txCount")),
    node === undefined ? null : store.series.find(nodeSeriesId(chainId)),
  ]);
  return laterActive(
    ofUpstream(upstream.explorer, indexed),
    node === undefined ? null : ofUpstream(node, atNode),
  );
}

/**
 * Finds a chain's stored transactions, which show whether its other metrics can be
 * inferred; null if they are not stored.
 */
export async function findTxCount(
  deps: Pick<StoredSeriesDeps, "store" | "upstream">,
  chainId: number,
): Promise<DailySeries | null> {
  const [stored, second] = await Promise.all([
    findSeries(deps, { subject: chainId, metric: "txCount" }),
    findSecondTxCount(deps, chainId),
  ]);
  return stored && withSecondSource(stored.series, second?.series);
}

/** Finds the stored values of a metric, which may be derived; null if they were never read. */
export async function findMetric(
  deps: Pick<StoredSeriesDeps, "store" | "upstream">,
  id: { readonly chainId: number; readonly metric: Metric },
): Promise<StoredSeries | null> {
  const stored = await findSeries(deps, storedIdOf(id));
  return stored && valuesOf(id.metric, stored);
}

/** How a series is refreshed. */
interface RefreshOptions extends CallOptions, Pick<WriteOptions, "hasFailed"> {
  /** Whether the whole history is fetched. */
  readonly isWhole?: boolean;
  /** The state of the chain's `txCount`, if it is known; null if there is none. */
  readonly txCount?: SeriesState | null;
  /** The head of the series as it was read before, so that it is not read again; null if there was none. */
  readonly found?: FoundHead | null | undefined;
}

/** What a read did. */
interface Refreshed {
  /** Whether it changed a value. */
  readonly hasChanged: boolean;
  /** The head that it stored; absent if another process has stored one. */
  readonly stored?: FoundHead;
  /** What is published since; absent if the series is not the canary. */
  readonly publication?: Publication;
}

/**
 * Fetches a series and replaces the stored one: the whole history if none is
 * stored or `isWhole` is set, otherwise the newest days, and those that upstream
 * withdraws. A fetch of the canary confirms the publication. A series that lacks a day
 * which its chain has just published is recorded, so that a job reads it again.
 * Returns whether the read changed a value. Throws
 * a fault, without writing, if upstream withdraws days in too many places, or has no
 * values of the canary.
 */
export async function refreshSeries(
  deps: SeriesDeps,
  id: MetricsSeriesId,
  { isWhole, hasFailed, txCount, found, ...options }: RefreshOptions,
): Promise<Refreshed> {
  const { metrics } = deps.upstream;
  const baseUrl = metrics.baseUrlOf(id);
  const head = isWhole || found !== undefined
    ? found ?? null
    : await findHead(deps, id);
  const tailed = isWhole || head?.head.tail === undefined ? null : head;
  const before = tailed === null ? await deps.store.series.find(id) : null;
  const known = ofUpstream({ baseUrl }, before);
  const newestKnown = tailed?.head.days?.newest ??
    (known && newestDay(known.series));
  const fetchedAt = deps.now().getTime();
  const fromDay = newestKnown === null || isWhole ||
      known !== null && isTotalCut(known)
    ? undefined
    : Math.min(newestKnown - TAIL_DAYS, firstHeldDay(known ?? {}));
  const { body, unread, source } = await metrics.readDaily(id, {
    ...options,
    fromDay,
  });
  if (tailed !== null) {
    const { head, versionstamp } = tailed;
    const readAt = deps.now().getTime();
    const read = { body, unread, source, fetchedAt, readAt };
    const next = growTail(id, head, read);
    if (next !== null) {
      const version = await deps.store.series.replaceHead(
        id,
        { head: next, versionstamp },
        hasFailed === undefined ? {} : { hasFailed },
      );
      const refreshed = await endRefresh(deps, id, {
        isStored: version !== null,
        readAt,
        newest: next.days!.newest,
        hasChanged: next.changedAt !== head.changedAt,
        txCount,
      });
      return version === null
        ? refreshed
        : { ...refreshed, stored: { head: next, versionstamp: version } };
    }
  }
  const stored = tailed === null ? before : await deps.store.series.find(id);
  // Another process has just stored the same series.
  const isOutdated = tailed !== null &&
    stored?.versionstamp !== tailed.versionstamp;
  if (isOutdated) return { hasChanged: false };
  const current = ofUpstream({ baseUrl }, stored);
  const newest = current && newestDay(current.series);
  const activity = await findActivity(deps, id);
  // An empty canary would hide the newer days of all series.
  if (isCanary(id) && newest !== null && body.length === 0) {
    const { host } = new URL(baseUrl);
    throw upstreamDown(host, `${nameSeries(id)} has no values now`);
  }
  const merged = mergeRead(id, current, {
    body,
    unread,
    days: { start: fromDay ?? -Infinity, end: Infinity },
    activity,
    fetchedAt,
    wholeAt: fromDay === undefined ? fetchedAt : current!.wholeAt,
    origin: baseUrl,
    source,
  });
  const { series } = merged;
  // Most series have no day that could be inferred, whatever was published by now.
  const mayReplace = current !== null &&
    (newest ?? -Infinity) < inferableThrough(dayAt(fetchedAt));
  const inferred = await findReplacedDays(deps, id, {
    before: current?.series ?? EMPTY_SERIES,
    after: series,
    published: mayReplace
      ? (await findPublication(deps))?.newestDay ?? null
      : null,
    readAt: fetchedAt,
  });
  const readAt = deps.now().getTime();
  const next = {
    ...merged,
    changedAt: merged.changedAt ?? readAt,
    // On a conflict another process has just stored the same series.
    versionstamp: stored?.versionstamp ?? null,
  };
  const replaced = await deps.store.series.replace(id, next, {
    at: readAt,
    inferred,
    stored,
    hasTail: true,
    ...hasFailed !== undefined && { hasFailed },
  });
  logUnused(deps, id, { unread, doubts: merged.doubts });
  const refreshed = await endRefresh(deps, id, {
    isStored: replaced !== null,
    readAt,
    newest: newestDay(series),
    hasChanged: merged.changedAt === null,
    txCount,
  });
  return replaced === null ? refreshed : { ...refreshed, stored: replaced };
}

/** Finds the head of a series of the upstream that is read; null if none is stored. */
async function findHead(
  { store, upstream }: Pick<StoredSeriesDeps, "store" | "upstream">,
  id: MetricsSeriesId,
): Promise<FoundHead | null> {
  const [head] = await store.series.listHeads([id], upstream.metrics.baseUrlOf);
  return head!;
}

/** Records that a stored series lacks a day, and what a read of the canary has published. */
async function endRefresh(
  deps: SeriesDeps,
  id: MetricsSeriesId,
  { isStored, readAt, newest, hasChanged, txCount }: {
    readonly isStored: boolean;
    readonly readAt: number;
    readonly newest: number | null;
    readonly hasChanged: boolean;
    readonly txCount: SeriesState | null | undefined;
  },
): Promise<Refreshed> {
  if (await isDayMissing(deps, id, newest, txCount)) {
    await deps.store.series.putFailure(id, readAt);
  }
  if (!isCanary(id)) return { hasChanged };
  // What is stored is published. After a conflict it is the read of another process,
  // which may lack a day that this one has shown.
  const kept = isStored ? null : await findSeries(deps, id);
  const published = isStored ? newest : kept && newestDay(kept.series);
  if (published === null) return { hasChanged };
  const publication = await deps.store.publications.confirm({
    newestDay: published,
    readAt: kept?.fetchedAt ?? readAt,
    origin: deps.upstream.metrics.baseUrlOf(id),
  });
  return { hasChanged, publication };
}

/**
 * Returns whether a total was seen to fall when only the newest days were read: the
 * source may have restated the whole history.
 */
function isTotalCut({ doubts = [], wholeAt }: StoredSeries): boolean {
  return doubts.some(({ kind, foundAt }) =>
    kind === "fallingTotal" && foundAt > wholeAt
  );
}

/** Finds the stored series that shows how active the days of a series were, whose values have a unit. */
export async function findActivity(
  { store }: Pick<StoredSeriesDeps, "store">,
  id: SeriesId,
): Promise<DailySeries | undefined> {
  const activity = activityOf(id);
  return activity === null
    ? undefined
    : (await store.series.find(activity))?.series;
}

/** Logs the rows of a read that were set aside, and the days that are not believed. */
export function logUnused(
  { log }: Pick<SeriesDeps, "log">,
  id: SeriesId,
  { unread = [], doubts = [] }: {
    readonly unread?: readonly UnreadRow[] | undefined;
    readonly doubts?: readonly Doubt[] | undefined;
  },
): void {
  const [doubt] = doubts;
  if (doubt !== undefined) {
    log("source.days_doubted", {
      of: nameSeries(id),
      from: formatDay(doubt.from),
      to: formatDay(doubt.to),
      reason: doubt.kind,
    });
  }
  const [first] = unread;
  if (first === undefined) return;
  log("source.rows_set_aside", {
    of: nameSeries(id),
    rows: unread.length,
    day: first.day === null ? null : formatDay(first.day),
    reason: first.reason,
  });
}

/** Time within which upstream publishes the other metrics of a day after the chain's `txCount`. */
const METRIC_LATE_MS = 2 * HOUR_MS;

/** Returns whether a metric whose newest day is `newestDay` lacks that of the chain's `txCount`, and that day is new. */
export async function isDayMissing(
  { store, upstream, now }: Omit<SeriesDeps, "log">,
  id: MetricsSeriesId,
  newestDay: number | null,
  known?: SeriesState | null,
): Promise<boolean> {
  const { subject } = id;
  const isOther = typeof subject === "number" && id.metric !== "txCount";
  if (!isOther || newestDay === null) return false;
  const [txCount] = known !== undefined
    ? [known]
    : await store.series.listStates(
      [{ subject, metric: "txCount" } as const],
      upstream.metrics.baseUrlOf,
    );
  if (!txCount || txCount.newestAt === null) return false;
  return newestDay < txCount.newestDay! &&
    now().getTime() - txCount.newestAt < METRIC_LATE_MS;
}

/**
 * Finds the days of a read that were inferred before, with their inferred values,
 * if these differ. `published` is the newest day of the C-Chain before the read.
 */
export async function findReplacedDays(
  deps: Pick<StoredSeriesDeps, "store" | "upstream">,
  id: MetricsSeriesId,
  { before, after, published, readAt }: {
    before: DailySeries;
    after: DailySeries;
    published: number | null;
    readAt: number;
  },
): Promise<ReadonlyMap<number, number>> {
  if (id.subject === "primary-network" || published === null) return new Map();
  const last = newestDay(before) ?? -Infinity;
  const isRunning = METRICS[id.metric].kind === "running total";
  const inferred = isRunning ? before.values.at(-1) ?? 0 : 0;
  const through = Math.min(inferableThrough(published), dayAt(readAt));
  const changed = pointsOf(after).filter(({ day, value }) =>
    last < day && day <= through && value !== inferred
  );
  if (changed.length === 0) return new Map();
  const wasIdle = await readIdleDays(deps, id, before);
  return new Map(
    changed.filter(({ day }) => wasIdle(day)).map(({ day }) => [day, inferred]),
  );
}

/** Returns whether `txCount` let a day be inferred. It may itself have been replaced just now. */
async function readIdleDays(
  deps: Pick<StoredSeriesDeps, "store" | "upstream">,
  { subject, metric }: Extract<MetricsSeriesId, { subject: number }>,
  before: DailySeries,
): Promise<(day: number) => boolean> {
  if (metric === "txCount") {
    const second = await findSecondTxCount(deps, subject);
    const known = withSecondSource(before, second?.series);
    return () => known.activeElsewhere === undefined;
  }
  const txCount = await findTxCount(deps, subject) ?? EMPTY_SERIES;
  return (day) => txCount.revised?.has(day) || isInferable(txCount, day);
}
