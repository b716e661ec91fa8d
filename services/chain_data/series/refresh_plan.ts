/** Chooses the series that a job reads next: one sweep after each publication, and late chains between. */
import { HOUR_MS, MINUTE_MS } from "../../platform/days.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { minOf } from "../../platform/numbers.ts";
import { C_CHAIN, STORED_METRICS } from "../catalogue/metrics_schema.ts";
import type {
  HourlyRest,
  Publication,
  Published,
  Sweep,
  SweepProgress,
} from "./publications_store.ts";
import {
  isBehindChain,
  isCanary,
  isConfirmed,
  isLate,
  isUnread,
  isWholeDue,
  PROBE_MS,
} from "./series_freshness.ts";
import {
  type MetricsSeriesId,
  nameSeries,
  STAKING_METRICS,
} from "../catalogue/series_id.ts";
import type { FoundHead } from "./series_store.ts";
import { type SeriesState, stateOf } from "./stored_series.ts";
import type { CallOptions } from "../../platform/rate_limit/call_budget.ts";
import { readChainList } from "../catalogue/chains.ts";
import type { StoredSeriesDeps } from "./deps.ts";
import { refreshSeries } from "./series_reader.ts";

/** How often the canary is read. */
const CANARY_MS = 5 * MINUTE_MS;

/** How much too early a series is read that is due at intervals, because plans are minutes apart. */
const EARLY_MS = 5 * MINUTE_MS;

/**
 * How often the series of the C-Chain and of the Primary Network are read: their
 * newest day is requested most.
 */
const HOURLY_MS = HOUR_MS - EARLY_MS;

/** How long a series waits after a read that failed, lacked a day or showed withdrawn days. */
const RETRY_MS = 20 * MINUTE_MS;

/** A silent series (upstream answers without any value) waits for this part of the time for which it has been silent, at most half a day. */
const SILENT_SHARE = 1 / 4;
const MAX_SILENT_RETRY_MS = 12 * HOUR_MS;

/** A series to read. */
export interface PlannedRead {
  readonly id: MetricsSeriesId;
  /** Whether the whole history is fetched, which a sweep does once a week. */
  readonly isWhole: boolean;
  /** Whether it was tried since the publication, and failed. A sweep does not wait for it. */
  readonly isRetry: boolean;
  /** Whether its last read failed, lacked a day or showed withdrawn days. */
  readonly hasFailed: boolean;
}

/** The facts that the plan depends on. */
export interface PlanFacts {
  readonly publication: Publication;
  readonly sweep: Sweep | null;
  readonly chainIds: readonly number[];
  /** States by name; null if the series is not stored. A series without an entry is not considered. */
  readonly states: ReadonlyMap<string, SeriesState | null>;
  /** When the last read failed, lacked a day or showed withdrawn days, by name. */
  readonly failures: ReadonlyMap<string, number>;
  readonly now: number;
}

/** Returns whether the canary is due. */
export function isCanaryDue(
  publication: Publication | null,
  now: number,
): boolean {
  return publication === null || !isConfirmed(publication, now) ||
    now - publication.confirmedAt >= CANARY_MS;
}

/** Returns whether the sweep of a publication is not finished. */
export function isSweepDue(
  { publishedAt }: Publication,
  sweep: Sweep | null,
): boolean {
  return sweep?.publishedAt !== publishedAt;
}

/** Lists all series in the order of a sweep: those that are requested most first. */
export function listSeries(chainIds: readonly number[]): MetricsSeriesId[] {
  const l1s = chainIds.filter((chainId) => chainId !== C_CHAIN);
  return [
    ...seriesOfChain(C_CHAIN),
    ...STAKING_METRICS.map((metric) => ({
      subject: "primary-network" as const,
      metric,
    })),
    ...l1s.flatMap(seriesOfChain),
  ];
}

/** Lists the series of a chain, its `txCount` first. */
function seriesOfChain(chainId: number): MetricsSeriesId[] {
  return STORED_METRICS.map((metric) => ({ subject: chainId, metric }));
}

