/** Scores of addresses: read live, from stored signals, many at once, and by day. */
import { isoTimestamps, minuteOf, secondOf } from "../platform/clock.ts";
import {
  type CheckedSignals,
  checkSignals,
  findSignals,
  type FoundSignals,
  type ReadOptions,
  readSignals,
} from "./signals/address_signals.ts";
import type {
  BatchAnswer,
  BatchItem,
  HistoryAnswer,
  ScoreRead,
} from "../model/scores_schema.ts";
import { dayAt, formatDay } from "../platform/days.ts";
import { Fault, isPause } from "../platform/fault.ts";
import {
  headlineTierOf,
  type ScoreHistory,
  type ScorePoint,
  withPoint,
} from "./score_history.ts";
import type { ScoringModel } from "../model/scoring_model.ts";
import {
  METHOD,
  type ModelsAt,
  modelsAt,
  type ScheduledModel,
  scoreOf,
  type ScoreSignals,
} from "../model/model.ts";
import {
  type ProfilePurchases,
  showEvidence,
  signalsOf,
  type StoredProfile,
} from "../profiles/profile.ts";
import { grantIfDue, isNumberDue } from "../profiles/verified_humans.ts";
import {
  type GraphSignals,
  NO_CHAIN,
  type ProofSignal,
} from "../model/signals.ts";
import { retryWords } from "../platform/text.ts";
import {
  type ProofRecord,
  proofSignalsOf,
  queueIfDue,
  showProofs,
} from "../profiles/human_proofs.ts";
import { TIERS } from "../model/score_terms_schema.ts";
import type { AccountsStores } from "../accounts/deps.ts";
import type { PaymentsStores } from "../payments/payments.ts";
import type { Tracked } from "../platform/kv/reads.ts";
import type { ProfilesDeps, ProfilesStores } from "../profiles/profiles.ts";
import type { UpstreamCalls } from "../platform/rate_limit/call_budget.ts";
import type { CChainAccounts } from "./signals/c_chain_accounts_client.ts";
import type { ExplorerAccounts } from "./signals/explorer_accounts_client.ts";
import type {
  HistoryEntry,
  ScoreStore,
  WaitingScoreStore,
} from "./scores_store.ts";
import type { signalStore } from "./signals/signals_store.ts";

/** Collections of scores. */
interface ScoresStores {
  readonly scores: ScoreStore;
  readonly signals: ReturnType<typeof signalStore>;
  readonly waitingScores: WaitingScoreStore;
}

/** Collections whose versions the quota commit of a keyed score checks. */
export type KeyedStores = Pick<
  PaymentsStores & AccountsStores & ProfilesStores,
  "apiKeys" | "follows" | "humanProofs" | "plans" | "profiles"
>;

/** Dependencies of scores. */
export interface ScoresDeps extends ProfilesDeps {
  /** The models, and from when each is used. */
  readonly modelSchedule: readonly ScheduledModel[];
  /** How long a score page waits for a score before it says that one is being read, in milliseconds. */
  readonly scorePatienceMs: number;
  readonly store:
    & Omit<ProfilesDeps["store"], "tracked">
    & ScoresStores
    & Tracked<KeyedStores>;
  readonly upstream: ProfilesDeps["upstream"] & {
    readonly cChain: CChainAccounts;
    readonly explorer: ExplorerAccounts & {
      readonly calls: readonly UpstreamCalls[];
    };
  };
}

/** What a score is read with. */
export type ScoreReadDeps = Pick<
  ScoresDeps,
  "log" | "modelSchedule" | "now" | "share" | "store" | "timeout" | "upstream"
>;

type ScoreDeps = StoredDeps & Pick<ScoresDeps, "log" | "share" | "timeout">;
type StoredDeps = Pick<
  ScoresDeps,
  "modelSchedule" | "now" | "store" | "upstream"
>;

/** The stored signals of an address, and its history with the version. */
export interface StoredScore {
  readonly chain: CheckedSignals;
  readonly service: ServiceSignals;
  readonly history: HistoryEntry;
}

/** Finds the stored signals and the history of an address, in one round trip to the database. */
export async function findStored(
  deps: Pick<ScoreDeps, "now" | "store" | "upstream">,
  address: string,
  from: Parameters<typeof findServiceSignals>[0] = deps,
): Promise<StoredScore> {
  const [chain, service, history] = await Promise.all([
    checkSignals(deps, address),
    findServiceSignals(from, address),
    deps.store.scores.findEntry(address),
  ]);
  return { chain, service, history };
}

/**
 * Scores an address, lower-case, and records the point. Records that the
 * request has already read are not read again. Throws `scoringDown` if no
 * signals are available, and a fault of `isUsedUp` if a limit is why.
 */
