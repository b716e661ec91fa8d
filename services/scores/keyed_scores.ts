/** Keyed scores: from memory if the quota commit verifies the cached records, else from the store. */
import { LRUCache } from "lru-cache";
import { chargeTo } from "../accounts/access.ts";
import type { CachedCaller } from "../accounts/caller_cache.ts";
import type { QuotaStatus } from "../accounts/quota/quota.ts";
import { isWithinSecond, minuteOf } from "../platform/instants.ts";
import { proofSignalsOf } from "../profiles/proofs/human_proofs.ts";
import { isNumberDue } from "../profiles/verified_human.ts";
import type { ScoresDeps } from "./deps.ts";
import { meter, nullUnlessCounted } from "./charge_and_refund.ts";
import { isAllowed, type KeyedRequest, requesterOf } from "./keyed_request.ts";
import type { ScoreRead } from "../model/scores_schema.ts";
import { unpackHistory } from "./packed_history.ts";
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
import type { ReadOptions } from "./signals/address_signals.ts";
import { freshnessOf } from "./signals/signal_freshness.ts";
import { readFixtureScore } from "./test_key_answers.ts";

type KeyedScoreDeps = Pick<
  ScoresDeps,
  | "log"
  | "modelSchedule"
  | "now"
  | "publicUrl"
  | "share"
  | "store"
  | "upstream"
>;

/** The stored inputs of a score, and the answer of the last requested minute. */
interface CachedAddress {
  readonly inputs: ScoreInputs;
  /** With the last point only. */
  readonly history: ScoreHistory;
  /** Versions of the records that the owner may change. Signals need none: fresh ones do not change. */
  readonly versions: CachedCaller["versions"];
  answer: CachedAnswer | null;
}

/** The answer of one minute. */
interface CachedAnswer {
  readonly minute: number;
  /** The JSON before and after the value of `fetchedAt`. */
  readonly parts: readonly [string, string];
  /** When a commit last found the address's versions unchanged, epoch ms; NaN if never. */
  verifiedAt: number;
}

/** An answer from memory. */
interface CachedRead {
  readonly text: string;
  readonly quotaStatus: QuotaStatus;
}

/** Memory for cached addresses, and the size of one without its transactions, in bytes. */
const MAX_BYTES = 32 * 2 ** 20;
const ADDRESS_BYTES = 8_192;

/**
 * Creates the reader of keyed scores. A repeated request costs one commit and no
 * read: it is answered from the cached caller and inputs, and the quota commit
 * checks the versions of their records. If they changed, nothing was counted, and
 * the request is served from the store, which is read while the request is counted.
 */
export function keyedScores(deps: KeyedScoreDeps) {
  const cache = new LRUCache<string, CachedAddress>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ inputs: { chain: { signals } } }) =>
      ADDRESS_BYTES + 8 * signals.recentTxAt.length +
      48 * signals.use.days.length,
  });

  /** Reads an address in one round, and caches it if signals and a history are stored. */
  async function load(address: string): Promise<StoredScore> {
    const { store: tracked, versions } = deps.store.tracked();
    const stored = await findStored(deps, address, { store: tracked });
    const { chain, service } = stored;
    const history = unpackHistory(stored.history.value);
    if (chain.stored !== null && history !== null) {
      const last = { ...history, points: history.points.slice(-1) };
      const inputs = { chain: chain.stored, service };
      cache.set(address, { inputs, history: last, versions, answer: null });
    }
    return stored;
  }

  /** Counts the call if all versions are unchanged. Returns null, and counts nothing, if the store has to be read. */
  async function readCached(
    { key, callers }: KeyedRequest,
    { caller, versions, markVerified }: CachedCaller,
    address: string,
  ): Promise<CachedRead | null> {
    const found = cache.get(address);
    if (found === undefined) return null;
    const now = deps.now().getTime();
    const answer = answerAt(deps, address, found, now);
    if (answer === null) {
      cache.delete(address);
      return null;
    }
    const charge = chargeTo(caller, "score");
    const isVerified = isWithinSecond(now, answer.verifiedAt);
    const preconditions = isVerified
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
    if (!decision?.allowed) return null;
    if (!isVerified) answer.verifiedAt = now;
    markVerified();
    const [before, after] = answer.parts;
    const text = before + fetchedAtOf(now) + after;
    return { text, quotaStatus: decision.quotaStatus };
  }

  /**
   * Scores an address, lower-case, and counts the call; returns the answer's JSON.
   * Throws as the endpoint documents, and `CommitOutcomeUnknown` if the call may
   * have been counted.
   */
  return async (
    request: KeyedRequest,
    address: string,
    { allowStale }: Pick<ReadOptions, "allowStale"> = {},
  ): Promise<string> => {
    const { unverified, caller } = request;
    const mayRead = caller.kind === "live" && isAllowed(request, "score");
    const cached = unverified && mayRead
      ? await readCached(request, unverified, address).catch(nullUnlessCounted)
      : null;
    if (cached !== null) {
      request.unverified = null;
      request.quotaStatus = cached.quotaStatus;
      request.units = 1;
      return cached.text;
    }
    // If this fails, the score reads the store itself once the call was counted.
    const isLoaded = mayRead && (unverified === null || !cache.has(address));
    const loading = isLoaded ? load(address).catch(() => undefined) : undefined;
    try {
      const read = await meter(deps, request, {
        endpoint: "score",
        units: 1,
        work: async () =>
          readScore(deps, address, {
            requester: requesterOf(request),
            allowStale,
            found: await loading,
          }),
        fixture: () => readFixtureScore(deps, address),
      });
      return JSON.stringify(read);
    } finally {
      // After a refusal, no read may still be running.
      await loading;
    }
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
  const { chain: { signals, freshness }, service } = inputs;
  if (freshness !== "fresh" || freshnessOf(signals, now) !== "fresh") {
    return null;
  }
  const minute = minuteOf(now);
  if (cached.answer?.minute === minute) return cached.answer;
  const { firstTxAt } = signals;
  const proofs = proofSignalsOf(service.proofs);
  if (isNumberDue(service.profile, { firstTxAt, now, proofs })) return null;
  const read = scoreAt(address, inputs, { now, ...modelsOf(deps, now) });
  const point = pointOf(read, now);
  if (withPoint(history, point, { readAt: now }) !== history) return null;
  cached.answer = { minute, parts: splitJson(read), verifiedAt: NaN };
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
