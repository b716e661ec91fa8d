/** Scores for people without a key: from the store, and read anew within one budget for all of them. */
import type { BadgeScore, LastHeadline } from "./public_scores_schema.ts";
import type { ScoreRead } from "./model/scores_schema.ts";
import { takeCall } from "../platform/rate_limit/take_call.ts";
import type { ScoresDeps } from "./deps.ts";
import {
  type Limit,
  type Priority,
  shareOf,
} from "../platform/rate_limit/call_budget.ts";
import { DAY_MS, formatDay } from "../platform/days.ts";
import { refusedNetwork } from "../platform/fault.ts";
import { headlineTier } from "./model/tiers.ts";
import { findScore, readScore } from "./scores.ts";

/**
 * Addresses that people without a key may have scored. Each takes up to a few
 * calls of the 10,000 a day that the explorer index gives.
 */
const LIMITS: readonly Limit[] = [
  { calls: 12, perMs: 60_000 },
  { calls: 1_000, perMs: DAY_MS },
];

/** Addresses that may be put on the list of a job: as many as it may score in a day. */
const WAITING_LIMITS: readonly Limit[] = [{ calls: 500, perMs: DAY_MS }];

/** The part of the budget that badges may use; people who look at a page wait for it. */
const SHARES: Record<Priority, number> = { reader: 1, job: 1 / 2 };

/** Longest that an upstream is waited for. */
const WAIT_MS: Record<Priority, number> = { reader: 10_000, job: 60_000 };

/** What a score is read for: a page that somebody looks at, or a badge; and by whom. */
interface ScoreFor {
  readonly priority: Priority;
  readonly client?: string | undefined;
}

type ScoreHistory = Awaited<ReturnType<ScoresDeps["store"]["scores"]["find"]>>;

/**
 * Finds what a badge shows, without upstream. An address whose signals are not
 * current is put on the list of those that a job scores.
 */
export async function readBadgeScore(
  deps: Pick<ScoresDeps, "log" | "now" | "store" | "upstream">,
  address: string,
  client?: string,
): Promise<BadgeScore> {
  const found = await findScore(deps, address);
  if (found?.freshness !== "fresh") await askForScore(deps, address, client);
  if (found) return found.read;
  const { profiles, scores } = deps.store;
  const [history, profile] = await Promise.all([
    scores.find(address),
    profiles.find(address),
  ]);
  return {
    headline: lastHeadlineOf(history),
    verifiedHuman: profile?.verifiedHuman ?? null,
  };
}

/** Returns the last headline of a history; null of an address that was never scored. */
export function lastHeadlineOf(history: ScoreHistory): LastHeadline | null {
  const { headline: score, day } =
    history?.points.findLast(({ headline }) => headline !== undefined) ?? {};
  if (score === undefined || day === undefined) return null;
  return { score, ...headlineTier(score), date: formatDay(day) };
}

/**
 * Scores an address, lower-case, if the budget has room, and the client's share
 * of it: null where there is none. Callers who come together are one. Throws a
 * fault where upstream is down.
 */
export async function scoreWithinBudget(
  deps: Pick<ScoresDeps, "now" | "share" | "store" | "upstream">,
  address: string,
  { priority, client }: ScoreFor,
): Promise<ScoreRead | null> {
  const work = async () => {
    const limits = shareOf(LIMITS, SHARES[priority]);
    const budget = { whose: "public-scores", limits };
    if (!(await takeCall(deps, budget, client)).allowed) return null;
    const waitMs = WAIT_MS[priority];
    return readScore(deps, address, { priority, waitMs });
  };
  try {
    return await deps.share(`public-scores/${address}`, work, client);
  } catch (error) {
    if (refusedNetwork(error) === undefined) throw error;
    return null;
  }
}

/**
 * Puts an address on the list of those that a job scores, on which one client
 * gets no more places than its share; what is shown does not hang on it.
 */
export async function askForScore(
  deps: Pick<ScoresDeps, "log" | "now" | "store">,
  address: string,
  client?: string,
): Promise<void> {
  const { log, store } = deps;
  try {
    if (!await store.waitingScores.hasRoomFor(address)) return;
    const budget = { whose: "waiting-scores", limits: WAITING_LIMITS };
    if (!(await takeCall(deps, budget, client)).allowed) return;
    await store.waitingScores.add(address);
  } catch (error) {
    if (refusedNetwork(error) === undefined) {
      log("score.unlisted", { address, error });
    }
  }
}