export async function readScore(
  deps: ScoreDeps,
  address: string,
  { found, ...options }: ReadOptions & {
    readonly found?: StoredScore | undefined;
  },
): Promise<ScoreRead> {
  const stored = found ?? await findStored(deps, address);
  const { service } = stored;
  let written: ScoreHistory | null = null;
  const startedAt = deps.now().getTime();
  const storedWith = deps.store.scores.storedWithSignals(address, {
    readAt: startedAt,
    found: stored.history,
    pointFor(signals) {
      const inputs = {
        chain: { signals, freshness: "fresh" },
        service,
      } as const;
      const scored = scoreAt(deps, address, inputs, startedAt);
      return scored.isNumberDue ? null : scored.point;
    },
    onCommit: (history) => written = history,
  });
  const read = { ...options, checked: stored.chain, storedWith };
  const [chain] = await Promise.all([
    readSignals(deps, address, read).catch(toScoringFault),
    queueIfDue(deps, address, service.proofs),
  ]);
  const { firstTxAt } = chain.signals;
  const profile = await grantIfDue(deps, address, { ...service, firstTxAt });
  const now = deps.now().getTime();
  const inputs = { chain, service: { ...service, profile } };
  const { read: score, point } = scoreAt(deps, address, inputs, now);
  const isWritten = written !== null &&
    withPoint(written, point, { readAt: now }) === written;
  if (isWritten) return score;
  await deps.store.scores.put(address, point, {
    readAt: now,
    signals: chain.signals,
    // What was found is outdated once a history was stored with the signals.
    ...written === null && { found: stored.history },
  });
  return score;
}

/** Everything that the score of an address depends on, except the clock. */
export interface ScoreInputs {
  readonly chain: FoundSignals;
  readonly service: ServiceSignals;
}

/** Finds the stored inputs of a score; null if no on-chain signals are stored. */
async function findInputs(
  deps: Pick<ScoresDeps, "now" | "store" | "upstream">,
  address: string,
): Promise<ScoreInputs | null> {
  const [[chain], service] = await Promise.all([
    findSignals(deps, [address]),
    findServiceSignals(deps, address),
  ]);
  return chain ? { chain, service } : null;
}

/** A score at an instant. */
interface Scored {
  readonly read: ScoreRead;
  /** Its point in the history. */
  readonly point: ScorePoint;
  /** Whether the profile meets the conditions of a number by now. With it, the score is another one. */
  readonly isNumberDue: boolean;
}

/** Scores an address at an instant, epoch ms: by the model in use, unless another one is given, and by the announced one. */
export function scoreAt(
  { modelSchedule }: Pick<ScoresDeps, "modelSchedule">,
  address: string,
  { chain, service }: ScoreInputs,
  now: number,
  by?: ScoringModel,
): Scored {
  const { current, next }: ModelsAt = by
    ? { current: by, next: null }
    : modelsAt(now, modelSchedule);
  const signals = scoreSignalsOf(chain, service, now);
  const { model, ...score } = scoreOf(signals, minuteOf(now), current);
  const read = {
    address,
    ...score,
    verifiedHumanEvidence: showEvidence(service.profile),
    humanProofs: showProofs(service.proofs, now),
    ...next === null ? {} : nextOf(signals, now, next),
    fetchedAt: fetchedAtOf(now),
    model,
  };
  const { headline: { score: headline }, tier, breakdown } = score;
  const { firstTxAt } = chain.signals;
  const { profile, proofSignals: proofs } = service;
  return {
    read,
    point: { day: dayAt(now), headline, model, tier, breakdown },
    isNumberDue: isNumberDue(profile, { firstTxAt, now, proofs }),
  };
}

/**
 * Returns whether an address has a Verified Human number and the evidence that the
 * number requires.
 */
export function isHumanNow({ explanation: { reasons } }: ScoreRead): boolean {
  return reasons.some(({ code }) => code === "VERIFIED_HUMAN");
}

/** Many answers share one second. */
const isoInstant = isoTimestamps();

/** Formats `fetchedAt`, to the second. */
export function fetchedAtOf(now: number): string {
  return isoInstant(secondOf(now));
}

/** A score from stored signals, and their freshness. */
interface FoundScore {
  readonly read: ScoreRead;
  readonly inputs: ScoreInputs;
  readonly freshness: FoundSignals["freshness"];
}

/**
 * Scores an address from stored signals and records nothing; null if none are stored.
 * Uses the current model unless another one is given.
 */
export async function findScore(
  deps: StoredDeps,
  address: string,
  by?: ScoringModel,
): Promise<FoundScore | null> {
  const inputs = await findInputs(deps, address);
  if (inputs === null) return null;
  const { read } = scoreAt(deps, address, inputs, deps.now().getTime(), by);
  return { read, inputs, freshness: inputs.chain.freshness };
}

/** Scores an address from stored signals and records the point; false if none are stored. */
export async function recordScore(
  deps: StoredDeps,
  address: string,
): Promise<boolean> {
  const inputs = await findInputs(deps, address);
  if (inputs === null) return false;
  const { point } = scoreAt(deps, address, inputs, deps.now().getTime());
  await deps.store.scores.put(address, point, { readAt: null });
  return true;
}

/** Returns the signals that an address is scored by at `now`, epoch ms. */
export function scoreSignalsOf(
  chain: FoundSignals | null,
  { profile, purchases, graph, proofSignals: proofs }: ServiceSignals,
  now: number,
): ScoreSignals {
  return {
    chain: chain?.signals ?? NO_CHAIN,
    profile: signalsOf(profile, purchases, { proofs, now }),
    graph,
    freshness: chain?.freshness ?? "none",
  };
}

