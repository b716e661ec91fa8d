/**
 * The score history of an address: a point per day. It is stored as bytes, in which a
 * point takes what changed since the point before it. Ninety days take less than 2,000
 * bytes instead of 13,000.
 */
import { TIER_IDS, type TierId, TIERS } from "../model/score_terms_schema.ts";
import { type Tier, type TierFloors, tierOf } from "../model/scoring_model.ts";
import { type Breakdown, HISTORY_DAYS } from "../model/scores_schema.ts";
import { dayAt } from "../platform/days.ts";
import { putVarint, readVarint } from "../platform/bytes.ts";

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

/** A history as it is stored: packed, or as it is if packing would lose something. */
export type StoredHistory = Uint8Array<ArrayBuffer> | ScoreHistory;

/** The parts of a breakdown, those that change often first: they take the low bits. */
const PARTS = [
  "walletAge",
  "txActivity",
  "gasSpent",
  "followers",
  "verifiedSocials",
  "premium",
  "donations",
  "paidSlug",
  "humanProofs",
] as const;

/** What differs from what the point before it lets expect; bits after those of the parts. */
const HAS = {
  /** The total is not the sum of the parts. */
  total: 1 << PARTS.length,
  /** The headline is not the rounded total. */
  headline: 2 << PARTS.length,
  /** The day is not the next one, or the tier or the model is another one. */
  frame: 4 << PARTS.length,
  /** It has a legacy score. */
  score: 8 << PARTS.length,
  /** It has no part for proofs of a human. */
  noProofs: 16 << PARTS.length,
  /** The score was read on the day. Versions before this one ignore it. */
  read: 32 << PARTS.length,
} as const;

/** A point as whole numbers: hundredths, and positions in lists. */
interface Numbers {
  readonly parts: readonly number[];
  readonly day: number;
  readonly tier: number;
  readonly model: number;
}

const BEFORE_FIRST: Numbers = {
  parts: PARTS.map(() => 0),
  day: -1,
  tier: 0,
  model: 0,
};

/** Packs a history. One with other fields, or with finer values than hundredths, stays as it is. */
export function packHistory(history: ScoreHistory): StoredHistory {
  const { points, readAt } = history;
  const models = [...new Set(points.map(({ model }) => model))];
  const bytes: number[] = [];
  const names = new TextEncoder().encode(models.join(" "));
  putVarint(bytes, readAt);
  putVarint(bytes, names.length);
  for (const byte of names) bytes.push(byte);
  let before: Numbers | null = BEFORE_FIRST;
  for (const point of points) {
    before = putPoint(bytes, point, { before, models });
    if (before === null) return history;
  }
  return Uint8Array.from(bytes);
}

/** Returns a stored history; null if none is stored. */
export function unpackHistory(
  stored: StoredHistory | null,
): ScoreHistory | null {
  if (!(stored instanceof Uint8Array)) return stored;
  const cursor = { offset: 0 };
  const readAt = readVarint(stored, cursor);
  const length = readVarint(stored, cursor);
  const from = cursor.offset;
  cursor.offset += length;
  const models = new TextDecoder().decode(stored.subarray(from, cursor.offset))
    .split(" ");
  const points: ScorePoint[] = [];
  let before = BEFORE_FIRST;
  while (cursor.offset < stored.length) {
    const read = readPoint(stored, cursor, { before, models });
    points.push(read.point);
    before = read.numbers;
  }
  return { points, readAt };
}

