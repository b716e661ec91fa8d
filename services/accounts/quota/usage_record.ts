/**
 * The stored form of a wallet's usage. It is written with every request; two arrays
 * take half the time and memory of the objects. The counts are a typed array,
 * because there may be many. For the logs a plain array is faster: it has no buffer
 * outside the heap.
 */
import { METERED_NAMES } from "../../payments/plans_schema.ts";
import type { Counter } from "./slot_counter.ts";
import type { Burst, Period } from "./quota.ts";
import { NO_USAGE, type WalletUsage } from "./wallet_usage.ts";

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
  readonly counts: Uint32Array;
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
    ...METERED_NAMES.map((name) => days[name]),
    ...Object.values(keys),
  ];
  const logs = Object.values(bursts);
  let length = 2 * logs.length;
  for (const counter of counters) length += 2 + (counter?.units.length ?? 0);
  const counts = new Uint32Array(length);
  const log: number[] = [];
  let at = 0;
  for (const counter of counters) {
    counts[at++] = counter?.since ?? 0;
    counts[at++] = counter?.units.length ?? 0;
    if (counter) counts.set(counter.units, at);
    at += counter?.units.length ?? 0;
  }
  for (const { single, batch } of logs) {
    counts[at++] = single.length;
    counts[at++] = batch.length;
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
    const units = [...counts.subarray(at + 2, at + 2 + length)];
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

const namesIn = (list: string) => list === "" ? [] : list.split(",");
