/** Metrics of this process over the last hour. Memory is constant. */
import { SURFACE_NAMES } from "../surfaces_schema.ts";
import { EVENT_NAMES, EVENTS } from "./log_events_schema.ts";
import {
  KV_COUNT_NAMES,
  type ProcessMetricsAnswer,
  UPSTREAM_NAMES,
} from "./process_metrics_schema.ts";
import type { Clock } from "../clock.ts";
import { hourlyCounts } from "./hourly_counts.ts";
import type { Telemetry } from "./telemetry.ts";
import { timings } from "./timings.ts";

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
