/** Scores that cost no read: of callers and addresses this process has met, proved by the commit that counts them. */
import { LRUCache } from "lru-cache";
import { findSignals } from "./address_signals.ts";
import type { ScoreRead } from "./model/scores_schema.ts";
import type { ScoresDeps } from "./deps.ts";
import { chargeOf, type Standing } from "../accounts/quota/quota.ts";
import { type ScoreHistory, withPoint } from "./score_history.ts";
import { freshnessOf } from "./signal_freshness.ts";
import { CommitOutcomeUnknown } from "../platform/kv/commit_outcome_unknown.ts";
import { isNumberDue } from "../profiles/verified_human.ts";
import type { KnownCaller, KnownCallers } from "../accounts/caller_cache.ts";
import { findOwnSignals } from "./profile_signals.ts";
import { fetchedAtOf, pointOf, scoreAt, type ScoreInputs } from "./scores.ts";
import { minuteOf, secondOf } from "../platform/instants.ts";

type WarmDeps = Pick<ScoresDeps, "now" | "store" | "upstream">;

/** A score that was counted, as the JSON of its answer. */
export interface WarmScore {
  readonly text: string;
  readonly standing: Standing;
}

/** What was read of an address, and its score in the minute that was asked for last. */
interface Known {
  readonly inputs: ScoreInputs;
  /** The last point, beside which nothing else is looked at. */
  readonly history: ScoreHistory;
  /** Of what its owner may change at any time; signals stay as they are while they are fresh. */
  readonly versions: KnownCaller["versions"];
  answer: Answer | null;
}

/** A score in one minute of its clock. */
interface Answer {
  readonly minute: number;
  /** Its JSON before and after the instant that it says it was read at. */
  readonly parts: readonly [string, string];
  /** The last second in which a commit found the versions unchanged. */
  provedIn: number;
}

/** Memory that addresses may take, and what one takes beside its transactions, in bytes. */
const MOST_BYTES = 32 * 2 ** 20;
const ADDRESS_BYTES = 8_192;

/**
 * Answers scores from memory. What is remembered is a guess: it counts where the
 * transaction that spends the unit finds that nothing of it has changed. All else
 * is left to who reads and refuses, and nothing was spent then.
 */
export function warmScores(deps: WarmDeps, callers: KnownCallers) {
  const known = new LRUCache<string, Known>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ inputs: { held: { signals } } }) =>
      ADDRESS_BYTES + 8 * signals.recentTxAt.length,
  });

  /** Reads an address in one round; null where a score of it has to write something. */
  async function meet(address: string): Promise<Known | null> {
    const { store: tracked, versions } = deps.store.tracked();
    const [[held], own, history] = await Promise.all([
      findSignals(deps, [address]),
      findOwnSignals({ store: tracked }, address),
      deps.store.scores.find(address),
    ]);
    if (!held || !history) return null;
    const last = { ...history, points: history.points.slice(-1) };
    const inputs = { held, own };
    const met: Known = { inputs, history: last, versions, answer: null };
    known.set(address, met);
    return met;
  }

  async function spend(
    key: string,
    address: string,
    { caller, versions, prove }: KnownCaller,
  ): Promise<WarmScore | null> {
    const found = known.get(address) ?? await meet(address);
    const now = deps.now().getTime();
    const answer = found && answerAt(address, found, now);
    if (found === null || answer === null) {
      known.delete(address);
      return null;
    }
    const charge = chargeOf(caller.plan, "score");
    const second = secondOf(now);
    const given = answer.provedIn === second
      ? versions
      : [...versions, ...found.versions];
    const { usage } = deps.store;
    const decision = await usage.spendIf(given, caller, { charge, now });
    if (decision === null) {
      callers.forget(key);
      known.delete(address);
    }
    if (!decision?.allowed) return null;
    answer.provedIn = second;
    prove();
    const text = answer.parts.join(fetchedAtOf(now));
    return { text, standing: decision.standing };
  }

  /**
   * Scores an address, lower-case, for a key that this process has met, and counts
   * it; null where it has not, and where the promise has it, nothing was spent.
   * Rejects where it may have been counted.
   */
  return (key: string, address: string): Promise<WarmScore | null> | null => {
    const found = callers.recall(key, deps.now().getTime());
    if (found === null || found.caller.kind === "test") return null;
    return spend(key, address, found).catch(unlessUncertain);
  };
}

/** Answers scores from memory. */
export type WarmScores = ReturnType<typeof warmScores>;

/** Of what failed nothing was spent, but where nobody can tell: whoever reads and refuses says what it is. */
function unlessUncertain(error: unknown): null {
  if (error instanceof CommitOutcomeUnknown) throw error;
  return null;
}

/** Returns the answer in the minute of an instant; null where it takes more than to score. */
function answerAt(address: string, known: Known, now: number): Answer | null {
  const { inputs, history } = known;
  const { held: { signals }, own: { profile } } = inputs;
  if (freshnessOf(signals, now) !== "fresh") return null;
  const minute = minuteOf(now);
  if (known.answer?.minute === minute) return known.answer;
  if (isNumberDue(profile, { firstTxAt: signals.firstTxAt, now })) return null;
  const read = scoreAt(address, inputs, now);
  const point = pointOf(read, now);
  if (withPoint(history, point, { readAt: now }) !== history) return null;
  known.answer = { minute, parts: cut(read), provedIn: NaN };
  return known.answer;
}

/** Cuts the JSON of a score where it says when it was read: only the model comes after that. */
function cut(read: ScoreRead): [string, string] {
  const text = JSON.stringify(read);
  const at = text.lastIndexOf(read.fetchedAt);
  return [text.slice(0, at), text.slice(at + read.fetchedAt.length)];
}
