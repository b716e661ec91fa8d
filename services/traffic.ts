/** Requests of this process, counted by family and kind of status for an hour. */
import {
  type Family,
  FAMILY_NAMES,
  type FamilyTraffic,
  type Traffic,
  TRAFFIC_MINUTES,
} from "./contract/status.ts";
import type { Deps } from "./deps.ts";

const MINUTE_MS = 60_000;

/** Counts of one family in one minute: all, 400 to 499, 500 to 599. */
const KINDS = 3;
const OFFSETS = Object.fromEntries(
  FAMILY_NAMES.map((family, at) => [family, at * KINDS]),
) as Record<Family, number>;

/** One minute: which, counted from 1970, and its counts. */
interface Minute {
  nth: number;
  readonly counts: Uint32Array;
}

/** Counts requests; what it takes of memory is the same for ever. */
export function trafficCounter({ now }: Pick<Deps, "now">) {
  const startedAt = now().getTime();
  const minutes: Minute[] = Array.from({ length: TRAFFIC_MINUTES }, () => ({
    nth: -1,
    counts: new Uint32Array(FAMILY_NAMES.length * KINDS),
  }));

  return {
    /** Counts one answer. */
    count(family: Family, status: number): void {
      const nth = Math.floor(now().getTime() / MINUTE_MS);
      const minute = minutes[nth % TRAFFIC_MINUTES]!;
      if (minute.nth !== nth) {
        minute.nth = nth;
        minute.counts.fill(0);
      }
      const at = OFFSETS[family];
      minute.counts[at]!++;
      if (status >= 500) minute.counts[at + 2]!++;
      else if (status >= 400) minute.counts[at + 1]!++;
    },

    /** Sums up the last hour, this minute included. */
    read(): Traffic {
      const ms = now().getTime();
      const newest = Math.floor(ms / MINUTE_MS);
      const oldest = newest - TRAFFIC_MINUTES + 1;
      const counted = minutes.filter(({ nth }) =>
        nth >= oldest && nth <= newest
      );
      const sum = (at: number) =>
        counted.reduce((total, { counts }) => total + counts[at]!, 0);
      const families: FamilyTraffic[] = FAMILY_NAMES.map((family) => ({
        family,
        requests: sum(OFFSETS[family]),
        clientErrors: sum(OFFSETS[family] + 1),
        serverErrors: sum(OFFSETS[family] + 2),
      }));
      const total = (kind: "requests" | "serverErrors") =>
        families.reduce((count, family) => count + family[kind], 0);
      const since = Math.max(startedAt, oldest * MINUTE_MS);
      const requests = total("requests");
      return {
        since: new Date(since).toISOString(),
        requests,
        requestsPerMinute: round(
          requests / Math.max(1, (ms - since) / MINUTE_MS),
        ),
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
