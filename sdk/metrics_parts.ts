/** Splits a long series into parts of a year. */
import type { Metrics, MetricsQuery } from "./api_types.ts";
import type { Answer } from "./facts.ts";

/** The first day of any series. */
export const FIRST_DAY = "2020-09-21";

const DAY_MS = 86_400_000;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The days of one part, inclusive; without `to` up to today. */
export interface Part {
  /** First day, `YYYY-MM-DD`. */
  readonly from: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly to?: string;
}

/** Reads a series in parts: a year each for a long range, otherwise a single one. */
export async function* readParts(
  query: MetricsQuery,
  read: (query: MetricsQuery) => Promise<Answer<Metrics>>,
): AsyncGenerator<Answer<Metrics>, void, undefined> {
  const { range: _, from: __, to: ___, ...rest } = query;
  const parts = partsOf(query, dayOf(Date.now()));
  if (parts === null) yield await read(query);
  else for (const days of parts) yield await read({ ...rest, ...days });
}

/**
 * Splits a query at the ends of years, and of the weeks that contain them if it
 * asks for weeks. Returns null for a query that is sent as it is: a short range,
 * or what changed since an instant.
 */
export function partsOf(query: MetricsQuery, today: string): Part[] | null {
  const { range, from, to, interval, updatedAfter } = query;
  const first = range === "all" && !from && !to ? FIRST_DAY : from;
  const isLong = updatedAfter === undefined && first !== undefined &&
    (range === undefined || range === "all" && first !== from);
  // An invalid day is sent too: the error of the service explains it.
  if (!isLong || !DAY.test(first) || (to !== undefined && to < FIRST_DAY)) {
    return null;
  }
  const parts: Part[] = [];
  for (let start = first < FIRST_DAY ? FIRST_DAY : first;;) {
    const end = endOf(start, interval === "week");
    // The last part has no end, because the clock of the service may be ahead.
    if (nextDay(end) >= today || (to !== undefined && end >= to)) {
      return [...parts, { from: start, ...to !== undefined && { to } }];
    }
    parts.push({ from: start, to: end });
    start = nextDay(end);
  }
}

/** Returns the last day of the year of a day, or of the week that the year ends in. */
function endOf(day: string, isWeekly: boolean): string {
  const at = (year: number) => {
    const end = Date.UTC(year, 11, 31);
    return dayOf(
      end + (isWeekly ? (7 - new Date(end).getUTCDay()) % 7 : 0) * DAY_MS,
    );
  };
  const year = Number(day.slice(0, 4));
  // The first days of January may belong to the last week of the year before.
  return at(year - 1) >= day ? at(year - 1) : at(year);
}

const nextDay = (day: string) => dayOf(Date.parse(day) + DAY_MS);

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
