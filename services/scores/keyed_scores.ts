/** Keyed scores: from memory if the quota commit verifies the cached records, else from the store. */
import { LRUCache } from "lru-cache";
import { chargeTo } from "../accounts/access.ts";
import type { CachedCaller } from "../accounts/caller_cache.ts";
import type { QuotaStatus } from "../accounts/quota/quota.ts";
import { minuteOf, secondOf } from "../platform/instants.ts";
import { isNumberDue } from "../profiles/verified_human.ts";
import type { ScoresDeps } from "./deps.ts";
import {
  isAllowed,
  type KeyedRequest,
  meter,
  nullUnlessCounted,
  requesterOf,
} from "./metered_calls.ts";
import type { ScoreRead } from "./model/scores_schema.ts";
import { type ScoreHistory, withPoint } from "./score_history.ts";
import {
  fetchedAtOf,
  findStored,
  modelsOf,
  pointOf,
  readScore,
  scoreAt,
  type ScoreInputs,
  type StoredScore,
} from "./scores.ts";
import { freshnessOf } from "./signal_freshness.ts";
import { readFixtureScore } from "./test_keys/test_key_answers.ts";

type KeyedScoreDeps = Pick<
  ScoresDeps,
  "modelSchedule" | "now" | "publicUrl" | "share" | "store" | "upstream"
>;

/** The stored inputs of a score, and the answer of the last requested minute. */
interface CachedAddress {
  readonly inputs: ScoreInputs;
  /** With the last point only. */
  readonly history: ScoreHistory;
  /** Versions of the records that the owner may change. Fresh signals do not change. */
  readonly versions: CachedCaller["versions"];
  answer: CachedAnswer | null;
}

/** The answer of one minute. */
interface CachedAnswer {
  readonly minute: number;
  /** The JSON before and after the value of `fetchedAt`. */
  readonly parts: readonly [string, string];
  /** The last second in which a commit found the address's versions unchanged. */
  verifiedIn: number;
}

/** The records that were read of an address; null if serving its score requires a write. */
interface LoadedAddress {
  readonly stored: StoredScore;
  readonly cached: CachedAddress | null;
}

/** An answer from memory. */
interface CachedRead {
  readonly text: string;
  readonly quotaStatus: QuotaStatus;
}

/** No answer from memory, and the records that the request has already read. */
interface NotCached {
  readonly text: null;
  readonly stored?: StoredScore | undefined;
}

const NOT_CACHED: NotCached = { text: null };

/** Memory for cached addresses, and the size of one without its transactions, in bytes. */
const MAX_BYTES = 32 * 2 ** 20;
const ADDRESS_BYTES = 8_192;

/**
 * Creates the reader of keyed scores. A repeated request costs one commit and no
 * read: it is answered from the cached caller and inputs, and the quota commit
 * checks the versions of their records. If they changed, nothing was counted and
 * the request is served from the store.
 */
export function keyedScores(deps: KeyedScoreDeps) {
  const cache = new LRUCache<string, CachedAddress>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ inputs: { chain: { signals } } }) =>
      ADDRESS_BYTES + 8 * signals.recentTxAt.length +
      48 * signals.use.days.length,
  });

  /** Reads an address in one round, and caches it unless serving its score requires a write. */
  async function load(address: string): Promise<LoadedAddress> {
    const { store: tracked, versions } = deps.store.tracked();
    const stored = await findStored(deps, address, { store: tracked });
    const { chain, service, history: { value: history } } = stored;
    if (chain.stored === null || history === null) {
      return { stored, cached: null };
    }
    const last = { ...history, points: history.points.slice(-1) };
    const inputs = { chain: chain.stored, service };
    const cached = { inputs, history: last, versions, answer: null };
    cache.set(address, cached);
    return { stored, cached };
  }

  /** Counts the call if all versions are unchanged. Otherwise nothing is counted, and what was read is returned. */
  async function readCached(
    { key, callers }: KeyedRequest,
    { caller, versions, markVerified }: CachedCaller,
    address: string,
  ): Promise<CachedRead | NotCached> {
    const held = cache.get(address);
    const loaded = held ? null : await load(address);
    const found = held ?? loaded?.cached ?? null;
    const now = deps.now().getTime();
    const answer = found && answerAt(deps, address, found, now);
    if (found === null || answer === null) {
      cache.delete(address);
      return { text: null, stored: loaded?.stored };
    }
    const charge = chargeTo(caller, "score");
    const second = secondOf(now);
    const preconditions = answer.verifiedIn === second
      ? versions
      : [...versions, ...found.versions];
    const { usage } = deps.store;
    const decision = await usage.spendIf(preconditions, caller, {
      charge,
      now,
    });
    if (decision === null) {
      callers.remove(key);
      cache.delete(address);
    }
    if (!decision?.allowed) return NOT_CACHED;
    answer.verifiedIn = second;
    markVerified();
    const text = answer.parts.join(fetchedAtOf(now));
    return { text, quotaStatus: decision.quotaStatus };
  }

  /**
   * Scores an address, lower-case, and counts the call; returns the answer's JSON.
   * Throws as the endpoint documents, and `CommitOutcomeUnknown` if the call may
   * have been counted.
   */
  return async (request: KeyedRequest, address: string): Promise<string> => {
    const { unverified } = request;
    const cached = unverified && isAllowed(request, "score")
      ? await readCached(request, unverified, address).catch(nullUnlessCounted)
      : null;
    if (cached && cached.text !== null) {
      request.unverified = null;
      request.quotaStatus = cached.quotaStatus;
      request.units = 1;
      return cached.text;
    }
    const read = await meter(deps, request, {
      endpoint: "score",
      units: 1,
      work: () =>
        readScore(deps, address, {
          requester: requesterOf(request),
          found: cached?.stored,
        }),
      fixture: () => readFixtureScore(deps, address),
    });
    return JSON.stringify(read);
  };
}

/** Returns the answer at an instant; null if serving it takes more than scoring. */
function answerAt(
  deps: Pick<KeyedScoreDeps, "modelSchedule">,
  address: string,
  cached: CachedAddress,
  now: number,
): CachedAnswer | null {
  const { inputs, history } = cached;
  const { chain: { signals }, service: { profile } } = inputs;
  if (freshnessOf(signals, now) !== "fresh") return null;
  const minute = minuteOf(now);
  if (cached.answer?.minute === minute) return cached.answer;
  if (isNumberDue(profile, { firstTxAt: signals.firstTxAt, now })) return null;
  const read = scoreAt(address, inputs, { now, ...modelsOf(deps, now) });
  const point = pointOf(read, now);
  if (withPoint(history, point, { readAt: now }) !== history) return null;
  cached.answer = { minute, parts: splitJson(read), verifiedIn: NaN };
  return cached.answer;
}

/** Splits the JSON of a score at `fetchedAt`; only the model follows it. */
function splitJson(read: ScoreRead): [string, string] {
  const text = JSON.stringify(read);
  const at = text.lastIndexOf(read.fetchedAt);
  return [text.slice(0, at), text.slice(at + read.fetchedAt.length)];
}

/** Reads the keyed score of an address. */
export type ReadKeyedScore = ReturnType<typeof keyedScores>;
