/** Records the requests of this process by day: soon after the first one, then about every five minutes. */
import type { Clock } from "../clock.ts";
import { dayAt, MINUTE_MS } from "../days.ts";
import type { DayTraffic, trafficDayStore } from "./traffic_days_store.ts";

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