/**
 * Lists the due series in order: hourly ones, those of chains that have published
 * late, late chains by their `txCount`, and the rest of the sweep. A series that
 * just failed waits. Failed ones that are not hourly come last: a run ends after a
 * few failures in a row, so many of them would keep it from the others.
 */
export function planReads(facts: PlanFacts): PlannedRead[] {
  const isSweeping = isSweepDue(facts.publication, facts.sweep);
  const ranked = listSeries(facts.chainIds).flatMap((id) => {
    const rank = rankOf(id, facts, isSweeping);
    return rank === null ? [] : [{ id, rank }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ id }) => ({
    id,
    isWhole: isSweeping && isWholeOf(id, facts),
    isRetry: isRetry(id, facts),
    hasFailed: facts.failures.has(nameSeries(id)),
  }));
}

/** The order of due series. */
const RANKS = { hourly: 0, behind: 1, probe: 2, sweep: 3, failed: 4, retry: 5 };

/** Returns the rank of a series; null if it is not due. */
function rankOf(
  id: MetricsSeriesId,
  facts: PlanFacts,
  isSweeping: boolean,
): number | null {
  const { states, failures, now } = facts;
  const name = nameSeries(id);
  const state = states.get(name);
  if (state === undefined) return null;
  const failedAt = failures.get(name);
  const isHourly = typeof id.subject !== "number" || id.subject === C_CHAIN;
  if (failedAt !== undefined) {
    if (Math.abs(now - failedAt) < retryMsOf(state, failedAt)) return null;
    if (isHourly) return RANKS.hourly;
    return isRetry(id, facts) ? RANKS.retry : RANKS.failed;
  }
  if (state === null) return isHourly ? RANKS.hourly : RANKS.sweep;
  const ageMs = Math.abs(now - state.fetchedAt);
  if (isHourly) {
    const isDue = isUnread(id, state, facts) || ageMs >= HOURLY_MS ||
      isSweeping && isCanary(id) && isWholeDue(id, state, now);
    return isDue ? RANKS.hourly : null;
  }
  const txCount = states.get(nameSeries({ ...id, metric: "txCount" })) ?? null;
  if (isBehindChain(state, txCount)) return RANKS.behind;
  if (isUnread(id, state, facts)) return RANKS.sweep;
  const isProbeDue = id.metric === "txCount" &&
    isLate(id, state, facts) && ageMs >= PROBE_MS - EARLY_MS;
  return isProbeDue ? RANKS.probe : null;
}

/** Returns how long a series that failed at an instant waits. */
function retryMsOf(state: SeriesState | null, failedAt: number): number {
  const silentMs = failedAt - (state?.silentSince ?? failedAt);
  const waitMs = Math.min(silentMs * SILENT_SHARE, MAX_SILENT_RETRY_MS);
  return Math.max(RETRY_MS, waitMs);
}

function isRetry(
  id: MetricsSeriesId,
  { failures, publication }: Pick<PlanFacts, "failures" | "publication">,
): boolean {
  const failedAt = failures.get(nameSeries(id)) ?? -Infinity;
  return failedAt >= publication.publishedAt;
}

function isWholeOf(id: MetricsSeriesId, { states, now }: PlanFacts): boolean {
  const state = states.get(nameSeries(id));
  return state ? isWholeDue(id, state, now) : true;
}

type SweepDeps = Pick<
  StoredSeriesDeps,
  "log" | "now" | "share" | "store" | "upstream"
>;

/** A publication, and what was read since. */
export interface FoundPublication extends Published {
  readonly publication: Publication;
}

/** The heads that a run knows, by name. A series that it reads is dropped, unless the read tells its head. */
export type KnownHeads = Map<string, FoundHead | null>;

/** The reads that are due, and the chains that have not published late. */
interface Plan {
  readonly reads: readonly PlannedRead[];
  readonly settled: readonly number[];
}

