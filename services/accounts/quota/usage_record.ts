/**
 * The stored form of a wallet's usage. It is written with every request; two arrays
 * take half the time and memory of the objects. They are plain arrays: a typed array
 * has a buffer outside the heap, which takes longer to make than the numbers to write.
 */
import { METERED_NAMES } from "../../payments/plans_schema.ts";
import { type Counter, EMPTY_COUNTER } from "./rolling_window.ts";
import type { Burst, Period } from "./quota.ts";
import { DAY_MS, dayAt } from "../../platform/days.ts";
import type { Marked } from "../../platform/kv/commit_recovery.ts";
import { NO_USAGE, type WalletUsage } from "./wallet_usage.ts";

/** Bytes of a record without ids, counts and logs, and those of the name `counted`. */
const BASE_BYTES = 70;
const COUNTED_BYTES = 11;

/** Bytes of a number below each limit: one for the type, and one for every seven bits. */
const NUMBER_BYTES: readonly (readonly [below: number, bytes: number])[] = [
  [2 ** 6, 2],
  [2 ** 13, 3],
  [2 ** 20, 4],
  [2 ** 27, 5],
  [2 ** 31, 6],
  [Infinity, 9],
];

/** Larger than any number of a day, and smaller than any time in epoch ms. */
const MAX_DAY = 1e9;

/** Usage of a wallet and its keys, packed into arrays. */
export interface UsageRecord extends Marked {
  /** Ids of the keys with logs, comma-separated. */
  readonly keys: string;
  /** Ids of the keys with counters, comma-separated; absent if they are `keys`. */
  readonly counted?: string;
  /**
   * The counter of hours, then one counter of days per endpoint and per counted key:
   * first slot, length, units. Then, per key, the lengths of its two logs.
   */
  readonly counts: readonly number[];
  /**
   * The logs of each key: single requests, then batches. A log that is not empty
   * contains the day of its first request, the milliseconds from the start of that day
   * to the request, and the milliseconds from each request to the next. These are small
   * numbers. If the times are weeks apart, the log contains all of them in full.
   */
  readonly log: readonly number[];
}

/** Packs the usage of a wallet. */
export function pack(
  { period, bursts, keys }: WalletUsage,
  marks: readonly number[],
): UsageRecord {
  const { hours, days } = period;
  const counters = [
    hours,
    ...METERED_NAMES.map((name) => days[name] ?? EMPTY_COUNTER),
    ...Object.values(keys),
  ];
  const logs = Object.values(bursts);
  // `| 0` keeps the numbers small integers: a single other number makes each take 9 bytes.
  const counts: number[] = [];
  const log: number[] = [];
  for (const { since, units } of counters) {
    counts.push(since | 0, units.length);
    for (const unit of units) counts.push(unit | 0);
  }
  for (const { single, batch } of logs) {
    counts.push(single.length, batch.length);
    for (const times of [single, batch]) {
      for (const packed of packTimes(times)) log.push(packed);
    }
  }
  const ids = Object.keys(bursts).join();
  const counted = Object.keys(keys).join();
  return {
    keys: ids,
    ...counted === ids ? {} : { counted },
    counts,
    log,
    marks,
  };
}

/** Unpacks a record. */
export function unpack(record: UsageRecord | null): WalletUsage {
  if (record === null) return NO_USAGE;
  const { keys, counted, counts, log } = record;
  let at = 0;
  function counter(): Counter {
    const [since, length] = [counts[at]!, counts[at + 1]!];
    const units = counts.slice(at + 2, at + 2 + length);
    at += 2 + length;
    return { since, units };
  }
  const hours = counter();
  const days: { -readonly [Name in keyof Period["days"]]: Counter } = {};
  for (const name of METERED_NAMES) {
    const units = counter();
    if (units.units.length > 0) days[name] = units;
  }
  const byKey: Record<string, Counter> = {};
  for (const id of namesIn(counted ?? keys)) byKey[id] = counter();
  const bursts: Record<string, Burst> = {};
  let end = 0;
  function logOf(): number[] {
    const length = counts[at++]!;
    if (length === 0) return [];
    // All times in full: they are weeks apart.
    if (log[end]! > MAX_DAY) return log.slice(end, end += length);
    let time = log[end++]! * DAY_MS;
    return log.slice(end, end += length).map((step) => time += step);
  }
  for (const id of namesIn(keys)) {
    bursts[id] = { single: logOf(), batch: logOf() };
  }
  return { period: { hours, days }, bursts, keys: byKey };
}

/** Returns how many bytes a stored record takes, or a few more. */
export function sizeOf({ keys, counted, counts, log }: UsageRecord): number {
  const countedBytes = counted ? COUNTED_BYTES + counted.length : 0;
  return BASE_BYTES + keys.length + countedBytes + bytesOf(counts) +
    bytesOf(log);
}

/** Packs times into a day and steps; times that are weeks apart stay as they are. */
function packTimes(times: readonly number[]): readonly number[] {
  if (times.length === 0) return times;
  const day = dayAt(times[0]!);
  const packed = [day | 0];
  let before = day * DAY_MS;
  for (const time of times) {
    const step = time - before;
    if (step !== (step | 0)) return times;
    packed.push(step | 0);
    before = time;
  }
  return packed;
}

function bytesOf(counts: readonly number[]): number {
  let bytes = 0;
  for (const count of counts) {
    bytes += NUMBER_BYTES.find(([below]) => Math.abs(count) < below)![1];
  }
  return bytes;
}

const namesIn = (list: string) => list === "" ? [] : list.split(",");
