/** Garbage collection: what may go, and when. */
import { DAY_MS } from "../days.ts";

/**
 * After how long a record goes that nobody writes again, by collection. What has
 * to end on time says so in its value: the database is free to be late.
 */
export const EXPIRE_MS: Readonly<Record<string, number>> = {
  // By then any clock has passed a nonce that was taken from one.
  attestation_nonces: 30 * DAY_MS,
  audit: 800 * DAY_MS,
  budgets: 2 * DAY_MS,
  challenges: DAY_MS / 24,
  domain_claims: 8 * DAY_MS,
  oauth_states: DAY_MS,
  ping: DAY_MS / 24,
  quotes: 8 * DAY_MS,
  score_histories: 180 * DAY_MS,
  sessions: DAY_MS,
  signals: 30 * DAY_MS,
  usage: 32 * DAY_MS,
};
