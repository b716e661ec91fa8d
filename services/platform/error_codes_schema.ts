/** What each error code means, and what a client does about it. */

/** What a code means. */
export interface ErrorMeaning {
  readonly when: string;
  /** What to do about it. */
  readonly then: string;
}

/** The meanings by code. */
export const ERROR_MEANINGS = {
  BAD_REQUEST: {
    when: "an argument is malformed; the message lists what is accepted",
    then: "correct it; of a batch, `invalid` lists the bad addresses",
  },
  NOT_FOUND: {
    when: "there is no such path, chain, key, profile or account",
    then: "correct the request",
  },
  METHOD_NOT_ALLOWED: {
    when: "the path takes other methods",
    then: "use one that `Allow` names",
  },
  PAYLOAD_TOO_LARGE: {
    when: "the body is too large",
    then: "send less at once",
  },
  UNAUTHORIZED: {
    when: "the API key is missing or invalid, whatever is wrong with it",
    then: "send a good key in `X-Api-Key`, and nowhere else",
  },
  SIGNED_OUT: { when: "nobody is signed in", then: "sign in" },
  SIGNATURE_REFUSED: {
    when: "the signature, the message or its nonce is not good, or used",
    then: "ask for a new message and sign that",
  },
  CROSS_SITE: {
    when: "the change may come from another site",
    then: "send it from our own pages, with our `Origin`",
  },
  TOO_MANY_KEYS: {
    when: "the wallet has all the keys it may have",
    then: "revoke one first",
  },
  PLAN_REQUIRED: {
    when: "the plan does not include this; `requiredPlan` does",
    then: "buy it at `upgrade`; nothing was charged",
  },
  RATE_LIMITED: {
    when: "too many requests in a short time",
    then: "wait for `Retry-After`; nothing was charged",
  },
  QUOTA_EXCEEDED: {
    when: "the requests of 30 days are used up",
    then: "wait for `Retry-After`, or buy a larger plan; nothing was charged",
  },
  QUOTE_NOT_FOUND: {
    when: "the wallet has no such quote",
    then: "ask for a new one",
  },
  QUOTE_USED: {
    when: "the quote has been paid already",
    then: "nothing: see what was bought",
  },
  ALREADY_OWNED: {
    when: "the wallet has what it would buy",
    then: "nothing",
  },
  TX_USED: {
    when: "the transaction has been credited already",
    then: "nothing: it counts once",
  },
  TX_NOT_FOUND: {
    when: "no node knows the transaction",
    then: "check the hash and the chain, or ask again in a moment",
  },
  TX_FAILED: {
    when: "the transaction was reverted",
    then: "send another one",
  },
  NO_TRANSFER: {
    when: "the transaction moves no token",
    then: "send the transfer that was quoted",
  },
  WRONG_TOKEN: {
    when: "the transaction moves another token than native USDC",
    then: "send USDC; what went elsewhere is not ours to return",
  },
  WRONG_RECIPIENT: {
    when: "the transaction pays somebody else",
    then: "send to `payTo`",
  },
  WRONG_SENDER: {
    when: "another wallet has paid",
    then: "sign in with the wallet that paid",
  },
  PROFILE_REQUIRED: {
    when: "the wallet has no claimed profile",
    then: "claim it first",
  },
  SLUG_TAKEN: {
    when: "another profile has the name, or one like it",
    then: "choose another",
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
    when: "the zone of the domain does not say what it has to",
    then: "publish the record, wait until it is visible, ask again",
  },
  LINK_REFUSED: {
    when: "signing in elsewhere was refused, or begun in another browser",
    then: "begin again",
  },
  CONTENDED: {
    when: "too many were counted at once",
    then: "ask again in a moment; nothing was charged",
  },
  STORE_FULL: {
    when: "the disk of the service is full, and this would write",
    then: "wait for `Retry-After` and ask again; nothing was charged",
  },
  NOT_ENABLED: {
    when:
      "this deployment does not offer it, or a test key asks for a signed score",
    then:
      "ask for signed scores with a live key; for all else nothing: another deployment may offer it",
  },
  UPSTREAM_UNAVAILABLE: {
    when: "a source is out of reach or lacks the metric",
    then: "wait for `Retry-After` and ask again; nothing was charged",
  },
  INTERNAL: {
    when: "a defect here; it is logged",
    then: "ask again; nothing was charged",
  },
} as const satisfies Record<string, ErrorMeaning>;

/** A code of an error body. */
export type ErrorCode = keyof typeof ERROR_MEANINGS;
/** The codes in the order of the table. */
export const ERROR_CODES = Object.keys(ERROR_MEANINGS) as ErrorCode[];
