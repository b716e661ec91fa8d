/** The public part of a score, for badges and score pages: from the store, or read within budgets that visitors share by network. */
import { HISTORY_DAYS, type ScoreRead } from "../model/scores_schema.ts";
import type {
  SignalState,
  SocialKind,
  Standing,
} from "../model/score_terms_schema.ts";
import {
  limitFreeAction,
  requireLeftForClient,
  takeForClient,
} from "../platform/rate_limit/change_limits.ts";
import {
  type Limit,
  partOf,
  type Priority,
  visitorRequester,
} from "../platform/rate_limit/call_budget.ts";
import {
  findScore,
  isHumanNow,
  readScore,
  type ScoreInputs,
  type ScoreReadDeps,
  type ScoresDeps,
  scoreSignalsOf,
} from "./scores.ts";
import { DAY_MS, dayAt, formatDay, MINUTE_MS } from "../platform/days.ts";
import {
  callsUsedUp,
  Fault,
  isPause,
  refusedClient,
} from "../platform/fault.ts";
import { headlineTierOf } from "./score_history.ts";
import { shownProfile, signalsOf } from "../profiles/profile.ts";
import { proofSignalsOf } from "../profiles/human_proofs.ts";
import { modelsAt, scoreOf } from "../model/model.ts";
import { type ScoringModel, standingOf } from "../model/scoring_model.ts";
import { resembledName } from "../profiles/names.ts";
import { waitOutside } from "../platform/cache.ts";
import { withTimeout } from "../platform/clock.ts";
import { isCut } from "./signals/kept_history.ts";

/** The public headline of a score. */
export type Headline = Pick<
  ScoreRead["headline"],
  "score" | "tier" | "tierLabel"
>;

/** What a badge shows. */
export interface BadgeScore {
  /** Null if the address was never scored. */
  readonly headline: Headline | null;
  /** Composite of the model in use; null if the headline is of an earlier day. */
  readonly composite: number | null;
  /**
   * Null without a number, and while the accounts that a number requires are not
   * linked.
   */
  readonly verifiedHuman: number | null;
  /** Titles of what speaks for the address, the strongest first; empty without stored signals. */
  readonly strengths: readonly string[];
}

/** The last recorded headline of an address. */
interface LastHeadline extends Headline {
  readonly date: string;
}

/** The headline score of a UTC day, `YYYY-MM-DD`. */
export interface HeadlinePoint {
  readonly date: string;
  readonly score: number;
  /** The model of the score. */
  readonly model: string;
}

/**
 * Why there is no current score: it is being read, the budget of visitors or of
 * their network is used up, or a source is unreachable.
 */
export type Obstacle = "reading" | "busy" | "down";

/** Counts of what an address has done. They contain no threshold of the model. */
export interface Figures {
  readonly transactions: number;
  readonly activeDays: number;
  /** Whether there are transactions whose days and gas are unknown. */
  readonly isCut: boolean;
  /** UTC days, `YYYY-MM-DD`; null without a transaction. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** Days since the first and the last transaction; null without one. */
  readonly ageDays: number | null;
  readonly idleDays: number | null;
  /** Payers before the first use that count. */
  readonly payers: number;
  readonly gasAvax: number;
  readonly socials: readonly SocialKind[];
  readonly followers: number;
  /** Followers that are followed back. */
  readonly mutual: number;
  /** Unclaimed followers without on-chain history. */
  readonly thin: number;
  /** Maximum number of followers that arrived within 24 hours. */
  readonly burst: number;
  readonly premiumMonths: number;
  readonly donatedUsdc: number;
}

/** Points of the score that linking an account would add. */
interface Gain {
  /** At once, with a new account. */
  readonly least: number;
  /** With the best account, once it has been linked for long. */
  readonly most: number;
}

/** The content of an address's score page. */
export interface ScorePage {
  readonly address: string;
  /** Null if no signals are stored and none could be read. */
  readonly read: ScoreRead | null;
  readonly signals: SignalState;
  /** Why the score is not current; null if it is. */
  readonly obstacle: Obstacle | null;
  /** When a page with an obstacle should be loaded again, in milliseconds. */
  readonly retryAfterMs: number;
  /** Counts of what the address has done; null without a score. */
  readonly figures: Figures | null;
  /** What linking an account would add; null without a score. */
  readonly gains: Readonly<Record<"github" | "domain", Gain>> | null;
  /** Where the score stands within its tier; null without a score. */
  readonly standing: Standing | null;
  /** The last recorded headline; null if the address was never scored. */
  readonly last: LastHeadline | null;
  readonly history: {
    readonly from: string;
    readonly to: string;
    /** Oldest first, at most one a day. */
    readonly points: readonly HeadlinePoint[];
  };
  /** Null if no profile is claimed for the address. */
  readonly profile: {
    readonly displayName: string | null;
    /** The reserved name that it looks like; null if there is none. */
    readonly resembles: string | null;
  } | null;
}

/**
 * Addresses scored for all visitors without a key. Each takes one to three calls,
 * rarely up to seven, of the 120 a minute and 10,000 a day that the explorer index
 * allows. A network gets at most half of what is left, and no more than its own
 * limits (`change_limits.ts`). Paid plans keep their share of the index.
 */
