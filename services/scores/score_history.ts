/** The scores of an address over time: a point a day, 90 days at most. */
import type { TierId } from "./model/score_terms_schema.ts";
import type { Breakdown } from "./model/scores_schema.ts";
import { dayAt } from "../platform/days.ts";

/** The last score of a UTC day. */
export interface ScorePoint {
  readonly day: number;
  /** The headline score, absent where a version before it wrote the point; what follows is of legacy v1. */
  readonly headline?: number;
  readonly score: number;
  readonly tier: TierId;
  readonly breakdown: Breakdown;
}

/** The scores of an address. */
export interface ScoreHistory {
  /** Oldest first, at most one a day. */
  readonly points: readonly ScorePoint[];
  /** When somebody first asked for its score on the last day that somebody did, epoch ms. */
  readonly readAt: number;
}

/** Points that are kept. */
export const MOST_POINTS = 90;

/**
 * Returns the history with a point in place of an earlier one of the same day,
 * and with the day it was read on; the same object where all of that is there.
 */
export function withPoint(
  held: ScoreHistory | null,
  point: ScorePoint,
  { readAt }: { readonly readAt: number | null },
): ScoreHistory {
  const { points, readAt: heldAt } = held ?? { points: [], readAt: 0 };
  const isRead = readAt !== null && dayAt(readAt) > dayAt(heldAt);
  const same = points.find(({ day }) => day === point.day);
  const isThere = same !== undefined && isSame(same, point);
  if (held !== null && isThere && !isRead) return held;
  const others = points.filter(({ day }) => day !== point.day);
  return {
    points: [...others, point].sort((a, b) => a.day - b.day)
      .slice(-MOST_POINTS),
    readAt: isRead ? readAt : heldAt,
  };
}

function isSame(a: ScorePoint, b: ScorePoint): boolean {
  const parts = Object.keys(a.breakdown) as (keyof Breakdown)[];
  return a.headline === b.headline && a.score === b.score &&
    a.tier === b.tier &&
    parts.every((part) => a.breakdown[part] === b.breakdown[part]);
}
