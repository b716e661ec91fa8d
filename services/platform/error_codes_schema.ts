/**
 * The error codes: when each occurs, and what a client should do. The statuses are
 * in `routes/http/error_statuses.ts`.
 */

/** The meaning of a code. */
interface ErrorMeaning {
  readonly when: string;
  /** What a client should do. */
  readonly then: string;
}

/** The meanings by code, in Markdown. */
export const ERROR_MEANINGS = {
  BAD_REQUEST: {
    when: "an argument is invalid; the message says what is expected",
    then: "correct it; for a batch, `invalid` lists the invalid addresses",
  },
  NOT_FOUND: {
    when: "the path, chain, key, profile or account does not exist",
    then: "correct the request",
  },
  METHOD_NOT_ALLOWED: {
    when: "the path does not support the method",
    then: "use a method of the `Allow` header",
  },
  PRECONDITION_FAILED: {
    when:
      "`If-Match` or `If-Unmodified-Since` names another version than the current one",
    then: "request it without the condition",
  },
  RANGE_NOT_SATISFIABLE: {
    when:
      "the file has none of the bytes that `Range` requests; `bytes` is its size",
    then: "request a range within the file",
  },
  PAYLOAD_TOO_LARGE: {
    when: "the body is too large",
    then: "send a smaller body",
  },
  REQUEST_TIMEOUT: {
    when: "the body did not arrive within ten seconds",
    then: "send it again, so that it arrives in time",
  },
  UNAUTHORIZED: {
    when: "the API key is missing or invalid",
    then: "send a valid key in `X-Api-Key`, and nowhere else",
  },
  SIGNED_OUT: { when: "the session is missing or has ended", then: "sign in" },
  SIGNATURE_REFUSED: {
    when:
      "the signature, the message or its nonce is invalid, or was used before",
    then: "request a new message and sign it",
  },
  CROSS_SITE: {
    when: "the request may come from another site",
    then: "send it from this service's pages, or with its `Origin`",
  },
  TOO_MANY_KEYS: {
    when: "the wallet has the maximum number of keys",
    then: "revoke one first",
  },
  TOO_MANY_FOLLOWS: {
    when: "the wallet follows the maximum number of addresses",
    then:
      "unfollow one first; a wallet that has paid gas may follow more, from its next score on",
  },
  NETWORK_NOT_ALLOWED: {
    when: "the key may not be used from the network of the request",
    then:
      "send it from a network of the key, or change the key's limits; nothing was charged",
  },
  SCOPE_REQUIRED: {
    when: "the key has no scope for the endpoint; `scopes` lists those it has",
    then: "use another key, or change the key's limits; nothing was charged",
  },
  PLAN_REQUIRED: {
    when: "the plan does not include the endpoint; `requiredPlan` does",
    then: "buy the plan at `upgrade`; nothing was charged",
  },
  RATE_LIMITED: {
    when: "too many requests in a short time",
    then: "wait for `Retry-After`; nothing was charged",
  },
  QUOTA_EXCEEDED: {
    when: "the quota of 30 days is used up",
    then: "wait for `Retry-After`, or buy a larger plan; nothing was charged",
  },
  KEY_CAP_EXCEEDED: {
    when: "the cap of the key is used up",
    then:
      "wait for `Retry-After`, or raise the cap in the key's limits; nothing was charged",
  },
  QUOTE_NOT_FOUND: {
    when: "the wallet has no such quote",
    then: "request a new quote",
  },
  QUOTE_USED: {
    when: "the quote was paid already, or the credit no longer covers it",
    then:
      "nothing if the account shows what was bought; else request a new quote",
  },
  CAPACITY_SOLD: {
    when:
      "the plans that are sold already, and this one, need more scores of new addresses than the sources allow",
    then: "buy a smaller plan, or ask the operator",
  },
  ALREADY_OWNED: {
    when: "the wallet already has the product",
    then: "nothing",
  },
  TX_USED: {
    when: "the transaction was credited already",
    then: "nothing; a transaction counts once",
  },
  TX_TOO_OLD: {
    when:
      "the transaction is older than the wallet's quotes and older than the first block that this deployment watched",
    then: "pay after the quote; ask the operator about earlier transfers",
  },
  TX_NOT_FOUND: {
    when: "no node knows the transaction",
    then: "check the hash and the chain, or retry in a moment",
  },
  TX_FAILED: {
    when: "the transaction was reverted",
    then: "send another transaction",
  },
  NO_TRANSFER: {
    when: "the transaction transfers no token",
    then: "send the transfer of the quote",
  },
  WRONG_TOKEN: {
    when: "the transaction transfers a token other than native USDC",
    then: "send native USDC; other tokens are not returned",
  },
  WRONG_RECIPIENT: {
    when: "the transaction pays another address",
    then: "send to `payTo`",
  },
  WRONG_SENDER: {
    when: "another wallet sent the payment",
    then: "sign in with the wallet that paid",
  },
  PROFILE_REQUIRED: {
    when: "the wallet has no claimed profile",
    then: "claim the profile first",
  },
  SLUG_TAKEN: {
    when: "another profile has the slug, or one that looks like it",
    then: "choose another slug",
  },
  SOCIAL_TAKEN: {
    when: "another profile has linked the account",
    then: "unlink it there first",
  },
  SOCIAL_LINKED: {
    when: "an account of this kind is linked already",
    then: "unlink it first",
  },
  RECORD_NOT_FOUND: {
    when: "the DNS record of the domain is missing or different",
    then: "publish the record, wait until it is visible, and retry",
  },
  LINK_REFUSED: {
    when:
      "the sign-in at the other service was refused, or started in another browser",
    then: "start again",
  },
  SCORING_BUSY: {
    when:
      "reads that came first take the calls that the sources allow now, and the address is not in the cache",
    then:
      "retry after `Retry-After`: a place is kept for the address; or accept stored signals with `allowStale=true`; nothing was charged",
  },
  CAPACITY_SPENT: {
    when:
      "the calls that the sources allow in a day, or the wallet's part of them, are used up",
    then:
      "retry after `Retry-After`, or accept stored signals with `allowStale=true`; nothing was charged",
  },
  CONTENDED: {
    when:
      "too many requests changed the same record at the same time, or the follows of a deleted profile are still being removed",
    then: "retry in a moment; nothing was charged",
  },
  STORE_BUSY: {
    when:
      "the database of the service does not answer in time, or answers that it has too much to do",
    then:
      "retry after `Retry-After`; nothing was charged, unless the message says that the request may have been",
  },
  STORE_FULL: {
    when:
      "the disk of the service is full or its database refuses writes, and the request must write",
    then: "retry after `Retry-After`; nothing was charged",
  },
  NOT_ENABLED: {
    when:
      "this deployment does not offer the feature, or a test key requested a signed score",
    then: "for signed scores, use a live key",
  },
  UPSTREAM_UNAVAILABLE: {
    when: "a source is unreachable or lacks the metric",
    then: "retry after `Retry-After`; nothing was charged",
  },
  NOT_READ_YET: {
    when:
      "the series was not read yet, and this service has used up the calls that it allows itself: the series waits in its queue",
    then:
      "retry after `Retry-After`, when it is read; or accept stored data with `Cache-Control: max-stale`; nothing was charged",
  },
  INTERNAL: {
    when: "an internal error, which is logged",
    then:
      "retry; nothing was charged, unless the message says that it may have been",
  },
} as const satisfies Record<string, ErrorMeaning>;

/** A code of an error body. */
export type ErrorCode = keyof typeof ERROR_MEANINGS;
/** The codes in the order of the table. */
export const ERROR_CODES = Object.keys(ERROR_MEANINGS) as ErrorCode[];

/** Returns the path of the documentation of a code. */
export function docsOfError(code: ErrorCode): string {
  return `/docs/errors#${code}`;
}
