/** The score history of an address: a point per day. */
import { type TierId, TIERS } from "../model/score_terms_schema.ts";
import { type Tier, type TierFloors, tierOf } from "../model/scoring_model.ts";
import type { Breakdown } from "../model/scores_schema.ts";
import { dayAt } from "../platform/days.ts";
import { HISTORY_DAYS } from "./score_requests_schema.ts";

/** The last score of a UTC day. */
export interface ScorePoint {
  readonly day: number;
  readonly headline: number;
  readonly model: string;
  /** The tier and the points of the headline score. */
  readonly tier: TierId;
  readonly breakdown: Omit<Breakdown, "humanProofs"> & Partial<Breakdown>;
  /** Whether the score was read on the day, and not only recorded. */
  readonly isRead?: true;
  /** The legacy v1 score, of a point before `s4-2026.3`. `tier` and `breakdown` are of it. */
  readonly score?: number;
}

/** The score history of an address. */
export interface ScoreHistory {
  /** Oldest first, at most one a day. */
  readonly points: readonly ScorePoint[];
  /** First read on the last day on which the score was read, epoch ms. */
  readonly readAt: number;
}

/** Days of reads, of so many last ones, after which an address is refreshed ahead. */
const OFTEN_DAYS = 2;
const OFTEN_WITHIN_DAYS = 7;

/** The floors of the models of points before `s4-2026.3`. */
const EARLIER_FLOORS: Readonly<Record<string, TierFloors>> = {
  "s4-2026.1": {
    starter: 0,
    newcomer: 15,
    rising: 30,
    established: 45,
    elite: 65,
    legendary: 85,
  },
  "s4-2026.2": {
    starter: 0,
    newcomer: 12,
    rising: 43,
    established: 62,
    elite: 87,
    legendary: 97,
  },
};

/** Returns the tier of a point's headline score, by the model of the point. */
export function headlineTierOf({ headline, model, tier }: ScorePoint): Tier {
  const floors = EARLIER_FLOORS[model];
  return floors
    ? tierOf(headline, floors)
    : { tier, tierLabel: TIERS[tier].label };
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
  const isReadThen = readAt !== null && dayAt(readAt) === point.day;
  const next = isReadThen || same?.isRead
    ? { ...point, isRead: true as const }
    : point;
  return {
    points: [...others, next].sort((a, b) => a.day - b.day)
      .slice(-HISTORY_DAYS),
    readAt: isRead ? readAt : storedAt,
  };
}

/** Returns whether the score was read on two of the last seven days, today included. */
export function isReadOften({ points }: ScoreHistory, now: number): boolean {
  const first = dayAt(now) - OFTEN_WITHIN_DAYS + 1;
  const days = points.filter(({ day, isRead }) => isRead && day >= first);
  return days.length >= OFTEN_DAYS;
}

function isSame(a: ScorePoint, b: ScorePoint): boolean {
  const parts = Object.keys(a.breakdown) as (keyof Breakdown)[];
  return a.headline === b.headline && a.model === b.model &&
    a.tier === b.tier &&
    parts.every((part) => a.breakdown[part] === b.breakdown[part]);
}
