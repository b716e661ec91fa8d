/** Job: reads the daily series of the Metrics API that are due. */
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { ChainDataDeps } from "../services/chain_data/checks/deps.ts";
import type { Publication } from "../services/chain_data/series/publications_store.ts";
import {
  findPlan,
  type FoundPublication,
  isCanaryDue,
  isSweepDue,
  type KnownHeads,
  noteProgress,
  type PlannedRead,
  readPlanned,
} from "../services/chain_data/series/refresh_plan.ts";
import { nameSeries } from "../services/chain_data/catalogue/series_id.ts";
import { CANARY } from "../services/chain_data/series/series_freshness.ts";
import {
  findPublished,
  refreshSeries,
} from "../services/chain_data/series/series_reader.ts";
import { CALLS_BEFORE } from "../services/chain_data/series/queued_reads.ts";
import { Fault } from "../services/platform/fault.ts";
import { jobCallOptions } from "../services/platform/rate_limit/call_budget.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";

/** Consecutive failures after which a host counts as down: a run stops, or leaves out the host of single chains. */
const MAX_FAILURES = 5;

/** Counts of a run, and what it knows of the series. */
interface Tally {
  readonly known: KnownHeads;
  read: number;
  failed: number;
  /** Consecutive failures by the base URL of the host. */
  readonly failedInRow: Map<string, number>;
  /** Whether a read changed a series. */
  hasChanged: boolean;
  /**
   * The first error that the upstream did not cause. It is thrown after the other
   * series were read.
   */
  bug: unknown;
}

/**
 * Reads the canary every five minutes, and then the due series: all series in a
 * sweep after a publication, and late chains and hourly series between sweeps.
 * A queued series is read at once. The stored series themselves are the cursor
 * of a sweep, so the next run continues a killed one.
 */
export async function refreshAllSeries(
  deps: ChainDataDeps,
  context: RunContext,
): Promise<string> {
  const tally: Tally = {
    known: new Map(),
    read: 0,
    failed: 0,
    failedInRow: new Map(),
    hasChanged: false,
    bug: undefined,
  };
  const { publications } = deps.store;
  let isPlanning = false;
  let sweeping: FoundPublication | null = null;
  let isCut = false;
  let isContinued = false;
  for (;;) {
    const published = await findPublished(deps);
    // The run before was cut, and has compared nothing.
    isContinued ||= published.progress !== null;
    let { publication } = published;
    if (isCanaryDue(publication, nowOf(deps))) {
      isCut = !await context.proceed();
      if (isCut) break;
      const read = await refreshSeries(deps, CANARY, jobCallOptions())
        .catch(async (error) => {
          // The other hosts keep what they promised.
          const [, ...others] = listHosts(deps);
          const run = { ...context, tally };
          await readQueueOf(deps, others, { isOver: () => false, run });
          throw error;
        });
      tally.known.delete(nameSeries(CANARY));
      tally.hasChanged ||= read.hasChanged;
      tally.read++;
      publication = read.publication ?? publication;
      isPlanning = true;
    }
    if (publication === null) break;
    const isSweep = isSweepDue(publication, published.sweep);
    const current = { ...published, publication };
    sweeping = isSweep ? current : null;
    const { reads: plan, settled } = isPlanning || isSweep
      ? await findPlan(deps, current, tally.known)
      : { reads: [], settled: [] };
    if (isSweep && plan.every(({ isRetry }) => isRetry)) {
      const { publishedAt } = publication;
      const finishedAt = nowOf(deps);
      await publications.putSweep({ publishedAt, finishedAt, settled });
      sweeping = null;
    }
    isCut = !await readAll(deps, { plan, publication }, { ...context, tally });
    if (isCut) break;
    if (plan.length > 0 || isCanaryDue(publication, nowOf(deps))) continue;
    if (!isSweep) break;
    isPlanning = false;
  }
  // A change may complete a day that the second source disagrees on. Comparing reads
  // every checked series, so a run that changed none saves a thousand read units, and a
  // sweep compares once, at its end.
  if (isCut && sweeping !== null) {
    await noteProgress(deps, sweeping, tally.known);
  } else if (tally.hasChanged || isContinued) {
    await recordDisputes(deps);
    if (isContinued) await publications.deleteProgress();
  }
  if (tally.bug !== undefined) throw tally.bug;
  return `${tally.read} series read, ${tally.failed} failed`;
}

