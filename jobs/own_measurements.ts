/**
 * Jobs that measure for ourselves: the blocks of some days by the C-Chain RPC, and the
 * validator set of the Primary Network once a day.
 */
import { recordDisputes } from "../services/chain_data/checks/disputes.ts";
import type { CChain } from "../services/chain_data/blocks/c_chain_client.ts";
import type { ChainDataDeps } from "../services/chain_data/checks/deps.ts";
import { Fault } from "../services/platform/fault.ts";
import type { RunContext } from "../services/platform/jobs/job_run.ts";
import {
  type CallOptions,
  jobCallOptions,
} from "../services/platform/rate_limit/call_budget.ts";
import type { BlockTime } from "../services/chain_data/blocks/block_search.ts";
import { isComplete } from "../services/chain_data/series/buckets.ts";
import { dayAt, startOfDay } from "../services/platform/days.ts";
import { pointsOf } from "../services/chain_data/series/series.ts";
import {
  type BlockSample,
  rpcBlocksOf,
  withEarlier,
} from "../services/chain_data/checks/measurements.ts";
import { findExplorerSeries } from "../services/chain_data/checks/explorer_series.ts";
import type { PlatformChain } from "../services/chain_data/validators/platform_chain_client.ts";
import { compareOnDay } from "../services/chain_data/checks/comparison.ts";

/** What the measurements use. */
export interface MeasurementDeps extends ChainDataDeps {
  readonly upstream: ChainDataDeps["upstream"] & {
    readonly cChain: Pick<CChain, "findFirstBlock">;
    readonly platformChain: Pick<PlatformChain, "readValidators">;
  };
}

/** Consecutive failures after which the run stops. */
const MAX_FAILURES = 3;

/**
 * Samples new days, one random older day and disputed days. If a day fails, the run
 * continues with the others and fails at its end. Several in a row stop it: the node
 * is down.
 */
export async function sampleBlocks(
  deps: MeasurementDeps,
  { proceed }: RunContext,
): Promise<string> {
  const days = await chooseDays(deps, Math.random);
  let sampled = 0;
  let failedInRow = 0;
  let fault: Fault | null = null;
  for (const day of days) {
    if (failedInRow === MAX_FAILURES || !await proceed()) break;
    try {
      if (await sampleDay(deps, day, jobCallOptions())) sampled++;
      failedInRow = 0;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      fault ??= error;
      failedInRow++;
    }
  }
  await recordDisputes(deps, { withChains: false });
  if (fault) throw fault;
  return `${sampled} of ${days.length} days sampled`;
}

type SampleDeps = Pick<MeasurementDeps, "now" | "store" | "upstream">;

/** Number of newest complete days that are always sampled. */
const NEWEST_DAYS = 7;

/** Maximum number of disputed days that one run samples again. */
const MAX_DISPUTED = 50;

/**
 * Chooses the days to sample: the newest complete days without a sample, one
 * random older day without a sample, and disputed days again.
 */
export async function chooseDays(
  deps: SampleDeps,
  random: () => number,
): Promise<number[]> {
  const index = await findExplorerSeries(deps, "blocks");
  if (index === null) return [];
  const today = dayAt(deps.now().getTime());
  const complete = pointsOf(index.series)
    .filter(({ day }) => isComplete(index.series, day, today));
  const samples = await deps.store.blockSamples.list();
  const sampled = new Map(samples.map((sample) => [sample.day, sample]));
  const isDisputed = ({ day, value }: { day: number; value: number }) =>
    sampled.has(day) &&
    !compareOnDay("blocks", value, rpcBlocksOf(sampled.get(day)!)).agrees;
  const isNew = ({ day }: { day: number }) => !sampled.has(day);
  const older = complete.slice(0, -NEWEST_DAYS).filter(isNew);
  const chosen = [
    ...complete.slice(-NEWEST_DAYS).filter(isNew),
    ...older.slice(Math.floor(random() * older.length)).slice(0, 1),
    ...complete.filter(isDisputed).slice(-MAX_DISPUTED),
  ];
  return chosen.map(({ day }) => day);
}

/** Samples a day and stores the sample. Returns false if the next day has no block yet. */
export async function sampleDay(
  deps: SampleDeps,
  day: number,
  options: CallOptions,
): Promise<boolean> {
  const { cChain } = deps.upstream;
  const samples = await deps.store.blockSamples.list();
  const anchors = anchorsOf(samples);
  const firstBlockOf = (day: number) =>
    cChain.findFirstBlock(startOfDay(day) / 1000, anchors, options);
  const first = await firstBlockOf(day);
  const next = await firstBlockOf(day + 1);
  if (first.body === null || next.body === null) return false;
  const sample: BlockSample = {
    day,
    ...first.body,
    nextDayFirstBlock: next.body.firstBlock,
    nextDayFirstBlockTimestamp: next.body.firstBlockTimestamp,
    takenAt: deps.now().getTime(),
    source: next.source,
  };
  const held = samples.find((sample) => sample.day === day);
  await deps.store.blockSamples.put(withEarlier(sample, held));
  return true;
}

/** Lists the blocks of earlier samples, which narrow the search. */
function anchorsOf(samples: readonly BlockSample[]): BlockTime[] {
  return samples.flatMap((sample) => [
    { height: sample.firstBlock, timestamp: sample.firstBlockTimestamp },
    {
      height: sample.nextDayFirstBlock,
      timestamp: sample.nextDayFirstBlockTimestamp,
    },
  ]);
}

/** Returns the outcome if today has its snapshot; else null. */
export async function findIdleSnapshot(
  { now, store }: Pick<MeasurementDeps, "now" | "store">,
): Promise<string | null> {
  const isTaken = await store.validatorDays.has(dayAt(now().getTime()));
  return isTaken ? "today has its snapshot" : null;
}

/** Takes the snapshot of today if there is none. */
export async function snapshotValidators(
  deps: MeasurementDeps,
): Promise<string> {
  const taken = await takeSnapshot(deps, jobCallOptions());
  if (taken) await recordDisputes(deps, { withChains: false });
  return taken ? "snapshot taken" : "today has its snapshot";
}

/** Takes the snapshot of today. Returns false if today already has one, whole. */
export async function takeSnapshot(
  { log, now, store, upstream }: SampleDeps & Pick<MeasurementDeps, "log">,
  options: CallOptions,
): Promise<boolean> {
  const today = dayAt(now().getTime());
  if (await store.validatorDays.has(today)) return false;
  const { body, unread, source } = await upstream.platformChain
    .readValidators(options);
  const takenAt = now().getTime();
  const of = "current validators";
  const [reason] = unread;
  if (reason === undefined) await store.setAside.remove(of);
  else {
    const setAside = { of, rows: unread.length, reason };
    log("source.rows_set_aside", setAside);
    await store.setAside.put({ ...setAside, foundAt: takenAt });
  }
  return await store.validatorDays.add({
    ...body,
    day: dayAt(takenAt),
    takenAt,
    source,
  });
}