/** Appends a point, and returns its numbers; null if it can't be packed. */
function putPoint(
  bytes: number[],
  { day, tier, model, headline, score, isRead, breakdown, ...others }:
    ScorePoint,
  { before, models }: {
    readonly before: Numbers;
    readonly models: readonly string[];
  },
): Numbers | null {
  const { total, ...parts } = breakdown;
  const hasProofs = parts.humanProofs !== undefined;
  const numbers: Numbers = {
    day,
    tier: TIER_IDS.indexOf(tier),
    model: models.indexOf(model),
    parts: PARTS.map((part) => hundredths(parts[part] ?? 0)),
  };
  const sum = numbers.parts.reduce((sum, part) => sum + part, 0);
  const [totalOf, headlineOf, scoreOf] = [total, headline, score ?? 0]
    .map(hundredths) as [number, number, number];
  const isExact = Object.keys(others).length === 0 && numbers.tier >= 0 &&
    Object.keys(parts).length === PARTS.length - (hasProofs ? 0 : 1) &&
    [...numbers.parts, totalOf, headlineOf, scoreOf, day - before.day - 1]
      .every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!isExact) return null;
  const steps = numbers.parts.map((part, nth) => part - before.parts[nth]!);
  const hasFrame = day !== before.day + 1 || numbers.tier !== before.tier ||
    numbers.model !== before.model;
  const flags =
    steps.reduce((mask, step, nth) => step ? mask | 1 << nth : mask, 0) |
    (totalOf === sum ? 0 : HAS.total) |
    (headlineOf === roundedTotal(totalOf) ? 0 : HAS.headline) |
    (hasFrame ? HAS.frame : 0) |
    (score === undefined ? 0 : HAS.score) |
    (hasProofs ? 0 : HAS.noProofs) |
    (isRead ? HAS.read : 0);
  putVarint(bytes, flags);
  for (const step of steps) if (step !== 0) putVarint(bytes, zigzag(step));
  if (flags & HAS.total) putVarint(bytes, totalOf);
  if (flags & HAS.headline) putVarint(bytes, headlineOf);
  if (flags & HAS.frame) {
    putVarint(bytes, day - before.day - 1);
    bytes.push(numbers.tier);
    putVarint(bytes, numbers.model);
  }
  if (flags & HAS.score) putVarint(bytes, scoreOf);
  return numbers;
}

/** Reads the point at the cursor. */
function readPoint(
  bytes: Uint8Array,
  cursor: { offset: number },
  { before, models }: {
    readonly before: Numbers;
    readonly models: readonly string[];
  },
): { readonly point: ScorePoint; readonly numbers: Numbers } {
  const next = () => readVarint(bytes, cursor);
  const flags = next();
  const parts = before.parts.map((part, nth) =>
    flags & 1 << nth ? part + fromZigzag(next()) : part
  );
  const total = flags & HAS.total
    ? next()
    : parts.reduce((sum, part) => sum + part, 0);
  const headline = flags & HAS.headline ? next() : roundedTotal(total);
  const frame = flags & HAS.frame
    ? { day: before.day + 1 + next(), tier: next(), model: next() }
    : { day: before.day + 1, tier: before.tier, model: before.model };
  const score = flags & HAS.score ? { score: next() / 100 } : {};
  const names = PARTS.map((part, nth) => [part, parts[nth]! / 100] as const)
    .filter(([part]) => part !== "humanProofs" || !(flags & HAS.noProofs));
  return {
    numbers: { ...frame, parts },
    point: {
      day: frame.day,
      headline: headline / 100,
      model: models[frame.model]!,
      tier: TIER_IDS[frame.tier]!,
      breakdown: {
        ...Object.fromEntries(names),
        total: total / 100,
      } as ScorePoint["breakdown"],
      ...score,
      ...flags & HAS.read ? { isRead: true } : {},
    },
  };
}

/** Returns a number in hundredths; NaN if it is finer. */
function hundredths(number: number): number {
  const rounded = Math.round(number * 100);
  return rounded / 100 === number ? rounded : NaN;
}

/** The headline is the composite, rounded to a whole number. */
function roundedTotal(total: number): number {
  return Math.round(total / 100) * 100;
}

/** Maps whole numbers to those from 0, small ones to small ones. */
function zigzag(number: number): number {
  return number < 0 ? -2 * number - 1 : 2 * number;
}

function fromZigzag(number: number): number {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}
