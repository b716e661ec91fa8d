/** Requests of this process, counted by family and kind of status for an hour. */
import { type Surface, SURFACE_NAMES } from "../surfaces_schema.ts";
import type { SurfaceTraffic, Traffic } from "./traffic_schema.ts";
import type { Clock } from "../clock.ts";
import { hourlyCounts } from "./hourly_counts.ts";

const MINUTE_MS = 60_000;

/** Counts of one family: all, 400 to 499, 500 to 599. */
const KINDS = 3;
const OFFSETS = Object.fromEntries(
  SURFACE_NAMES.map((family, at) => [family, at * KINDS]),
) as Record<Surface, number>;

/** Counts requests; what it takes of memory is the same for ever. */
export function trafficCounter({ now }: Clock) {
  const hour = hourlyCounts({ now }, SURFACE_NAMES.length * KINDS);

  return {
    /** Counts one answer. */
    count(family: Surface, status: number): void {
      const counts = hour.current();
      const at = OFFSETS[family];
      counts[at]!++;
      if (status >= 500) counts[at + 2]!++;
      else if (status >= 400) counts[at + 1]!++;
    },

    /** Sums up the last hour, this minute included. */
    read(): Traffic {
      const { since, counts } = hour.sum();
      const families: SurfaceTraffic[] = SURFACE_NAMES.map((family) => ({
        family,
        requests: counts[OFFSETS[family]]!,
        clientErrors: counts[OFFSETS[family] + 1]!,
        serverErrors: counts[OFFSETS[family] + 2]!,
      }));
      const total = (kind: "requests" | "serverErrors") =>
        families.reduce((count, family) => count + family[kind], 0);
      const requests = total("requests");
      const minutes = Math.max(1, (now().getTime() - since) / MINUTE_MS);
      return {
        since: new Date(since).toISOString(),
        requests,
        requestsPerMinute: round(requests / minutes),
        serverErrorPct: requests === 0
          ? 0
          : round(100 * total("serverErrors") / requests),
        families,
      };
    },
  };
}

/** Counts the requests of a process. */
export type TrafficCounter = ReturnType<typeof trafficCounter>;

const round = (value: number) => Math.round(value * 100) / 100;
