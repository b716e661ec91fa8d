/** KV keys of scores. */
import type { Collections } from "../platform/kv/collection.ts";
import { DAY_MS } from "../platform/days.ts";
import { SIGNALS_EXPIRE_MS } from "../profiles/keys.ts";

/** Expiry of signals that the index no longer shows as a whole: they cannot be read again. */
const CUT_EXPIRE_MS = 2 * 365 * DAY_MS;

/** The collections of scores. */
export const COLLECTIONS = {
  cohorts: { expireMs: SIGNALS_EXPIRE_MS, isIndependent: true },
  hubs: { expireMs: 30 * DAY_MS, isIndependent: true },
  score_cursor: { isUnchecked: true },
  score_histories: { expireMs: SIGNALS_EXPIRE_MS, isIndependent: true },
  signals: {
    expireMs: SIGNALS_EXPIRE_MS,
    expireMsOf: (_: Deno.KvKey, signals: { readonly isCut: boolean }) =>
      signals.isCut ? CUT_EXPIRE_MS : undefined,
    isIndependent: true,
  },
  waiting_scores: {},
} as const satisfies Collections;

/** The on-chain signals of an address. */
export const signals = (address: string) => ["signals", address.toLowerCase()];
/** The scored wallets that an address funded first. */
export const cohort = (funder: string) => ["cohorts", funder];
/** What a node said about a funder or a sweep target. */
export const hub = (address: string) => ["hubs", address];
/** The score history of an address. */
export const scoreHistory = (address: string) => ["score_histories", address];
/** All score histories. */
export const scoreHistories = () => ["score_histories"];
/** The address whose score the job tried to record last. */
export const scoreCursor = () => ["score_cursor"];
/** The waiting list of addresses to be scored. */
export const waitingScores = () => ["waiting_scores"];