/**
 * Plans the reads that are due now, from the store. Only states that are not known are
 * read: a sweep is planned anew every five minutes, and it has thousands of series. A
 * series that another process has read meanwhile is read once more.
 */
export async function findPlan(
  deps: SweepDeps,
  { publication, ...read }: FoundPublication,
  known: KnownHeads,
): Promise<Plan> {
  const { store, now } = deps;
  const chainIds = await listChainIds(deps);
  const failures = await store.series.listFailures();
  const { sweep } = read;
  const progress = progressOf(publication, read.progress);
  const done = new Set([...progress.settled, ...progress.late]);
  const states = isSweepDue(publication, sweep)
    ? await findStates(
      deps,
      listSeries(chainIds.filter((chainId) => !done.has(chainId))),
      known,
    )
    : await findLateStates(deps, {
      ...{ chainIds, failures, sweep: sweep!, rest: read.rest },
      known,
    });
  const facts = {
    publication,
    sweep,
    chainIds,
    states,
    failures,
    now: now().getTime(),
  };
  const settled = chainIds.filter((chainId) => isSettled(chainId, facts));
  return {
    reads: planReads(facts),
    settled: [...progress.settled, ...settled],
  };
}

async function listChainIds(deps: SweepDeps): Promise<number[]> {
  const { chains } = await readChainList(deps, { maxStaleMs: Infinity });
  return chains.map(({ chainId }) => chainId);
}

/** Returns whether the `txCount` of a chain was read since the publication, and is not late. */
function isSettled(
  subject: number,
  { states, ...published }: Pick<PlanFacts, "publication" | "states" | "now">,
): boolean {
  const id = { subject, metric: "txCount" } as const;
  const txCount = states.get(nameSeries(id)) ?? null;
  return txCount !== null && !isUnread(id, txCount, published) &&
    !isLate(id, txCount, published);
}

/** Returns how far the sweep of a publication was when it was cut. */
function progressOf(
  { publishedAt }: Publication,
  progress: SweepProgress | null,
): SweepProgress {
  return progress?.publishedAt === publishedAt
    ? progress
    : { publishedAt, settled: [], late: [] };
}

/**
 * Records the chains whose series a sweep that is cut has read, or failed to read: looking
 * at thousands of states again is most of what the next run would cost. Without it, as
 * after a kill, the next run looks at all.
 */
export async function noteProgress(
  deps: SweepDeps,
  { publication, ...read }: FoundPublication,
  known: KnownHeads,
): Promise<void> {
  const { store, now } = deps;
  const failures = await store.series.listFailures();
  const before = progressOf(publication, read.progress);
  const states = new Map(
    Array.from(known, ([name, found]) => [name, found && stateOf(found.head)]),
  );
  const { publishedAt } = publication;
  // A read of the minute after the publication that lacks the day is made again.
  const at = Math.max(now().getTime(), publishedAt + CLOCK_SKEW_MS);
  const facts = { publication, states, failures, now: at };
  const noted = new Set([...before.settled, ...before.late]);
  const done = (await listChainIds(deps)).filter((chainId) =>
    // The series of the C-Chain are also hourly.
    chainId !== C_CHAIN && !noted.has(chainId) &&
    seriesOfChain(chainId).every((id) => {
      const state = states.get(nameSeries(id)) ?? null;
      return isRetry(id, facts) ||
        state !== null && !isUnread(id, state, facts);
    })
  );
  const [settled, late] = [true, false].map((isOnTime) =>
    done.filter((chainId) => isSettled(chainId, facts) === isOnTime)
  ) as [number[], number[]];
  await store.publications.putProgress({
    publishedAt,
    settled: [...before.settled, ...settled],
    late: [...before.late, ...late],
  });
}

/**
 * Finds the states that matter after a sweep: the hourly series, the `txCount` of
 * chains that are new or late, all series of those that have published since, and those
 * that failed.
 */
