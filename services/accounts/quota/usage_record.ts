/**
 * The stored form of a wallet's usage. It is written with every request; two arrays
 * take half the time and memory of the objects. They are plain arrays: a typed array
 * has a buffer outside the heap, which takes longer to make than the numbers to write.
 */
import { METERED_NAMES } from "../../payments/plans_schema.ts";
import { type Counter, EMPTY_COUNTER } from "./slot_counter.ts";
import type { Burst, Period } from "./quota.ts";
import { NO_USAGE, type WalletUsage } from "./wallet_usage.ts";

/** What the names of the fields and the mark take, and what most numbers do. */
const BASE_BYTES = 90;
const BYTES_PER_COUNT = 3;
const BYTES_PER_TIME = 9;

/** Usage of a wallet and its keys, packed into arrays. */
export interface UsageRecord {
  /** Ids of the keys with logs, comma-separated. */
  readonly keys: string;
  /** Ids of the keys with counters, comma-separated; null if they are `keys`. */
  readonly counted: string | null;
  /**
   * The counter of hours, then one counter of days per endpoint and per counted key:
   * first slot, length, units. Then, per key, the lengths of its two logs.
   */
  readonly counts: readonly number[];
  /** The logs of each key: single requests, then batches. */
  readonly log: readonly number[];
  /** Identifies the commit that wrote the record. */
  readonly mark: number;
}

/** Packs the usage of a wallet. */
export function pack({ period, bursts, keys }: WalletUsage): UsageRecord {
  const { hours, days } = period;
  const counters = [
    hours,
    ...METERED_NAMES.map((name) => days[name] ?? EMPTY_COUNTER),
    ...Object.values(keys),
  ];
  const logs = Object.values(bursts);
  // `| 0` makes small integers: one number of another form makes each take 9 bytes.
  const counts: number[] = [];
  const log: number[] = [];
  for (const { since, units } of counters) {
    counts.push(since | 0, units.length);
    for (const unit of units) counts.push(unit | 0);
  }
  for (const { single, batch } of logs) {
    counts.push(single.length, batch.length);
    log.push(...single, ...batch);
  }
  const mark = Math.random();
  const ids = Object.keys(bursts).join();
  const counted = Object.keys(keys).join();
  return {
    keys: ids,
    counted: counted === ids ? null : counted,
    counts,
    log,
    mark,
  };
}

/** Unpacks a record. */
export function unpack(record: UsageRecord | null): WalletUsage {
  if (record === null) return NO_USAGE;
  const { keys, counted, counts, log } = record;
  let at = 0;
  function counter(): Counter {
    const [since, length] = [counts[at]!, counts[at + 1]!];
    // A copy as a plain array: earlier versions stored a typed one.
    const units = [...counts.slice(at + 2, at + 2 + length)];
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
  const logOf = () => log.slice(end, end += counts[at++]!);
  for (const id of namesIn(keys)) {
    bursts[id] = { single: logOf(), batch: logOf() };
  }
  return { period: { hours, days }, bursts, keys: byKey };
}

/** Returns about how many bytes a stored record takes. */
export function sizeOf({ keys, counted, counts, log }: UsageRecord): number {
  return BASE_BYTES + keys.length + (counted?.length ?? 0) +
    BYTES_PER_COUNT * counts.length + BYTES_PER_TIME * log.length;
}

const namesIn = (list: string) => list === "" ? [] : list.split(",");
