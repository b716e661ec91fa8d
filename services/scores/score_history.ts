/** The score history of an address: a point per day. */
import type { TierId } from "../model/score_terms_schema.ts";
import type { Breakdown } from "../model/scores_schema.ts";
import { dayAt } from "../platform/days.ts";
import { HISTORY_DAYS } from "./score_requests_schema.ts";

/** The last score of a UTC day. */
export interface ScorePoint {
  readonly day: number;
  /** The headline score. The fields below are of legacy v1. */
  readonly headline: number;
  /** The model of the headline score. */
  readonly model: string;
  readonly score: number;
  readonly tier: TierId;
  readonly breakdown: Breakdown;
}

/** The score history of an address. */
export interface ScoreHistory {
  /** Oldest first, at most one a day. */
  readonly points: readonly ScorePoint[];
  /** First read on the last day on which the score was read, epoch ms. */
  readonly readAt: number;
}

/**
 * Returns the history with a point that replaces an earlier one of the same day,
 * and with the day of the read. Returns the same object if nothing changes.
 */
export function withPoint(
  stored: ScoreHistory | null,
  point: ScorePoint,
  { readAt }: { readonly readAt: number | null },
): ScoreHistory {
  const { points, readAt: storedAt } = stored ?? { points: [], readAt: 0 };
  const isRead = readAt !== null && dayAt(readAt) > dayAt(storedAt);
  const same = points.find(({ day }) => day === point.day);
  const isThere = same !== undefined && isSame(same, point);
  if (stored !== null && isThere && !isRead) return stored;
  const others = points.filter(({ day }) => day !== point.day);
  return {
    points: [...others, point].sort((a, b) => a.day - b.day)
      .slice(-HISTORY_DAYS),
    readAt: isRead ? readAt : storedAt,
  };
}

function isSame(a: ScorePoint, b: ScorePoint): boolean {
  const parts = Object.keys(a.breakdown) as (keyof Breakdown)[];
  return a.headline === b.headline && a.model === b.model &&
    a.score === b.score &&
    a.tier === b.tier &&
    parts.every((part) => a.breakdown[part] === b.breakdown[part]);
}
