/** Records of the service's own measurements: validator snapshots and block samples. */
import { maxOf, scaleDown } from "../../platform/numbers.ts";
import { type DailySeries, seriesOf } from "../series/series.ts";

/** Digits of an amount in nAVAX after the decimal point of AVAX. */
const NANO_DIGITS = 9;

/** Maximum number of earlier samples of a day. A node that is in sync has none. */
const MAX_EARLIER = 10;

/** The first block at or after an instant. Timestamps are seconds since 1970; block 0 has no previous block. */
export interface FirstBlock {
  readonly firstBlock: number;
  readonly firstBlockTimestamp: number;
  readonly previousBlock: number | null;
  readonly previousBlockTimestamp: number | null;
}

/** Numbers of validators and delegators, and their stakes in nAVAX. A total over rows that can't be read is null. */
export interface ValidatorTotals {
  readonly validators: number | null;
  readonly delegators: number | null;
  readonly validatorStake: bigint | null;
  readonly delegatorStake: bigint | null;
}

/**
 * The validator set of the Primary Network, read once per day. A total is null if a
 * validator could not be read; a whole read of the day replaces such a snapshot.
 */
export interface ValidatorSnapshot extends ValidatorTotals {
  readonly day: number;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly source: string;
}

/** The first block of a day and of the next day, by the C-Chain RPC. */
export interface BlockSample extends FirstBlock {
  readonly day: number;
  readonly nextDayFirstBlock: number;
  readonly nextDayFirstBlockTimestamp: number;
  /** Epoch ms. */
  readonly takenAt: number;
  /** When the same blocks were first found; absent if this sample found them first. */
  readonly firstTakenAt?: number;
  /** Samples of the day that found other blocks, the oldest first. */
  readonly earlier?: readonly BlockSample[];
  readonly source: string;
}

/** Returns a sample, merged with the earlier samples of the same day. */
export function withEarlier(
  sample: BlockSample,
  held: BlockSample | undefined,
): BlockSample {
  if (held === undefined) return sample;
  const { earlier = [], ...last } = held;
  const isSame = last.firstBlock === sample.firstBlock &&
    last.nextDayFirstBlock === sample.nextDayFirstBlock;
  const before = isSame ? earlier : [...earlier, last].slice(-MAX_EARLIER);
  return {
    ...sample,
    ...isSame && { firstTakenAt: firstTakenAt(last) },
    ...before.length > 0 && { earlier: before },
  };
}

/** Returns the samples as they were at an instant. */
export function samplesAsOf(
  samples: readonly BlockSample[],
  instant: number,
): BlockSample[] {
  return samples.flatMap((sample) => {
    const found = [...sample.earlier ?? [], sample]
      .findLast((sample) => firstTakenAt(sample) <= instant);
    if (found === undefined) return [];
    const { takenAt } = found;
    return [{
      ...found,
      takenAt: takenAt <= instant ? takenAt : firstTakenAt(found),
    }];
  });
}

function firstTakenAt(
  { takenAt, firstTakenAt = takenAt }: BlockSample,
): number {
  return firstTakenAt;
}

/** Converts nAVAX to AVAX. */
export function toAvax(nAvax: bigint): number {
  return scaleDown(nAvax, NANO_DIGITS);
}

/** Returns the number of blocks of a sampled day. */
export function rpcBlocksOf(sample: BlockSample): number {
  return sample.nextDayFirstBlock - sample.firstBlock;
}

/** Returns the total stake of a snapshot, in AVAX; null if a part of it is not known. */
export function totalStakeOf(
  { validatorStake, delegatorStake }: ValidatorTotals,
): number | null {
  return validatorStake === null || delegatorStake === null
    ? null
    : toAvax(validatorStake + delegatorStake);
}

/** Returns whether all totals of a snapshot are known. */
export function isWhole(
  { validators, delegators, validatorStake, delegatorStake }: ValidatorTotals,
): boolean {
  return [validators, delegators, validatorStake, delegatorStake]
    .every((total) => total !== null);
}

/** Builds the daily series of total stakes, in AVAX. A whole snapshot never changes. */
export function stakeSeries(
  snapshots: readonly ValidatorSnapshot[],
): DailySeries {
  const points = snapshots.flatMap((snapshot) => {
    const value = totalStakeOf(snapshot);
    return value === null ? [] : [{ day: snapshot.day, value }];
  });
  return { ...seriesOf(points), isClosed: true };
}

/** Returns the source of the newest record and when it was taken, in epoch ms; without records the source alone. */
export function measuredBy(
  records: readonly { readonly takenAt: number; readonly source: string }[],
  { source }: { readonly source: string },
): { readonly source: string; readonly fetchedAt: number | null } {
  return {
    source: records.at(-1)?.source ?? source,
    fetchedAt: records.length === 0
      ? null
      : maxOf(records.map(({ takenAt }) => takenAt)),
  };
}

/** Builds the daily series of sampled block counts. A sample covers a whole day. */
export function sampledSeries(samples: readonly BlockSample[]): DailySeries {
  const points = samples
    .map((sample) => ({ day: sample.day, value: rpcBlocksOf(sample) }));
  return { ...seriesOf(points), isClosed: true };
}
