/** Pagination of series in the Metrics API. */
import { z } from "zod";
import { DAY_SECONDS } from "../series/days.ts";
import { parse, refuse } from "./metrics_errors.ts";
import { pageToken, readPageToken } from "./page_tokens.ts";
import type { Bucket, Interval } from "../series/rollups.ts";

/** The query parameters of a series. */
interface HistoryQuery {
  /** The length of a bucket. */
  readonly timeInterval: Interval;
  /** The oldest timestamp, in seconds, inclusive. */
  readonly startTimestamp: number;
  /** The newest timestamp, in seconds, inclusive. */
  readonly endTimestamp: number;
  /** Maximum number of points on a page. */
  readonly pageSize: number;
  /** The token from the previous page. */
  readonly pageToken?: string | undefined;
}

const timestamp = z.coerce.number().int().min(0);
const historyQuery = z.object({
  timeInterval: z.enum(["day", "week", "month"]).default("day"),
  startTimestamp: timestamp.default(0),
  endTimestamp: timestamp.default(Infinity),
  pageSize: z.coerce.number().int().min(1).max(2160).default(100),
  pageToken: z.string().optional(),
});

/** Parses the query parameters; throws a 400 if they are invalid. */
export function readHistoryQuery(
  params: Readonly<Record<string, string>>,
): HistoryQuery {
  return parse(historyQuery, params);
}

/** Returns one page, newest first. A token holds the timestamp of the page's first point. */
export function answerPage(
  listing: string,
  buckets: readonly Bucket[],
  query: HistoryQuery,
): Response {
  const newest = Math.min(
    query.endTimestamp,
    readPosition(listing, query.pageToken) ?? Infinity,
  );
  const points = buckets
    .map(({ day, value }) => ({ value, timestamp: day * DAY_SECONDS }))
    .filter(({ timestamp }) =>
      timestamp >= query.startTimestamp && timestamp <= newest
    )
    .reverse();
  const next = points[query.pageSize];
  return Response.json({
    results: points.slice(0, query.pageSize),
    ...(next && { nextPageToken: pageToken(listing, next.timestamp) }),
  });
}

/** Returns the position in a page token; null without a token. */
export function readPosition(
  listing: string,
  token: string | undefined,
): number | null {
  if (token === undefined) return null;
  return readPageToken(listing, token) ?? refuse(400, "pageToken is invalid");
}
