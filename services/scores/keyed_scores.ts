/** Keyed scores: from memory if the quota commit verifies the cached records, else from the store. */
import { LRUCache } from "lru-cache";
import type { CachedCaller } from "../accounts/access.ts";
import { chargeOf } from "../accounts/quota/quota.ts";
import { isWithinSecond, minuteOf } from "../platform/clock.ts";
import {
  fetchedAtOf,
  findStored,
  readScore,
  scoreAt,
  type ScoreInputs,
  type ScoreReadDeps,
  type ScoresDeps,
  type StoredScore,
} from "./scores.ts";
import {
  type KeyedRequest,
  meter,
  nullUnlessCounted,
  requesterOf,
} from "./charge_and_refund.ts";
import {
  type ScoreHistory,
  unpackHistory,
  withPoint,
} from "./score_history.ts";
import type { ReadOptions } from "./signals/address_signals.ts";
import { freshUntil } from "./signals/signal_freshness.ts";
import { readFixtureScore } from "./test_key_answers.ts";

type KeyedScoreDeps = ScoreReadDeps & Pick<ScoresDeps, "publicUrl">;

/** The stored inputs of a score, and the answer of the last requested minute. */
interface CachedAddress {
  readonly inputs: ScoreInputs;
  /** Until when its signals are fresh, epoch ms. */
  readonly freshUntil: number;
  /** With the last point only. */
  readonly history: ScoreHistory;
  /** Versions of the records that the owner may change. Signals need none: fresh ones count for their day, also if newer ones are read. */
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
 * Opens keyed scores. A repeated request costs one commit and no read: it is answered
 * from the cached caller and inputs, and the quota commit checks the versions of their
 * records. If they changed, nothing was counted, and the request is served from the
 * store, which is read while the request is counted.
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

  return {
    /**
     * Scores an address, lower-case, by its cached records, and counts the call if they
     * and the cached caller are unchanged. Returns the answer's JSON; null, and nothing
     * is counted, if the store has to be read. Throws `CommitOutcomeUnknown` if the call
     * may have been counted.
     */
    async answerCached(
      request: KeyedRequest,
      address: string,
    ): Promise<string | null> {
      const found = cache.get(address);
      if (request.unverified === null || found === undefined) return null;
      const { caller, versions, markVerified } = request.unverified;
      const now = deps.now().getTime();
      const minute = minuteOf(now);
      const isFresh = now <= found.freshUntil;
      if (isFresh && found.answer?.minute !== minute) {
        const { inputs, history } = found;
        const { read, point, isNumberDue } = scoreAt(
          deps,
          address,
          inputs,
          now,
        );
        const isRecorded =
          withPoint(history, point, { readAt: now }) === history;
        // Only the model follows `fetchedAt`.
        const text = JSON.stringify(read);
        const at = text.lastIndexOf(read.fetchedAt);
        const after = text.slice(at + read.fetchedAt.length);
        const parts = [text.slice(0, at), after] as const;
        found.answer = isRecorded && !isNumberDue
          ? { minute, parts, verifiedAt: NaN }
          : null;
      }
      const { answer } = found;
      if (!isFresh || answer === null) {
        cache.delete(address);
        return null;
      }
      const isVerified = isWithinSecond(now, answer.verifiedAt);
      const preconditions = isVerified
        ? versions
        : [...versions, ...found.versions];
      const { plan, limits: { maxUnits: cap } } = caller;
      const charge = chargeOf(plan, "score", { cap });
      const decision = await deps.store.usage
        .spendIf(preconditions, caller, { charge, now })
        .catch(nullUnlessCounted);
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
      const [before, after] = answer.parts;
      return before + fetchedAtOf(now) + after;
    },

    /**
     * Counts the call and reads the score of an address, lower-case; returns the answer's
     * JSON. Throws as the endpoint documents, and `CommitOutcomeUnknown` if the call may
     * have been counted.
     */
    async answerStored(
      request: KeyedRequest,
      address: string,
      { allowStale }: Pick<ReadOptions, "allowStale"> = {},
    ): Promise<string> {
      // If this fails, the score reads the store itself once the call was counted.
      const isLoaded = request.caller.kind === "live" &&
        (request.unverified === null || !cache.has(address));
      const loading = isLoaded
        ? load(address).catch(() => undefined)
        : undefined;
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
    },
  };
}

/** Answers requests of keyed scores. */
export type KeyedScores = ReturnType<typeof keyedScores>;
