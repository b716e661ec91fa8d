/** The score page of an address: its score, rescored within the call budget, and its history. */
import type {
  Figures,
  Gain,
  Obstacle,
  ScorePage,
} from "./public_scores_schema.ts";
import { scoreOf } from "../model/model.ts";
import { type ScoringModel, standingOf } from "../model/scoring_model.ts";
import type { SocialKind } from "../model/score_terms_schema.ts";
import type { ScoreReadDeps, ScoresDeps } from "./deps.ts";
import { DAY_MS, dayAt, formatDay, MINUTE_MS } from "../platform/days.ts";
import { shownProfile, signalsOf } from "../profiles/profile.ts";
import { resembledName } from "../profiles/slugs.ts";
import { Fault } from "../platform/fault.ts";
import { waitOutside } from "../platform/cache.ts";
import { withTimeout } from "../platform/clock.ts";
import {
  addToWaiting,
  lastHeadlineOf,
  retryAfterOf,
  scoreWithinBudget,
} from "./public_scores.ts";
import { HISTORY_DAYS } from "./score_requests_schema.ts";
import {
  findScore,
  modelsOf,
  type ScoreInputs,
  scoreSignalsOf,
} from "./scores.ts";
import { isCut } from "./signals/kept_history.ts";

type PageDeps = ScoreReadDeps & Pick<ScoresDeps, "scorePatienceMs">;

/**
 * The visitor of a page, and how long the page waits for a score before it says
 * that one is being read.
 */
interface Visit {
  readonly client?: string | undefined;
  readonly patienceMs?: number;
}

/** How long a page waits for a score. Most take less. */
export const SCORE_PATIENCE_MS = 1_200;

/** When a page that waits for a read in progress looks again. */
const READING_MS = 2_000;

/** The shortest time after which a page looks again for other reasons. */
const LEAST_MS = 5_000;

/** The longest time after which a page looks again, by reason. */
const MOST_MS = { reading: READING_MS, busy: 15 * MINUTE_MS, down: MINUTE_MS };

/** Why there is no current score, and when to look again. */
interface Delay {
  readonly obstacle: Obstacle;
  readonly retryAfterMs: number;
}

/**
 * Reads the score page of an address, lower-case. If the stored signals are not
 * fresh, the address is scored again. If that takes longer than the visitor's
 * patience, it continues, and the page shows what is stored. If it fails, the
 * address also waits for the job that scores addresses.
 */
export async function readScorePage(
  deps: PageDeps,
  address: string,
  { client, patienceMs = deps.scorePatienceMs }: Visit = {},
): Promise<ScorePage> {
  let found = await findScore(deps, address);
  let delay: Delay | null = null;
  if (found?.freshness !== "fresh") {
    delay = await waitOutside(async () => {
      const scoring = tryToScore(deps, address, client);
      const waited = await firstOf(scoring, patienceMs);
      if (waited?.obstacle === "reading") {
        scoring.catch((error) => deps.log("score.failed", { error }));
      }
      return waited;
    });
    found = await findScore(deps, address);
    if (found?.freshness === "fresh") delay = null;
    // Upstream failed, and older signals were used instead.
    else delay ??= { obstacle: "down", retryAfterMs: MOST_MS.down };
  }
  const { profiles, scores } = deps.store;
  const [history, profile] = await Promise.all([
    scores.find(address),
    profiles.find(address),
  ]);
  const now = deps.now().getTime();
  const shown = profile && shownProfile(profile);
  const today = dayAt(now);
  const from = today - HISTORY_DAYS + 1;
  const { current } = modelsOf(deps, now);
  return {
    address,
    read: found?.read ?? null,
    signals: found?.freshness ?? "none",
    obstacle: delay?.obstacle ?? null,
    retryAfterMs: delay?.retryAfterMs ?? 0,
    figures: found && figuresOf(found.inputs, now),
    gains: found && gainsOf(found.inputs, now, current),
    standing: found && standingOf(found.read.headline.score, current.floors),
    last: lastHeadlineOf(history),
    history: {
      from: formatDay(from),
      to: formatDay(today),
      points: (history?.points ?? []).filter(({ day }) => day >= from)
        .map(({ day, headline, model }) => ({
          date: formatDay(day),
          score: headline,
          model,
        })),
    },
    profile: shown && {
      displayName: shown.displayName,
      resembles: await resembledName(shown.displayName),
    },
  };
}

