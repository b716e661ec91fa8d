/** Store of pending account verifications. Each expires. */
import { checkAndSet, takeOnce } from "../platform/kv/commit.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import type { StoredRecords } from "../platform/kv/store_rule.ts";

/** Returns the prefix of the pending verifications of a wallet. */
export const domainClaimsKey = (wallet: string) => ["domain_claims", wallet];

/** Keys. */
const keys = {
  /** A pending OAuth sign-in, by the hash of its state. */
  oauthState: (hash: string) => ["oauth_states", hash],
  /** The pending verification of a domain by a wallet. */
  domainClaim: (wallet: string, domain: string) => [
    ...domainClaimsKey(wallet),
    domain,
  ],
};

/** How long pending sign-ins and verifications are kept. */
const STATE_EXPIRE_MS = 20 * MINUTE_MS;
const CLAIM_EXPIRE_MS = 8 * DAY_MS;

/** A pending OAuth sign-in, stored under the hash of its `state`. */
interface OAuthState {
  readonly wallet: string;
  /** Hash of the session token. */
  readonly session: string;
  /** Hash of the secret in the browser's cookie. */
  readonly browser: string;
  /** PKCE code verifier (RFC 7636). */
  readonly codeVerifier: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** A pending domain verification. */
interface DomainClaim {
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Pending verifications of domains that a wallet may have. */
const MAX_CLAIMS = 5;

/** Store of pending account verifications. */
export function socialProofStore(kv: Deno.Kv) {
  const stateExpiry = { expireIn: STATE_EXPIRE_MS };

  return {
    /** Stores a pending sign-in. */
    async putState(hash: string, state: OAuthState): Promise<void> {
      await kv.set(keys.oauthState(hash), state, stateExpiry);
    },

    /** Takes a sign-in: one of several callers gets it, the others get null. */
    takeState(hash: string): Promise<OAuthState | null> {
      return takeOnce(kv, keys.oauthState(hash), stateExpiry);
    },

    /** Finds the pending verification of a domain; null if there is none or it expired. */
    async findClaim(
      wallet: string,
      domain: string,
      now: number,
    ): Promise<DomainClaim | null> {
      const key = keys.domainClaim(wallet, domain);
      const { value } = await kv.get<DomainClaim>(key);
      return value && now < value.expiresAt ? value : null;
    },

    /**
     * Stores a verification unless one is pending, and returns the pending one. Beyond
     * `MAX_CLAIMS` the one that ends first makes room.
     */
    async putClaim(
      wallet: string,
      { domain, claim, now }: {
        domain: string;
        claim: DomainClaim;
        now: number;
      },
    ): Promise<DomainClaim> {
      const key = keys.domainClaim(wallet, domain);
      const held = await Array.fromAsync(
        kv.list<DomainClaim>({ prefix: domainClaimsKey(wallet) }),
      );
      const surplus = held
        .filter((entry) => entry.key.at(-1) !== domain)
        .sort((a, b) => b.value.expiresAt - a.value.expiresAt)
        .slice(MAX_CLAIMS - 1);
      return await checkAndSet<DomainClaim, DomainClaim>(
        kv,
        key,
        ({ value: held }) => {
          if (held && now < held.expiresAt) return { value: held };
          return {
            value: claim,
            write: (atomic) =>
              surplus.reduce(
                (write, entry) => write.delete(entry.key),
                atomic.set(key, claim, { expireIn: CLAIM_EXPIRE_MS }),
              ),
          };
        },
      );
    },
  };
}

/** The collections and the rules. */
export const SOCIAL_PROOF_RECORDS: StoredRecords = {
  collections: {
    domain_claims: {
      expireMs: CLAIM_EXPIRE_MS,
      isLeftOut: true,
      isUnchecked: true,
    },
    oauth_states: {
      expireMs: STATE_EXPIRE_MS,
      isLeftOut: true,
      isUnchecked: true,
    },
  },
  rules: [],
};
