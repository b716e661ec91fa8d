/**
 * Counts and times of the last hour: requests, calls to upstreams, which are traced too,
 * the database and log events.
 */
import {
  COUNTED_MINUTES,
  KV_COUNT_NAMES,
  type ProcessMetricsAnswer,
  SURFACE_NAMES,
  UPSTREAM_NAMES,
  type UpstreamName,
  UPSTREAMS,
} from "./process_metrics_schema.ts";
import type { Clock } from "../clock.ts";
import { MINUTE_MS } from "../days.ts";
import { EVENT_NAMES, EVENTS } from "./log_events_schema.ts";
import type { Attributes, Telemetry } from "./telemetry.ts";

/** One minute, numbered from 1970, and its counts. */
interface Minute {
  nth: number;
  readonly counts: Uint32Array;
}

/** The counts of the last hour, including the current minute. */
interface HourSum {
  /** An hour ago, or when counting began; epoch ms. */
  readonly since: number;
  readonly counts: readonly number[];
}

/** Creates `size` counters over the last hour. Memory is constant. */
export function hourlyCounts({ now }: Clock, size: number) {
  const startedAt = now().getTime();
  const minutes: Minute[] = Array.from({ length: COUNTED_MINUTES }, () => ({
    nth: -1,
    counts: new Uint32Array(size),
  }));

  return {
    /** Returns the counts of the current minute. Add to them at once: the array is reused. */
    current(): Uint32Array {
      const nth = Math.floor(now().getTime() / MINUTE_MS);
      const minute = minutes[nth % COUNTED_MINUTES]!;
      if (minute.nth !== nth) {
        minute.nth = nth;
        minute.counts.fill(0);
      }
      return minute.counts;
    },

    /** Sums the last hour. */
    sum(): HourSum {
      const newest = Math.floor(now().getTime() / MINUTE_MS);
      const oldest = newest - COUNTED_MINUTES + 1;
      const total = new Array<number>(size).fill(0);
      for (const { nth, counts } of minutes) {
        if (nth < oldest || nth > newest) continue;
        counts.forEach((count, at) => total[at]! += count);
      }
      return { since: Math.max(startedAt, oldest * MINUTE_MS), counts: total };
    },
  };
}

/** Counters by name over the last hour. */
function counter<Name extends string>(
  { now }: Clock,
  names: readonly Name[],
) {
  const hour = hourlyCounts({ now }, names.length);
  return {
    /** Adds to the counters. */
    add(counted: Readonly<Partial<Record<Name, number>>>): void {
      const counts = hour.current();
      names.forEach((name, at) => counts[at]! += counted[name] ?? 0);
    },
    /** Sums the last hour. */
    read(): Record<Name, number> {
      const { counts } = hour.sum();
      return Object.fromEntries(
        names.map((name, at) => [name, counts[at]!]),
      ) as Record<Name, number>;
    },
  };
}

/** Starts the metrics of this process. */
export function openProcessMetrics(
  { now }: Clock,
  { isExported }: Pick<Telemetry, "isExported">,
) {
  const requests = timings({ now }, SURFACE_NAMES);
  const calls = timings({ now }, UPSTREAM_NAMES);
  const kv = counter({ now }, KV_COUNT_NAMES);
  const events = counter({ now }, EVENT_NAMES);

  return {
    requests,
    calls,
    kv,
    events,
    /** Sums the last hour. */
    read(): ProcessMetricsAnswer {
      const counts = events.read();
      return {
        latency: requests.read().map(([surface, { count, p50Ms, p99Ms }]) => ({
          family: surface,
          requests: count,
          p50Ms,
          p99Ms,
        })),
        upstreams: calls.read().map(([upstream, { count, ...rest }]) => ({
          upstream,
          calls: count,
          ...rest,
        })),
        database: kv.read(),
        log: EVENT_NAMES.map((event) => ({
          event,
          level: EVENTS[event].level,
          count: counts[event],
        })),
        telemetry: { exported: isExported },
      };
    },
  };
}

/** Metrics of this process. */
export type ProcessMetrics = ReturnType<typeof openProcessMetrics>;

/** Upper bounds of one decade (ISO 3, R10). */
const STEPS = [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8];
const DECADES_MS = [0.1, 1, 10, 100, 1_000, 10_000];

