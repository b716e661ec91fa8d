/** Records the requests of this process by day, about every five minutes. */
import type { Clock } from "../clock.ts";
import { dayAt } from "../days.ts";
import type { DayTraffic, trafficDayStore } from "./traffic_days_store.ts";

/** How long counts wait in memory. */
const RECORD_MS = 5 * 60_000;

/** The counts of a day that wait. */
interface Counts extends DayTraffic {
  requests: number;
  serverErrors: number;
}

/** Creates the recorder. It needs no timer: a request records what the process counted before. */
export function trafficHistory(
  { now, store }: Clock & {
    readonly store: {
      readonly trafficDays: Pick<ReturnType<typeof trafficDayStore>, "add">;
    };
  },
) {
  let waiting = new Map<number, Counts>();
  let recordedAt = now().getTime();

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
  async function record(): Promise<void> {
    recordedAt = now().getTime();
    const taken = waiting;
    waiting = new Map();
    await Promise.all(
      [...taken].map(([day, counts]) =>
        store.trafficDays.add(day, counts)
          .catch(() => add(day, counts.requests, counts.serverErrors))
      ),
    );
  }

  return {
    record,

    /** Counts a response. Every five minutes it returns the recording, which the response should wait for. */
    count(status: number): Promise<void> | null {
      const at = now().getTime();
      add(dayAt(at), 1, status >= 500 ? 1 : 0);
      // Also if the clock was set back.
      return Math.abs(at - recordedAt) < RECORD_MS ? null : record();
    },
  };
}

/** The recorder of a process. */
export type TrafficHistory = ReturnType<typeof trafficHistory>;
