/** Request counters by surface and status class over the last hour. */
import {
  type Surface,
  SURFACE_NAMES,
  type SurfaceTraffic,
  type Traffic,
} from "./traffic_schema.ts";
import type { Clock } from "../clock.ts";
import { MINUTE_MS } from "../days.ts";
import { hourlyCounts } from "./hourly_counts.ts";

/** Counters of a surface: all requests, 4xx, failures. */
const KINDS = 3;
const OFFSETS = Object.fromEntries(
  SURFACE_NAMES.map((surface, at) => [surface, at * KINDS]),
) as Record<Surface, number>;

/** Requests, and the failures among them. */
export interface Counted {
  readonly requests: number;
  readonly serverErrors: number;
}

/** Returns the failed requests in percent, to two decimals. */
export function failedPct({ requests, serverErrors }: Counted): number {
  return requests === 0
    ? 0
    : Math.round(10_000 * serverErrors / requests) / 100;
}

/** Creates the request counters. Memory is constant. */
export function trafficCounter({ now }: Clock) {
  const hour = hourlyCounts({ now }, SURFACE_NAMES.length * KINDS);

  return {
    /** Counts a response. */
    count(
      surface: Surface,
      status: number,
      { failed }: { failed: boolean },
    ): void {
      const counts = hour.current();
      const at = OFFSETS[surface];
      counts[at]!++;
      if (failed) counts[at + 2]!++;
      else if (status >= 400 && status < 500) counts[at + 1]!++;
    },

    /** Sums the last hour, including the current minute. */
    read(): Traffic {
      const { since, counts } = hour.sum();
      const surfaces: SurfaceTraffic[] = SURFACE_NAMES.map((surface) => ({
        family: surface,
        requests: counts[OFFSETS[surface]]!,
        clientErrors: counts[OFFSETS[surface] + 1]!,
        serverErrors: counts[OFFSETS[surface] + 2]!,
      }));
      const total = (kind: "requests" | "serverErrors") =>
        surfaces.reduce((count, surface) => count + surface[kind], 0);
      const requests = total("requests");
      const minutes = Math.max(1, (now().getTime() - since) / MINUTE_MS);
      return {
        since: new Date(since).toISOString(),
        requests,
        requestsPerMinute: Math.round(requests / minutes * 100) / 100,
        serverErrorPct: failedPct({
          requests,
          serverErrors: total("serverErrors"),
        }),
        families: surfaces,
      };
    },
  };
}

/** Request counters of a process. */
export type TrafficCounter = ReturnType<typeof trafficCounter>;