/** Returns why a score is delayed; null if it was read in time. */
async function firstOf(
  scoring: Promise<Delay | null>,
  patienceMs: number,
): Promise<Delay | null> {
  try {
    return await withTimeout(scoring, patienceMs, () => new Impatience());
  } catch (error) {
    if (!(error instanceof Impatience)) throw error;
    return { obstacle: "reading", retryAfterMs: READING_MS };
  }
}

/** The visitor's patience is over. */
class Impatience extends Error {}

/** Scores an address; returns why it could not, or null. */
async function tryToScore(
  deps: PageDeps,
  address: string,
  client: string | undefined,
): Promise<Delay | null> {
  try {
    const asked = { priority: "reader", client } as const;
    const scored = await scoreWithinBudget(deps, address, asked);
    if (scored.read !== null) return null;
    await addToWaiting(deps, address, client);
    return delayOf("busy", scored.retryAfterMs);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await addToWaiting(deps, address, client);
    return delayOf("down", retryAfterOf(error));
  }
}

function delayOf(obstacle: Obstacle, retryAfterMs: number): Delay {
  const most = MOST_MS[obstacle];
  return {
    obstacle,
    retryAfterMs: Math.min(most, Math.max(LEAST_MS, retryAfterMs)),
  };
}

/** Returns the figures of an address at an instant, epoch ms. */
/** Returns what linking an account would add at `now`, epoch ms. */
function gainsOf(
  { chain, service }: ScoreInputs,
  now: number,
  model: ScoringModel,
): NonNullable<ScorePage["gains"]> {
  const signals = scoreSignalsOf(chain, service, now);
  const { profile } = signals;
  const pointsWith = (socials: typeof profile.socials) =>
    scoreOf(
      {
        ...signals,
        profile: { ...profile, socials: [...profile.socials, ...socials] },
      },
      now,
      model,
    ).s4.composite;
  const before = pointsWith([]);
  const gainOf = (kind: SocialKind): Gain => {
    const added = { kind, verifiedAt: now };
    const fresh = { createdAt: now, publicWork: 0 };
    const best = { createdAt: 0, publicWork: Number.MAX_SAFE_INTEGER };
    return {
      least: pointsWith([{ ...added, account: fresh }]) - before,
      most: pointsWith([{ ...added, verifiedAt: 0, account: best }]) - before,
    };
  };
  return { github: gainOf("github"), domain: gainOf("domain") };
}

function figuresOf(
  { chain: { signals: chain }, service }: ScoreInputs,
  now: number,
): Figures {
  const { firstTxAt, recentTxAt, nonce, use, gasAvax } = chain;
  const { followers, mutual, thin, burst } = service.graph;
  const profile = signalsOf(service.profile, service.purchases, {
    proofs: [],
    now,
  });
  const lastTxAt = recentTxAt[0] ?? firstTxAt;
  return {
    transactions: Math.max(nonce, use.count),
    activeDays: use.days.length,
    isCut: isCut(chain),
    firstDay: dayOf(firstTxAt),
    lastDay: dayOf(lastTxAt),
    ageDays: daysSince(firstTxAt, now),
    idleDays: daysSince(lastTxAt, now),
    payers: chain.origin?.payers ?? 0,
    gasAvax,
    socials: profile.socials.map(({ kind }) => kind),
    followers,
    mutual,
    thin,
    burst,
    premiumMonths: profile.premiumMonths,
    donatedUsdc: profile.donatedUsdc,
  };
}

function dayOf(at: number | null): string | null {
  return at === null ? null : formatDay(dayAt(at));
}

/** Returns the whole days since an instant. */
function daysSince(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, Math.floor((now - at) / DAY_MS));
}
