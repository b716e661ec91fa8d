/** Callers that this process has met: what was read of them, for a commit to prove. */
import { LRUCache } from "lru-cache";
import {
  type Caller,
  callerAt,
  findKey,
  type KeyFacts,
  unauthorized,
} from "./access.ts";
import type { Deps } from "./deps.ts";
import { secondOf } from "./scores.ts";

type Versions = ReturnType<Deps["store"]["tracked"]>["versions"];

/** A caller, and the versions of the records that a commit has to find unchanged. */
export interface KnownCaller {
  readonly caller: Caller;
  readonly versions: Versions;
  /** Notes that a commit found them so. */
  readonly prove: () => void;
}

interface Known {
  readonly facts: KeyFacts;
  readonly key: Versions;
  readonly plan: Versions;
  /** The last second in which a commit found the plan unchanged. */
  provedIn: number;
}

/** Keys that are remembered. */
const MOST_KEYS = 5_000;

/**
 * Remembers callers by their keys, in memory alone: to hash a key takes a tenth
 * of the time of a warm answer. What is remembered is a guess. It serves whoever
 * has it proved by the commit that counts a request, and nobody else. The key is
 * proved with each request, the plan once a second.
 */
export function knownCallers({ now, store }: Pick<Deps, "now" | "store">) {
  const known = new LRUCache<string, Known>({ max: MOST_KEYS });

  return {
    /** Finds the caller of a key in the store. Throws one and the same fault whatever is wrong with it. */
    async authorize(key: string | undefined): Promise<Caller> {
      if (key === undefined) throw unauthorized();
      const [keys, plans] = [store.tracked(), store.tracked()];
      const stores = { apiKeys: keys.store.apiKeys, plans: plans.store.plans };
      const wallet = known.get(key)?.facts.record.wallet ?? null;
      const facts = await findKey(stores, key, wallet);
      const caller = facts && callerAt(facts, now().getTime());
      if (facts === null || caller === null) {
        known.delete(key);
        throw unauthorized();
      }
      const versions = { key: keys.versions, plan: plans.versions };
      known.set(key, { facts, ...versions, provedIn: NaN });
      return caller;
    },

    /** Returns whose a key was when it was last read; null where it was not, or has ended by `at`. */
    recall(key: string, at: number): KnownCaller | null {
      const found = known.get(key);
      const caller = found && callerAt(found.facts, at);
      if (!caller) return null;
      const second = secondOf(at);
      return {
        caller,
        versions: found.provedIn === second
          ? found.key
          : [...found.key, ...found.plan],
        prove: () => found.provedIn = second,
      };
    },

    /** Forgets a key whose records have changed. */
    forget(key: string): void {
      known.delete(key);
    },
  };
}

/** Remembers callers. */
export type KnownCallers = ReturnType<typeof knownCallers>;
