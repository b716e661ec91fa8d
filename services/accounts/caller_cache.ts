/** Cache of API key holders. The commit that counts a request verifies that its cached caller is current. */
import { boundedCache } from "../platform/cache.ts";
import {
  type Caller,
  callerAt,
  findKey,
  type KeyFacts,
  unauthorized,
} from "./access.ts";
import type { AccountsDeps } from "./deps.ts";
import { isWithinSecond } from "../platform/clock.ts";

type Versions = ReturnType<AccountsDeps["store"]["tracked"]>["versions"];

/** A caller that may be outdated, and the record versions that a commit must check. */
export interface CachedCaller {
  readonly caller: Caller;
  readonly versions: Versions;
  /** Notes that a commit found all versions unchanged. */
  readonly markVerified: () => void;
}

interface CachedKey {
  readonly facts: KeyFacts;
  readonly versions: Versions;
  /** When a commit last found them unchanged, epoch ms, and the key revision at that time. */
  verified: { readonly at: number; readonly revision: Versions } | null;
}

/** Maximum number of cached keys. */
const MAX_CACHED_KEYS = 5_000;

/**
 * Caches callers by key, in memory. Hashing a key takes a tenth of the time of a
 * cached response. A cached caller must be verified by the commit that counts the
 * request. Key and plan are checked once a second. The revision of all keys is
 * checked with each request, so that a revoked key is refused at once.
 */
export function callerCache(
  { now, store }: Pick<AccountsDeps, "now" | "store">,
) {
  const cache = boundedCache<CachedKey>(MAX_CACHED_KEYS);
  /** The revision of all keys as last read; null if it must be read again. */
  let revision: Versions | null = null;

  async function readRevision(): Promise<void> {
    const { store: tracked, versions } = store.tracked();
    await tracked.apiKeys.readRevision();
    revision = versions;
  }

  return {
    /** Reads the caller of a key from the store. Throws the same fault for every invalid key. */
    async authorize(key: string | undefined): Promise<Caller> {
      if (key === undefined) throw unauthorized();
      if (revision === null) await readRevision();
      const { store: tracked, versions } = store.tracked();
      const wallet = cache.get(key)?.facts.record.wallet ?? null;
      const facts = await findKey(tracked, key, wallet);
      const caller = facts && callerAt(facts, now().getTime());
      if (facts === null || caller === null) {
        cache.delete(key);
        throw unauthorized();
      }
      cache.set(key, { facts, versions, verified: null });
      return caller;
    },

    /**
     * Returns the cached caller of a key; null if there is none, or the key has expired
     * or is a test key: that one is never counted, so no commit would verify its caller.
     */
    find(key: string): CachedCaller | null {
      const at = now().getTime();
      const found = cache.get(key);
      const caller = found && callerAt(found.facts, at);
      if (!found || caller?.kind !== "live") return null;
      if (revision === null) {
        return { caller, versions: found.versions, markVerified: () => {} };
      }
      const { verified } = found;
      const isVerified = verified?.revision === revision &&
        isWithinSecond(at, verified.at);
      if (isVerified) {
        return { caller, versions: revision, markVerified: () => {} };
      }
      const checked = { at, revision };
      return {
        caller,
        versions: [...found.versions, ...revision],
        markVerified: () => found.verified = checked,
      };
    },

    /** Drops a key and the revision of all keys: a failed commit does not say which record changed. */
    remove(key: string): void {
      cache.delete(key);
      revision = null;
    },
  };
}

/** A cache of callers. */
export type CallerCache = ReturnType<typeof callerCache>;
