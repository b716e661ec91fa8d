/** What the service measures itself: validator sets and first blocks of days. */
import type { FirstBlock } from "./blocks/block_search.ts";
import { type DailySeries, seriesOf } from "./series/series.ts";

/** nAVAX of one AVAX. */
const NANO = 1_000_000_000;

/** The validator set of the Primary Network at an instant of a day; stakes in nAVAX. */
export interface ValidatorSnapshot {
  readonly day: number;
  readonly validators: number;
  readonly delegators: number;
  readonly validatorStake: bigint;
  readonly delegatorStake: bigint;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly source: string;
}

/** The blocks of a day by the RPC: its first block, and the first of the next day. */
export interface BlockSample extends FirstBlock {
  readonly day: number;
  readonly nextDayFirstBlock: number;
  readonly nextDayFirstBlockTimestamp: number;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly source: string;
}

/** Returns nAVAX as AVAX. */
export function toAvax(nAvax: number | bigint): number {
  return Number(nAvax) / NANO;
}

/** Returns the blocks of a sampled day. */
export function rpcBlocksOf(sample: BlockSample): number {
  return sample.nextDayFirstBlock - sample.firstBlock;
}

/** Returns the total stake of a snapshot, in AVAX. */
export function totalStakeOf(snapshot: ValidatorSnapshot): number {
  return toAvax(snapshot.validatorStake + snapshot.delegatorStake);
}

/** Returns the total stakes of snapshots as a daily series, in AVAX. */
export function stakeSeries(
  snapshots: readonly ValidatorSnapshot[],
): DailySeries {
  return seriesOf(
    snapshots.map((snapshot) => ({
      day: snapshot.day,
      value: totalStakeOf(snapshot),
    })),
  );
}

/** Returns the sampled block counts as a daily series. */
export function sampledSeries(samples: readonly BlockSample[]): DailySeries {
  return seriesOf(
    samples.map((sample) => ({ day: sample.day, value: rpcBlocksOf(sample) })),
  );
}
