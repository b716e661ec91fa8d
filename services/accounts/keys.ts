/** KV keys of accounts. */

/** What a wallet spent lately, and when its keys were used. */
export const usage = (wallet: string) => ["usage", wallet];
/** What is known of an API key, under the hash of the key. */
export const apiKey = (hash: string) => ["api_keys", hash];
/** The keys of a wallet: their hashes by id. */
export const walletKeys = (wallet: string) => ["wallet_keys", wallet];
/** Changes with every key that is revoked or replaced. */
export const apiKeyRevision = () => ["api_key_revision"];
/** The wallet that a key's id belongs to. */
export const apiKeyOwner = (id: string) => ["api_key_owners", id];
/** A session, under the hash of its token. */
export const session = (hash: string) => ["sessions", hash];
/** A one-time message, under its nonce. */
export const challenge = (nonce: string) => ["challenges", nonce];
