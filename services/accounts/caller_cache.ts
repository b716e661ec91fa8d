/** Callers that this process has met: what was read of them, for a commit to prove. */
import { boundedCache } from "../platform/cache/bounded_cache.ts";
import {
  type Caller,
  callerAt,
  findKey,
  type KeyFacts,
  unauthorized,
} from "./access.ts";
import type { AccountsDeps } from "./deps.ts";
import { secondOf } from "../platform/instants.ts";

type Versions = ReturnType<AccountsDeps["store"]["tracked"]>["versions"];

/** A caller, and the versions of the records that a commit has to find unchanged. */
export interface KnownCaller {
  readonly caller: Caller;
  readonly versions: Versions;
  /** Notes that a commit found them so. */
  readonly prove: () => void;
}

interface Known {
  readonly facts: KeyFacts;
  readonly versions: Versions;
  /** The last second in which a commit found key and plan unchanged, and the revision it found. */
  proved: { readonly second: number; readonly revision: Versions } | null;
}

/** Keys that are remembered. */
const MOST_KEYS = 5_000;

/**
 * Remembers callers by their keys, in memory alone: to hash a key takes a tenth
 * of the time of a warm answer. What is remembered is a guess. It serves whoever
 * has it proved by the commit that counts a request, and nobody else. Key and plan
 * are proved once a second, and with each request that no key was revoked since.
 */
export function knownCallers(
  { now, store }: Pick<AccountsDeps, "now" | "store">,
) {
  const known = boundedCache<Known>(MOST_KEYS);
  /** Of all keys, as it was read last; null where it has to be read. */
  let revision: Versions | null = null;

  async function readRevision(): Promise<void> {
    const { store: tracked, versions } = store.tracked();
    await tracked.apiKeys.readRevision();
    revision = versions;
  }

  return {
    /** Finds the caller of a key in the store. Throws one and the same fault whatever is wrong with it. */
    async authorize(key: string | undefined): Promise<Caller> {
      if (key === undefined) throw unauthorized();
      if (revision === null) await readRevision();
      const { store: tracked, versions } = store.tracked();
      const wallet = known.get(key)?.facts.record.wallet ?? null;
      const facts = await findKey(tracked, key, wallet);
      const caller = facts && callerAt(facts, now().getTime());
      if (facts === null || caller === null) {
        known.delete(key);
        throw unauthorized();
      }
      known.set(key, { facts, versions, proved: null });
      return caller;
    },

    /** Returns whose a key was when it was last read; null where it was not, or has ended by `at`. */
    recall(key: string, at: number): KnownCaller | null {
      const found = known.get(key);
      const caller = found && callerAt(found.facts, at);
      if (!caller) return null;
      if (revision === null) {
        return { caller, versions: found.versions, prove: () => {} };
      }
      const proof = { second: secondOf(at), revision };
      const isProved = found.proved?.second === proof.second &&
        found.proved.revision === revision;
      return {
        caller,
        versions: isProved ? revision : [...found.versions, ...revision],
        prove: () => found.proved = proof,
      };
    },

    /** Forgets a key, and the revision of all keys, where a commit found something changed: which of it is not said. */
    forget(key: string): void {
      known.delete(key);
      revision = null;
    },
  };
}

/** Remembers callers. */
export type KnownCallers = ReturnType<typeof knownCallers>;
