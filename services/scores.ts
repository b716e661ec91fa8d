/** Scores of addresses: read live, screened from the store, and by day. */
import {
  findSignals,
  type HeldSignals,
  readSignals,
} from "./address_signals.ts";
import type {
  BatchAnswer,
  BatchItem,
  HistoryAnswer,
  Score,
  ScoreRead,
} from "./contract/scores.ts";
import type { Deps } from "./deps.ts";
import { dayAt, formatDay } from "./domain/days.ts";
import { Fault } from "./domain/fault.ts";
import { MODELS, scoreOf } from "./domain/scoring.ts";
import { NO_CHAIN, NO_GRAPH, NO_PROFILE } from "./domain/signals.ts";
import { legacyTier } from "./domain/tiers.ts";

type ScoreDeps = Pick<Deps, "now" | "share" | "store" | "upstream">;

/** Scores an address, lower-case; throws a retryable fault where its signals are not to be had. */
export async function readScore(
  deps: ScoreDeps,
  address: string,
): Promise<ScoreRead> {
  const held = await readSignals(deps, address).catch(toScoringFault);
  const now = deps.now().getTime();
  const { model, ...score } = scoreHeld(held, now);
  await recordPoint(deps, address, { score, readAt: now });
  return {
    address,
    ...score,
    fetchedAt: new Date(now).toISOString(),
    model,
  };
}

/** Screens addresses from stored signals alone, in the order given. */
export async function readBatch(
  deps: Pick<Deps, "now" | "store" | "upstream">,
  addresses: readonly string[],
): Promise<BatchAnswer> {
  const held = await findSignals(deps, addresses);
  const now = deps.now().getTime();
  const results = addresses.map((address, index): BatchItem => {
    const { score, tier, tierLabel, s4, graph, verifiedHuman } = scoreHeld(
      held[index] ?? null,
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
    fetchedAt: new Date(now).toISOString(),
    model: MODELS.response,
  };
}

/** Reads the last score of each of the last days, today included; oldest first. */
export async function readHistory(
  { now, store }: Pick<Deps, "now" | "store">,
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
  deps: Pick<Deps, "now" | "store" | "upstream">,
  address: string,
): Promise<boolean> {
  const [held] = await findSignals(deps, [address]);
  if (!held) return false;
  const score = scoreHeld(held, deps.now().getTime());
  await recordPoint(deps, address, { score, readAt: null });
  return true;
}

/** No profile is stored yet of anybody, so each is scored as one that has none. */
function scoreHeld(held: HeldSignals | null, now: number): Score {
  return scoreOf({
    chain: held?.signals ?? NO_CHAIN,
    profile: NO_PROFILE,
    graph: NO_GRAPH,
    freshness: held?.freshness ?? "none",
  }, now);
}

async function recordPoint(
  { now, store }: Pick<Deps, "now" | "store">,
  address: string,
  { score, readAt }: {
    score: Pick<Score, "score" | "tier" | "breakdown">;
    readAt: number | null;
  },
): Promise<void> {
  const day = dayAt(now().getTime());
  const point = {
    day,
    score: score.score,
    tier: score.tier,
    breakdown: score.breakdown,
  };
  await store.scores.put(address, point, { readAt });
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