const LIMITS: readonly Limit[] = [
  { calls: 40, perMs: MINUTE_MS },
  { calls: 1_000, perMs: DAY_MS },
];

/** Addresses added to the waiting list: as many as the job may score in a day. */
const WAITING_LIMITS: readonly Limit[] = [{ calls: 500, perMs: DAY_MS }];

/** Share of the budget by priority. Badges use half, so that pages, which people wait for, have room. */
const SHARES: Record<Priority, number> = { reader: 1, job: 1 / 2 };

/** The name of the budget in a refusal. */
const BUDGET = "public-scores";

/** Who a score is read for. */
interface ScoreFor {
  readonly priority: Priority;
  readonly client?: string | undefined;
}

type ScoreHistory = Awaited<ReturnType<ScoresDeps["store"]["scores"]["find"]>>;

/**
 * Finds the content of a badge without calling upstream. If the signals are not
 * fresh, the address is added to the waiting list.
 */
export async function readBadgeScore(
  deps: Omit<ScoreReadDeps, "share" | "timeout">,
  address: string,
  client?: string,
): Promise<BadgeScore> {
  const found = await findScore(deps, address);
  if (found?.freshness !== "fresh") await addToWaiting(deps, address, client);
  if (found) {
    const { headline, s4: { composite }, verifiedHuman, explanation } =
      found.read;
    return {
      headline,
      composite,
      verifiedHuman: isHumanNow(found.read) ? verifiedHuman : null,
      strengths: explanation.reasons.filter(({ kind }) => kind === "positive")
        .map(({ title }) => title),
    };
  }
  const { humanProofs, profiles, scores } = deps.store;
  const [history, profile, record] = await Promise.all([
    scores.find(address),
    profiles.find(address),
    humanProofs.find(address),
  ]);
  const { isHumanNow: isHuman } = signalsOf(profile, null, {
    proofs: proofSignalsOf(record),
    now: deps.now().getTime(),
  });
  return {
    headline: lastHeadlineOf(history),
    composite: null,
    verifiedHuman: isHuman ? profile!.verifiedHuman : null,
    strengths: [],
  };
}

/** Returns the last headline of a history; null if the address was never scored. */
export function lastHeadlineOf(history: ScoreHistory): LastHeadline | null {
  const last = history?.points.at(-1);
  if (last === undefined) return null;
  const { headline: score, day } = last;
  return { score, ...headlineTierOf(last), date: formatDay(day) };
}

/** A score, or the wait until a budget that is used up has room. */
type PublicScore =
  | { readonly read: ScoreRead }
  | { readonly read: null; readonly retryAfterMs: number };

/**
 * Scores an address, lower-case, within the budget of all visitors and that of the
 * client's network. Concurrent calls of one priority share one read, which counts
 * once. Throws a fault if upstream is down.
 */
export async function scoreWithinBudget(
  deps: ScoreReadDeps,
  address: string,
  { priority, client }: ScoreFor,
): Promise<PublicScore> {
  const work = async () => {
    const limits = LIMITS.map((limit) => partOf(limit, SHARES[priority]));
    const budget = { name: BUDGET, limits };
    // Looks first, so that a refusal by the budget of all costs the network nothing.
    await requireLeftForClient(deps, budget, client);
    if (client !== undefined) await takeOfNetwork(deps, client);
    await takeForClient(deps, budget, client);
    const requester = visitorRequester(client);
    return readScore(deps, address, { priority, requester, allowStale: true });
  };
  try {
    const key = `${BUDGET}/${priority}/${address}`;
    return { read: await deps.share(key, work, client) };
  } catch (error) {
    if (refusedClient(error) === undefined && !isPause(error)) throw error;
    return { read: null, retryAfterMs: retryAfterOf(error as Fault) };
  }
}

/** Counts an address by the networks of a client. A refusal affects only that client. */
async function takeOfNetwork(
  deps: ScoreReadDeps,
  client: string,
): Promise<void> {
  try {
    await limitFreeAction(deps, "publicScore", client);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw callsUsedUp("scoringBusy", {
      upstream: BUDGET,
      requester: client,
      usedBy: "network",
      retryAfterMs: retryAfterOf(error),
    });
  }
}

/** Returns the wait that a fault asks for, in milliseconds; 0 if it asks for none. */
export function retryAfterOf({ failure }: Fault): number {
  return "retryAfterMs" in failure ? failure.retryAfterMs : 0;
}

/**
 * Adds an address to the waiting list, within the client's share of it. Errors are
 * logged only, as the answer does not depend on it.
 */
export async function addToWaiting(
  deps: Pick<ScoresDeps, "log" | "now" | "store">,
  address: string,
  client?: string,
): Promise<void> {
  const { log, store } = deps;
  try {
    if (!await store.waitingScores.hasRoomFor(address)) return;
    const budget = { name: "waiting-scores", limits: WAITING_LIMITS };
    await takeForClient(deps, budget, client);
    await store.waitingScores.add(address);
  } catch (error) {
    if (refusedClient(error) === undefined) {
      log("score.unlisted", { error });
    }
  }
}

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
  const { current } = modelsAt(now, deps.modelSchedule);
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

/** Returns the figures of an address at an instant, epoch ms. */
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
