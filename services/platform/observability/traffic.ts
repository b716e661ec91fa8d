/**
 * Requests of this process: counters by surface and status class over the last hour, and
 * the counts of days, recorded soon after the first request, then about every five
 * minutes.
 */
import {
  type Surface,
  SURFACE_NAMES,
  type SurfaceTraffic,
  type Traffic,
} from "./process_metrics_schema.ts";
import type { Clock } from "../clock.ts";
import { dayAt, MINUTE_MS } from "../days.ts";
import { hourlyCounts } from "./process_metrics.ts";
import type { DayTraffic, trafficDayStore } from "./traffic_days_store.ts";

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

/** How long counts wait in memory. */
const RECORD_MS = 5 * MINUTE_MS;

/** How long the first counts wait: many processes end before the longer time. */
const FIRST_RECORD_MS = 10_000;

/** The counts of a day that wait. */
interface Counts extends DayTraffic {
  requests: number;
  serverErrors: number;
}

/** Creates the recorder of a process. */
export function trafficHistory(
  { now, store }: Clock & {
    readonly store: {
      readonly trafficDays: Pick<ReturnType<typeof trafficDayStore>, "add">;
    };
  },
) {
  let waiting = new Map<number, Counts>();
  /** When the last recording began, or the first request came; epoch ms. */
  let startedAt: number | null = null;
  let waitMs = FIRST_RECORD_MS;
  let recording = Promise.resolve();

  function add(day: number, requests: number, serverErrors: number): void {
    const held = waiting.get(day);
    if (held === undefined) {
      waiting.set(day, { requests, serverErrors });
    } else {
      held.requests += requests;
      held.serverErrors += serverErrors;
    }
  }

  /** Records the waiting counts. Counts that cannot be written keep waiting. */
  async function recordWaiting(): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    await Promise.all(
      [...taken].map(([day, counts]) =>
        store.trafficDays.add(day, counts)
          .catch(() => add(day, counts.requests, counts.serverErrors))
      ),
    );
  }

  /** Records the counts, after a recording under way: its counts may have to wait again. */
  function record(): Promise<void> {
    if (startedAt !== null) {
      startedAt = now().getTime();
      waitMs = RECORD_MS;
    }
    recording = recording.then(recordWaiting);
    return recording;
  }

  /** Records the counts if they have waited long enough, otherwise returns null. */
  function recordDue(): Promise<void> | null {
    if (startedAt === null || waiting.size === 0) return null;
    // Also if the clock was set back.
    const isDue = Math.abs(now().getTime() - startedAt) >= waitMs;
    return isDue ? record() : null;
  }

  return {
    record,
    recordDue,

    /** Counts a response. If counts are due it returns the recording, which the response should wait for. */
    count({ failed }: { failed: boolean }): Promise<void> | null {
      const at = now().getTime();
      startedAt ??= at;
      add(dayAt(at), 1, failed ? 1 : 0);
      return recordDue();
    },
  };
}

/** The recorder of a process. */
export type TrafficHistory = ReturnType<typeof trafficHistory>;