/**
 * Upper bound of each bucket in ms. The last bucket, up to 80 s, also takes
 * longer durations.
 */
const ENDS_MS = DECADES_MS.flatMap((decade) =>
  STEPS.map((step) => Number((decade * step).toPrecision(3)))
);

/** Number of buckets. */
export const BUCKETS = ENDS_MS.length;

/** Returns the bucket of a duration in ms. */
export function bucketOf(ms: number): number {
  let bucket = 0;
  // Not `>`: NaN belongs to the last bucket.
  while (bucket < BUCKETS - 1 && !(ms <= ENDS_MS[bucket]!)) bucket++;
  return bucket;
}

/**
 * Returns a quantile in ms: the upper bound of its bucket, which is at most 28
 * % too high between 0.1 ms and 80 s. Null if there are no durations.
 */
export function quantileMs(
  counts: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  const bucket = counts.findIndex((count) => (left -= count) <= 0);
  return ENDS_MS[bucket]!;
}

/** Layout of a name's counters: failures, then buckets. */
const WIDTH = 1 + BUCKETS;

/** Durations of one name in ms; null if there are none. */
interface Timing {
  readonly count: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** Histograms by name over the last hour. Memory is constant. */
function timings<Name extends string>(
  { now }: Clock,
  names: readonly Name[],
) {
  const hour = hourlyCounts({ now }, names.length * WIDTH);

  return {
    /** Adds a duration. */
    add(
      name: Name,
      ms: number,
      { failed }: { readonly failed: boolean },
    ): void {
      const counts = hour.current();
      const at = names.indexOf(name) * WIDTH;
      if (failed) counts[at]!++;
      counts[at + 1 + bucketOf(ms)]!++;
    },

    /** Sums the last hour, in the order of the names. */
    read(): (readonly [Name, Timing])[] {
      const { counts } = hour.sum();
      return names.map((name, nth) => {
        const [errors, ...buckets] = counts.slice(
          nth * WIDTH,
          (nth + 1) * WIDTH,
        );
        return [name, {
          count: buckets.reduce((sum, count) => sum + count, 0),
          errors: errors!,
          p50Ms: quantileMs(buckets, 0.5),
          p99Ms: quantileMs(buckets, 0.99),
        }];
      });
    },
  };
}

/** What the instrumentation uses. */
interface CallDeps {
  readonly processMetrics: Pick<ProcessMetrics, "calls">;
  readonly telemetry: Telemetry;
}

/** Returns the instrumentation of an upstream, by its name. */
export function instrumentCalls({ processMetrics, telemetry }: CallDeps) {
  return (upstream: UpstreamName): InstrumentCall => {
    async function timed<T>(work: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      let failed = true;
      try {
        const result = await work();
        failed = false;
        return result;
      } finally {
        processMetrics.calls.add(upstream, performance.now() - startedAt, {
          failed,
        });
      }
    }

    async function traced<T>(
      { host, operation }: UpstreamCall,
      work: () => Promise<T>,
    ): Promise<T> {
      const asked = await operation();
      return telemetry.trace({
        name: `${upstream} ${asked}`,
        kind: "client",
        attributes: {
          ...serverOf(host),
          "firn.upstream": UPSTREAMS[upstream],
          "firn.operation": asked,
        },
      }, () => timed(work));
    }

    return telemetry.isExported ? traced : (_call, work) => timed(work);
  };
}

/** Returns the name and the port of a host, which the conventions keep apart. */
function serverOf(host: string): Attributes {
  const [, name = host, port] = host.match(/^(.*):(\d+)$/) ?? [];
  return {
    "server.address": name,
    ...(port === undefined ? {} : { "server.port": Number(port) }),
  };
}

/** One call. */
export interface UpstreamCall {
  /** Host that is called. */
  readonly host: string;
  /**
   * Describes the call with low cardinality and without parameters. Called
   * before the work begins.
   */
  readonly operation: () => string | Promise<string>;
}

/** Runs a call and records its outcome. */
export type InstrumentCall = <T>(
  call: UpstreamCall,
  work: () => Promise<T>,
) => Promise<T>;

/** Runs a call and records nothing. */
export const uninstrumented: InstrumentCall = (_call, work) => work();