async function findLateStates(
  deps: SweepDeps,
  { chainIds, failures, sweep, rest, known }: {
    readonly chainIds: readonly number[];
    readonly failures: ReadonlyMap<string, number>;
    readonly sweep: Sweep;
    readonly rest: HourlyRest | null;
    readonly known: KnownHeads;
  },
): Promise<Map<string, SeriesState | null>> {
  const { now, store } = deps;
  // Every five minutes, these heads would be half of what an idle service reads.
  const at = now().getTime();
  const hourly = isResting(rest, sweep, at) ? [] : listSeries([]);
  // A plan every five minutes, late chains in one or two of six: reading the states
  // of 200 chains for each took 31,000 read units a day.
  const isProbing = at % PROBE_MS < CANARY_MS + MINUTE_MS;
  const settled = new Set(sweep.settled);
  const txCounts = (isProbing ? chainIds : [])
    .filter((subject) => !settled.has(subject))
    .map((subject) => ({ subject, metric: "txCount" }) as const);
  const states = await findStates(
    deps,
    [...hourly, ...txCounts],
    known,
  );
  if (hourly.length > 0) {
    const readAt = minOf(
      hourly.map((id) => states.get(nameSeries(id))?.fetchedAt ?? 0),
    );
    const until = Math.min(readAt, at) + HOURLY_MS;
    const { publishedAt } = sweep;
    if (until > at) {
      await store.publications.putRest({ publishedAt, from: at, until });
    }
  }
  const published = txCounts.filter((id) => {
    const state = states.get(nameSeries(id));
    return !state || (state.newestAt ?? 0) >= sweep.finishedAt;
  });
  const failed = listSeries(chainIds).filter((id) =>
    failures.has(nameSeries(id))
  );
  const more = await findStates(deps, [
    ...published.flatMap(({ subject }) => seriesOfChain(subject)),
    ...failed,
  ], known);
  return new Map([...states, ...more]);
}

/** Returns whether no hourly series is due yet, but for those that failed. */
function isResting(
  rest: HourlyRest | null,
  { publishedAt }: Sweep,
  at: number,
): boolean {
  return rest?.publishedAt === publishedAt && rest.from <= at &&
    at < rest.until;
}

async function findStates(
  { store, upstream }: SweepDeps,
  ids: readonly MetricsSeriesId[],
  known: KnownHeads,
): Promise<Map<string, SeriesState | null>> {
  const unknown = ids.filter((id) => !known.has(nameSeries(id)));
  const heads = await store.series.listHeads(
    unknown,
    upstream.metrics.baseUrlOf,
  );
  for (const [nth, id] of unknown.entries()) {
    known.set(nameSeries(id), heads[nth]!);
  }
  return new Map(
    ids.map((id) => [nameSeries(id), knownState(known, id) ?? null]),
  );
}

/** Returns the state of a series: null if none is stored, undefined if it is not known. */
function knownState(
  known: KnownHeads,
  id: MetricsSeriesId,
): SeriesState | null | undefined {
  const found = known.get(nameSeries(id));
  return found && stateOf(found.head);
}

/**
 * Reads a series. The head that the run knows is not read again: if another process has
 * stored one meanwhile, the read is not stored, and the next plan decides anew. A
 * failure is recorded, so that others are read first.
 */
export async function readPlanned(
  deps: SweepDeps,
  { id, isWhole, hasFailed }: Pick<PlannedRead, "id" | "isWhole" | "hasFailed">,
  { known, ...options }: CallOptions & { readonly known: KnownHeads },
): ReturnType<typeof refreshSeries> {
  const { store, now } = deps;
  const { subject } = id;
  const name = nameSeries(id);
  const found = known.get(name);
  const txCount = typeof subject === "number"
    ? knownState(known, { subject, metric: "txCount" })
    : undefined;
  known.delete(name);
  try {
    const read = await refreshSeries(deps, id, {
      ...options,
      isWhole,
      hasFailed,
      found,
      ...txCount !== undefined && { txCount },
    });
    if (read.stored !== undefined) known.set(name, read.stored);
    return read;
  } catch (error) {
    await store.series.putFailure(id, now().getTime());
    throw error;
  }
}
