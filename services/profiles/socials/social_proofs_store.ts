/** Proofs under way that an account elsewhere is somebody's: each ends by itself. */
import { checkAndSet, takeOnce } from "../../platform/kv/commit.ts";
import { EXPIRE_MS } from "../../platform/kv/expiry.ts";
import * as keys from "../keys.ts";

/** A sign-in elsewhere that was begun here, under the hash of its `state`. */
export interface OAuthState {
  readonly wallet: string;
  /** The hash of the session's token. */
  readonly session: string;
  /** The hash of what the browser holds that began it. */
  readonly browser: string;
  /** PKCE's secret (RFC 7636). */
  readonly codeVerifier: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** What the zone of a domain has to say. */
export interface DomainClaim {
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Proofs under way in a store. */
export function socialProofStore(kv: Deno.Kv) {
  return {
    /** Puts a sign-in that was begun. */
    async putState(hash: string, state: OAuthState): Promise<void> {
      const expireIn = EXPIRE_MS.oauth_states!;
      await kv.set(keys.oauthState(hash), state, { expireIn });
    },

    /** Takes a sign-in: one of several callers gets it, the others get null. */
    takeState(hash: string): Promise<OAuthState | null> {
      return takeOnce(kv, keys.oauthState(hash));
    },

    /** Finds what a wallet was told to put into the zone of a domain; null where it was told nothing, or too long ago. */
    async findClaim(
      wallet: string,
      domain: string,
      now: number,
    ): Promise<DomainClaim | null> {
      const key = keys.domainClaim(wallet, domain);
      const { value } = await kv.get<DomainClaim>(key);
      return value && now < value.expiresAt ? value : null;
    },

    /** Puts what a wallet is told, unless it was told before; returns what holds. */
    putClaim(
      wallet: string,
      { domain, claim, now }: {
        domain: string;
        claim: DomainClaim;
        now: number;
      },
    ): Promise<DomainClaim> {
      const key = keys.domainClaim(wallet, domain);
      return checkAndSet<DomainClaim, DomainClaim>(
        kv,
        key,
        ({ value: held }) => {
          if (held && now < held.expiresAt) return { value: held };
          const expireIn = EXPIRE_MS.domain_claims!;
          return {
            value: claim,
            write: (atomic) => atomic.set(key, claim, { expireIn }),
          };
        },
      );
    },
  };
}
