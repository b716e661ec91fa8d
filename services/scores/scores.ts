/** Scores of addresses: read live, screened from the store, and by day. */
import { minuteOf, secondOf } from "../platform/instants.ts";
import {
  findSignals,
  type ReadOptions,
  readSignals,
  type UsableSignals,
} from "./address_signals.ts";
import type {
  BatchAnswer,
  BatchItem,
  HistoryAnswer,
  Score,
  ScoreRead,
} from "./model/scores_schema.ts";
import type { ScoresDeps } from "./deps.ts";
import { dayAt, formatDay } from "../platform/days.ts";
import { isoTimestamps } from "../platform/iso_timestamps.ts";
import { Fault } from "../platform/fault.ts";
import type { ScorePoint } from "./score_history.ts";
import { MODELS, scoreOf } from "./model/model.ts";
import { signalsOf } from "../profiles/profile.ts";
import { NO_CHAIN } from "./model/signals.ts";
import { legacyTier } from "./model/tiers.ts";
import { grantIfDue } from "../profiles/verified_humans.ts";
import { findProfileSignals, type ProfileSignals } from "./profile_signals.ts";

type ScoreDeps = Pick<ScoresDeps, "now" | "share" | "store" | "upstream">;

/** Scores an address, lower-case; throws a retryable fault where its signals are not to be had. */
export async function readScore(
  deps: ScoreDeps,
  address: string,
  options: ReadOptions = {},
): Promise<ScoreRead> {
  const [held, own] = await Promise.all([
    readSignals(deps, address, options).catch(toScoringFault),
    findProfileSignals(deps, address),
  ]);
  const { firstTxAt } = held.signals;
  const profile = await grantIfDue(deps, address, { ...own, firstTxAt });
  const now = deps.now().getTime();
  const read = scoreAt(address, { held, own: { ...own, profile } }, now);
  const point = pointOf(read, now);
  await deps.store.scores.put(address, point, { readAt: now });
  return read;
}

/** What is stored of an address: all that its score depends on beside the clock. */
export interface ScoreInputs {
  readonly held: UsableSignals;
  readonly own: ProfileSignals;
}

/** Finds what a score needs; null where no stored signals are usable. */
export async function findInputs(
  deps: Pick<ScoresDeps, "now" | "store" | "upstream">,
  address: string,
): Promise<ScoreInputs | null> {
  const [[held], own] = await Promise.all([
    findSignals(deps, [address]),
    findProfileSignals(deps, address),
  ]);
  return held ? { held, own } : null;
}

/** Scores an address at an instant, in epoch ms. */
export function scoreAt(
  address: string,
  { held, own }: ScoreInputs,
  now: number,
): ScoreRead {
  const { model, ...score } = scoreHeld(held, own, now);
  return { address, ...score, fetchedAt: fetchedAtOf(now), model };
}

/** Returns the point that a score is in its history. */
export function pointOf(
  { headline, score, tier, breakdown }: ScoreRead,
  now: number,
): ScorePoint {
  return { day: dayAt(now), headline: headline.score, score, tier, breakdown };
}

/** Many answers are of one second. */
const isoInstant = isoTimestamps();

/** Returns how an answer says when it was read: to the second. */
export function fetchedAtOf(now: number): string {
  return isoInstant(secondOf(now));
}

/** A score by stored signals, and how current these are. */
export interface FoundScore {
  readonly read: ScoreRead;
  readonly freshness: UsableSignals["freshness"];
}

/** Scores an address by its stored signals and records nothing; null where none are usable. */
export async function findScore(
  deps: Pick<ScoresDeps, "now" | "store" | "upstream">,
  address: string,
): Promise<FoundScore | null> {
  const inputs = await findInputs(deps, address);
  if (inputs === null) return null;
  const read = scoreAt(address, inputs, deps.now().getTime());
  return { read, freshness: inputs.held.freshness };
}

/** Screens addresses from stored signals alone, in the order given. */
export async function readBatch(
  deps: Pick<ScoresDeps, "now" | "store" | "upstream">,
  addresses: readonly string[],
): Promise<BatchAnswer> {
  const [held, own] = await Promise.all([
    findSignals(deps, addresses),
    Promise.all(addresses.map((address) => findProfileSignals(deps, address))),
  ]);
  const now = deps.now().getTime();
  const results = addresses.map((address, index): BatchItem => {
    const { score, tier, tierLabel, s4, graph, verifiedHuman } = scoreHeld(
      held[index] ?? null,
      own[index]!,
      now,
    );
    const signals = held[index]?.freshness ?? "none";
    return {
      address,
      score,
      tier,
      tierLabel,
      s4,
      graph,
      verifiedHuman,
      signals,
    };
  });
  return {
    count: results.length,
    results,
    fetchedAt: fetchedAtOf(now),
    model: MODELS.response,
  };
}

/** Reads the last score of each of the last days, today included; oldest first. */
export async function readHistory(
  { now, store }: Pick<ScoresDeps, "now" | "store">,
  address: string,
  { days, breakdown: isWanted }: { days: number; breakdown: boolean },
): Promise<HistoryAnswer> {
  const ms = now().getTime();
  const first = dayAt(ms) - days + 1;
  const { points } = await store.scores.find(address) ?? { points: [] };
  const history = points.filter(({ day }) => day >= first)
    .map(({ day, score, breakdown }) => ({
      date: formatDay(day),
      score,
      ...legacyTier(score),
      ...(isWanted ? { breakdown } : {}),
    }));
  return {
    address,
    days,
    count: history.length,
    history,
    fetchedAt: new Date(ms).toISOString(),
    model: MODELS.response,
  };
}

/** Scores an address anew from stored signals and records the point; false without any. */
export async function recordScore(
  deps: Pick<ScoresDeps, "now" | "store" | "upstream">,
  address: string,
): Promise<boolean> {
  const inputs = await findInputs(deps, address);
  if (inputs === null) return false;
  const now = deps.now().getTime();
  const point = pointOf(scoreAt(address, inputs, now), now);
  await deps.store.scores.put(address, point, { readAt: null });
  return true;
}

function scoreHeld(
  held: UsableSignals | null,
  { profile, purchases, graph }: ProfileSignals,
  now: number,
): Score {
  return scoreOf({
    chain: held?.signals ?? NO_CHAIN,
    profile: signalsOf(profile, purchases),
    graph,
    freshness: held?.freshness ?? "none",
  }, minuteOf(now));
}

function toScoringFault(error: unknown): never {
  if (error instanceof Fault && error.failure.kind === "upstreamDown") {
    const { upstream, retryAfterMs } = error.failure;
    throw new Fault(
      `Cannot score the address: ${upstream} is out of reach and nothing is stored`,
      { kind: "scoringDown", upstream, retryAfterMs },
      { cause: error },
    );
  }
  throw error;
}