/** Returns the outcome if neither the canary nor a sweep is due and nothing is queued. */
export async function findIdleRefresh(
  deps: ChainDataDeps,
): Promise<string | null> {
  const [{ publication, sweep }, queued] = await Promise.all([
    findPublished(deps),
    deps.store.readQueue.findNext(),
  ]);
  const isIdle = publication !== null && queued === null &&
    !isCanaryDue(publication, nowOf(deps)) && !isSweepDue(publication, sweep);
  return isIdle ? "nothing is due" : null;
}

type RunOf = RunContext & { readonly tally: Tally };

/**
 * Reads the queue and a plan, until the canary is due. Returns false if the run has
 * to stop.
 */
async function readAll(
  deps: ChainDataDeps,
  { plan, publication }: {
    readonly plan: readonly PlannedRead[];
    readonly publication: Publication;
  },
  run: RunOf,
): Promise<boolean> {
  for (const [nth, planned] of plan.entries()) {
    const isLook = nth % CALLS_BEFORE === 0;
    if (isLook && !await readQueue(deps, publication, run)) return false;
    if (isCanaryDue(publication, nowOf(deps))) return true;
    if (!await run.proceed()) return false;
    await readOne(deps, planned, run.tally);
  }
  return await readQueue(deps, publication, run);
}

/**
 * Reads the series that requests wait for, until the canary is due. Returns false if
 * the run has to stop.
 */
function readQueue(
  deps: ChainDataDeps,
  publication: Publication,
  run: RunOf,
): Promise<boolean> {
  const isOver = () => isCanaryDue(publication, nowOf(deps));
  return readQueueOf(deps, listHosts(deps), { isOver, run });
}

/** Lists the names by which the calls of jobs to each host are counted, the shared one first. */
function listHosts({ upstream: { metrics } }: ChainDataDeps): string[] {
  const ids = [
    { subject: "primary-network" } as const,
    ...metrics.others.map(({ chainId }) => ({ subject: chainId })),
  ];
  return [...new Set(ids.map((id) => metrics.jobsOf(id).name))];
}

/**
 * Reads the queued series of some hosts: those of each host one after the other, and the
 * hosts at once, so that none delays another.
 */
async function readQueueOf(
  deps: ChainDataDeps,
  hosts: readonly string[],
  { isOver, run }: { readonly isOver: () => boolean; readonly run: RunOf },
): Promise<boolean> {
  const { store: { readQueue }, upstream: { metrics } } = deps;
  const reading = hosts.map(async (host) => {
    for (;;) {
      const id = await readQueue.findNext((id) =>
        metrics.jobsOf(id).name === host
      );
      if (id === null || isOver()) return true;
      if (!await run.proceed()) return false;
      const queued = { id, isWhole: false, hasFailed: true };
      // A request waits: what the plan found may have changed, and the read would be lost.
      run.tally.known.delete(nameSeries(id));
      await readOne(deps, queued, run.tally)
        .finally(() => readQueue.remove(id));
    }
  });
  await Promise.allSettled(reading);
  return (await Promise.all(reading)).every((mayGoOn) => mayGoOn);
}

/**
 * Reads a series. If its host serves single chains and is down, it is left for a later
 * run. Throws only after several failures of the others in a row: upstream is down.
 */
async function readOne(
  deps: ChainDataDeps,
  planned: Pick<PlannedRead, "id" | "isWhole" | "hasFailed">,
  tally: Tally,
): Promise<void> {
  const { metrics } = deps.upstream;
  const baseUrl = metrics.baseUrlOf(planned.id);
  const failedInRow = tally.failedInRow.get(baseUrl) ?? 0;
  if (failedInRow >= MAX_FAILURES) {
    tally.failed++;
    await deps.store.series.putFailure(planned.id, nowOf(deps));
    return;
  }
  try {
    const { known } = tally;
    const read = await readPlanned(deps, planned, {
      ...jobCallOptions(),
      known,
    });
    tally.hasChanged ||= read.hasChanged;
    tally.read++;
    tally.failedInRow.set(baseUrl, 0);
  } catch (error) {
    tally.failed++;
    if (!(error instanceof Fault)) tally.bug ??= error;
    tally.failedInRow.set(baseUrl, failedInRow + 1);
    const isDown = failedInRow + 1 === MAX_FAILURES;
    if (isDown && baseUrl === metrics.baseUrl) throw error;
  }
}

function nowOf({ now }: ChainDataDeps): number {
  return now().getTime();
}
