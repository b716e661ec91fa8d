/** The answer of `GET /block-production`: blocks per day, mean block time and block samples. */
import {
  currentReads,
  earlierReads,
  readStored,
  SOURCES,
} from "../checks/checked_sources.ts";
import { type CacheableAnswer, hoursSince } from "../../platform/cache.ts";
import type { ChainDataDeps } from "../checks/deps.ts";
import { isComplete } from "../series/buckets.ts";
import type { StoredSeries } from "../series/stored_series.ts";
import { CHECKS } from "../catalogue/cross_checks_schema.ts";
import {
  DAY_MS,
  dayAt,
  formatDay,
  parseDay,
  startOfDay,
} from "../../platform/days.ts";
import { upstreamDown } from "../../platform/fault.ts";
import { type DailySeries, valueOn } from "../series/series.ts";
import { type BlockSample, rpcBlocksOf } from "../checks/measurements.ts";
import { instantOf, isFinal, readSeriesAsOf } from "../series/vintages.ts";
import { checkDays } from "../series/window.ts";
import { fetchNewDays, findExplorerSeries } from "../checks/explorer_series.ts";
import {
  readerCallOptions,
  SERVICE,
} from "../../platform/rate_limit/call_budget.ts";
import type { ReadDeps } from "../series/deps.ts";
import type {
  BlocksAnswer,
  BlocksQuery,
  Sample,
} from "../checks/checked_series_schema.ts";
import {
  compareOnDay,
  compareSources,
  isIn,
  marksOf,
} from "../checks/comparison.ts";

const BLOCKS = { subject: "explorer-index", metric: "blocks" } as const;

/**
 * Reads the blocks of the C-Chain from the stored explorer series, which a daily
 * job updates. Only an empty database calls the explorer index.
 */
export async function readBlockProduction(
  deps: ReadDeps<ChainDataDeps>,
  query: BlocksQuery,
): Promise<CacheableAnswer<BlocksAnswer>> {
  const now = deps.now().getTime();
  const instant = instantOf("asOf", query.asOf, now);
  const today = dayAt(instant ?? now);
  checkDays(query, today);
  const ours = instant === null
    ? { ...await findBlocks(deps), validAt: now }
    : (await readSeriesAsOf(deps, [BLOCKS], instant))[0]!;
  const { series } = ours;
  const reads = instant === null
    ? currentReads(deps, readStored(deps))
    : earlierReads(deps, instant);
  const second = await SOURCES.blocks.second(reads);
  const { window, points, range, days, tail, changedAt } = compareSources(
    "blocks",
    { ours, second },
    { query, interval: "day", today, instant },
  );
  const meanDays = Number(query.window);
  const answer: BlocksAnswer = {
    chainName: "C-Chain",
    unit: CHECKS.blocks.unit,
    token: "AVAX",
    range,
    ...days,
    window: meanDays,
    series: points.map(({ day, value, complete, ...marks }) => ({
      day,
      blocks: value,
      meanBlockTimeSeconds: meanBlockTime(series, parseDay(day), {
        days: meanDays,
        today,
      }),
      complete,
      ...marksOf(marks),
    })),
    samples: (await reads.samples())
      .filter(({ day }) => isIn(window, day))
      .map((sample) => showSample(sample, series, today)),
    ...tail,
    lagHours: hoursSince(ours.fetchedAt, instant ?? now),
  };
  return {
    answer,
    fetchedAt: ours.validAt,
    changedAt,
    isFinal: isFinal(instant, now),
  };
}

/** Finds the stored blocks. If the first fill is incomplete, it fetches the rest first. */
async function findBlocks(deps: ReadDeps<ChainDataDeps>) {
  const stored = await findExplorerSeries(deps, "blocks");
  if (isFilled(stored)) return stored;
  await deps.share("blocks", async () => {
    // Another request may have filled it since.
    if (isFilled(await findExplorerSeries(deps, "blocks"))) return;
    await fetchNewDays(deps, "blocks", () => readerCallOptions(SERVICE));
  });
  const read = await findExplorerSeries(deps, "blocks");
  if (read) return read;
  const { host } = new URL(deps.upstream.explorer.baseUrl);
  throw upstreamDown(host, "it has no blocks");
}

/** Returns whether the first fill is complete. */
function isFilled(stored: StoredSeries | null): stored is StoredSeries {
  return stored !== null && stored.wholeAt > 0;
}

/** Returns the mean block time over the trailing days, in seconds; null if a day is incomplete. */
function meanBlockTime(
  series: DailySeries,
  day: number,
  { days, today }: { days: number; today: number },
): number | null {
  let blocks = 0;
  for (let back = day; back > day - days; back--) {
    if (!isComplete(series, back, today)) return null;
    blocks += valueOn(series, back);
  }
  if (blocks === 0) return null;
  const seconds = days * DAY_MS / 1000 / blocks;
  return Math.round(seconds * 1e4) / 1e4;
}

function showSample(
  sample: BlockSample,
  series: DailySeries,
  today: number,
): Sample {
  const { day, firstBlock, previousBlock, nextDayFirstBlock } = sample;
  const blocks = isComplete(series, day, today) ? valueOn(series, day) : null;
  const rpcBlocks = rpcBlocksOf(sample);
  const { previousBlockTimestamp } = sample;
  return {
    day: formatDay(day),
    firstBlock,
    firstBlockTimestamp: showSeconds(sample.firstBlockTimestamp),
    previousBlock,
    previousBlockTimestamp: previousBlockTimestamp === null
      ? null
      : showSeconds(previousBlockTimestamp),
    nextDayFirstBlock,
    rpcBlocks,
    blocks,
    agrees: blocks === null
      ? null
      : compareOnDay("blocks", blocks, rpcBlocks).agrees,
    calls: verifyingCalls(sample),
  };
}

/** Lists the calls that show which blocks are the first and the last ones of a sampled day. */
function verifyingCalls(
  { day, firstBlock, previousBlock, nextDayFirstBlock }: BlockSample,
): Sample["calls"] {
  const [start, end] = [day, day + 1]
    .map((day) => new Date(startOfDay(day)).toISOString());
  const call = (height: number, expected: string) => ({
    method: "eth_getBlockByNumber" as const,
    params: [`0x${height.toString(16)}`, false] as [string, false],
    expected: `timestamp ${expected}`,
  });
  return [
    ...previousBlock === null ? [] : [call(previousBlock, `before ${start}`)],
    call(firstBlock, `from ${start} on`),
    call(nextDayFirstBlock - 1, `before ${end}`),
    call(nextDayFirstBlock, `from ${end} on`),
  ];
}

function showSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