/** Returns the score by the announced model. */
function nextOf(
  signals: ScoreSignals,
  now: number,
  next: NonNullable<ModelsAt["next"]>,
): Pick<ScoreRead, "next"> {
  const { headline, model } = scoreOf(signals, minuteOf(now), next.model);
  return { next: { model, headline } };
}

function toScoringFault(error: unknown): never {
  if (!(error instanceof Fault)) throw error;
  const { failure } = error;
  if (failure.kind !== "upstreamDown") throw error;
  throw scoringDown(failure.upstream, failure.retryAfterMs, error);
}

/** Returns the fault of an upstream that cannot be read when no usable signals are stored. */
export function scoringDown(
  upstream: string,
  retryAfterMs: number,
  cause?: unknown,
): Fault {
  const problem = isPause(cause)
    ? `${upstream} asks all callers for a pause and nothing is stored; ${
      retryWords(retryAfterMs)
    }`
    : `${upstream} is unreachable and nothing is stored`;
  return new Fault(
    `Cannot score the address: ${problem}`,
    { kind: "scoringDown", upstream, retryAfterMs },
    { cause },
  );
}

/** Reads the last score of each of the last `days` days, today included, oldest first. */
export async function readHistory(
  deps: Pick<ScoresDeps, "modelSchedule" | "now" | "store">,
  address: string,
  { days, breakdown: isWanted }: { days: number; breakdown: boolean },
): Promise<HistoryAnswer> {
  const ms = deps.now().getTime();
  const first = dayAt(ms) - days + 1;
  const { points } = await deps.store.scores.find(address) ?? { points: [] };
  const history = points.filter(({ day }) => day >= first)
    .map((point) => ({
      date: formatDay(point.day),
      score: point.score ?? point.headline,
      tier: point.tier,
      tierLabel: TIERS[point.tier].label,
      headline: {
        score: point.headline,
        ...headlineTierOf(point),
        model: METHOD,
      },
      model: point.model,
      ...(isWanted
        ? { breakdown: { humanProofs: 0, ...point.breakdown } }
        : {}),
    }));
  return {
    address,
    days,
    count: history.length,
    history,
    fetchedAt: new Date(ms).toISOString(),
    model: modelsAt(ms, deps.modelSchedule).current.id,
  };
}

/** Scores addresses from stored signals only, in the order given. */
export async function readBatch(
  deps: Pick<ScoresDeps, "modelSchedule" | "now" | "store" | "upstream">,
  addresses: readonly string[],
): Promise<BatchAnswer> {
  const [chain, service] = await Promise.all([
    findSignals(deps, addresses),
    Promise.all(addresses.map((address) => findServiceSignals(deps, address))),
  ]);
  const now = deps.now().getTime();
  const at = { now, ...modelsAt(now, deps.modelSchedule) };
  const results = addresses.map((address, index) => {
    const known = scoreSignalsOf(chain[index] ?? null, service[index]!, now);
    return batchItemOf(address, known, at);
  });
  return {
    count: results.length,
    results,
    fetchedAt: fetchedAtOf(now),
    model: at.current.id,
  };
}

/** Scores an address of a batch at an instant. */
export function batchItemOf(
  address: string,
  known: ScoreSignals,
  { now, current, next }: { readonly now: number } & ModelsAt,
): BatchItem {
  const scored = scoreOf(known, minuteOf(now), current);
  const { headline, score, tier, tierLabel, s4, graph } = scored;
  const { verifiedHuman, costToFake } = scored;
  const signals = known.freshness;
  const isScored = signals !== "none";
  return {
    address,
    headline: isScored ? headline : null,
    score,
    tier,
    tierLabel,
    s4,
    graph,
    verifiedHuman,
    costToFake: isScored ? costToFake : null,
    signals,
    ...isScored && next !== null ? nextOf(known, now, next) : {},
  };
}

/** Signals of an address, from the service's database. */
interface ServiceSignals {
  /** What remains of a deleted profile counts as none, except for its number. */
  readonly profile: StoredProfile | null;
  readonly purchases: ProfilePurchases | null;
  readonly graph: GraphSignals;
  /** What other chains say about a unique human; null if none was asked. */
  readonly proofs: ProofRecord | null;
  /** The same as signals. */
  readonly proofSignals: readonly ProofSignal[];
}

/** Finds the signals of an address. The number of keys read does not depend on its followers. */
async function findServiceSignals(
  { store }: {
    readonly store: Pick<
      PaymentsStores & ProfilesStores,
      "follows" | "humanProofs" | "plans" | "profiles"
    >;
  },
  address: string,
): Promise<ServiceSignals> {
  const [profile, purchases, graph, proofs] = await Promise.all([
    store.profiles.findStored(address),
    store.plans.find(address),
    store.follows.findGraph(address),
    store.humanProofs.find(address),
  ]);
  const proofSignals = proofSignalsOf(proofs);
  return { profile, purchases, graph, proofs, proofSignals };
}
