/** KV keys of scores. */

/** The on-chain signals of an address. */
export const signals = (address: string) => ["signals", address.toLowerCase()];
/** The scores of an address, day by day. */
export const scoreHistory = (address: string) => ["score_histories", address];
/** The scores of all addresses. */
export const scoreHistories = () => ["score_histories"];
/** The addresses that wait to be scored. */
export const waitingScores = () => ["waiting_scores"];
