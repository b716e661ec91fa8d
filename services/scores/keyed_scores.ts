/** Keyed scores: from memory if the quota commit verifies the cached records, else from the store. */
import { LRUCache } from "lru-cache";
import type { CachedCaller } from "../accounts/caller_cache.ts";
import { chargeOf } from "../accounts/quota/quota.ts";
import { isWithinSecond, minuteOf } from "../platform/instants.ts";
import type { ScoresDeps } from "./deps.ts";
import { meter, nullUnlessCounted } from "./charge_and_refund.ts";
import { type KeyedRequest, requesterOf } from "./keyed_request.ts";
import { unpackHistory } from "./packed_history.ts";
import { type ScoreHistory, withPoint } from "./score_history.ts";
import {
  fetchedAtOf,
  findStored,
  readScore,
  scoreAt,
  type ScoreInputs,
  type StoredScore,
} from "./scores.ts";
import type { ReadOptions } from "./signals/address_signals.ts";
import { freshUntil } from "./signals/signal_freshness.ts";
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
  /** Until when its signals are fresh, epoch ms. */
  readonly freshUntil: number;
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

  /** Reads an address in one round, and caches it if fresh signals and a history are stored. */
  async function load(address: string): Promise<StoredScore> {
    const { store: tracked, versions } = deps.store.tracked();
    const stored = await findStored(deps, address, { store: tracked });
    const { chain: { stored: chain }, service } = stored;
    const history = unpackHistory(stored.history.value);
    if (chain?.freshness === "fresh" && history !== null) {
      cache.set(address, {
        inputs: { chain, service },
        freshUntil: freshUntil(chain.signals),
        history: { ...history, points: history.points.slice(-1) },
        versions,
        answer: null,
      });
    }
    return stored;
  }

  /**
   * Scores the cached records of an address, and counts the call if they and the cached
   * caller are unchanged. Returns the answer's JSON; null if the store has to be read,
   * and then nothing was counted.
   */
  async function answerCached(
    request: KeyedRequest,
    { caller, versions, markVerified }: CachedCaller,
    address: string,
  ): Promise<string | null> {
    const found = cache.get(address);
    if (found === undefined) return null;
    const now = deps.now().getTime();
    const minute = minuteOf(now);
    const isFresh = now <= found.freshUntil;
    if (isFresh && found.answer?.minute !== minute) {
      const { inputs, history } = found;
      const { read, point, isNumberDue } = scoreAt(deps, address, inputs, now);
      const isWritten = withPoint(history, point, { readAt: now }) === history;
      // Only the model follows `fetchedAt`.
      const text = JSON.stringify(read);
      const at = text.lastIndexOf(read.fetchedAt);
      const after = text.slice(at + read.fetchedAt.length);
      const parts = [text.slice(0, at), after] as const;
      found.answer = isWritten && !isNumberDue
        ? { minute, parts, verifiedAt: NaN }
        : null;
    }
    const { answer } = found;
    if (!isFresh || answer === null) {
      cache.delete(address);
      return null;
    }
    const isVerified = isWithinSecond(now, answer.verifiedAt);
    const decision = await deps.store.usage.spendIf(
      isVerified ? versions : [...versions, ...found.versions],
      caller,
      {
        charge: chargeOf(caller.plan, "score", { cap: caller.limits.maxUnits }),
        now,
      },
    );
    if (decision === null) {
      request.callers.remove(request.key);
      cache.delete(address);
    }
    if (!decision?.allowed) return null;
    if (!isVerified) answer.verifiedAt = now;
    markVerified();
    request.unverified = null;
    request.quotaStatus = decision.quotaStatus;
    request.units = 1;
    return answer.parts.join(fetchedAtOf(now));
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
    const cached = unverified &&
      await answerCached(request, unverified, address).catch(nullUnlessCounted);
    if (cached !== null) return cached;
    // If this fails, the score reads the store itself once the call was counted.
    const isLoaded = caller.kind === "live" &&
      (unverified === null || !cache.has(address));
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

/** Reads the keyed score of an address. */
export type ReadKeyedScore = ReturnType<typeof keyedScores>;
