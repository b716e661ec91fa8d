/**
 * Store of followers to look up: those of whom no history is known, by their edges,
 * and those that had sent nothing when they were looked up last.
 */
import {
  type Edge,
  type GraphRecord,
  isUnknown,
  withNonce,
} from "./follow_edges.ts";
import { graphKeys, prepareFollowerUpdate } from "./graph_store.ts";
import { commitOnce, retryConflicts } from "../../platform/kv/commit.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/reads.ts";
import { DAY_MS, dayAt, startOfDay } from "../../platform/days.ts";
import {
  ANY,
  ANY_NUMBER,
  numberAt,
  type Rule,
  type StoredRecords,
  textAt,
} from "../../platform/kv/store_rule.ts";

/** Keys of followers to look up. */
export const lookupKeys = {
  /** Marks the edge of a follower of whom no history is known, by the time of the edge. */
  unknownFollower: (at: number, follower: string, followee: string) => [
    ...lookupKeys.unknownFollowers(),
    at,
    follower,
    followee,
  ],
  /** Prefix of all edges of unknown followers. */
  unknownFollowers: () => ["unknown_followers"],
  /** A follower that had sent nothing when its nonce was read, by that time. */
  emptyFollower: (at: number, follower: string) => [
    ...lookupKeys.emptyFollowers(),
    at,
    follower,
  ],
  /** Prefix of all followers that had sent nothing. */
  emptyFollowers: () => ["empty_followers"],
};

/** A follower to look up, and what asks for it. */
interface FollowerLookup {
  readonly follower: string;
  readonly key: Deno.KvKey;
}

/** Followers that had sent nothing are looked up again after this time. */
const EMPTY_MS = 7 * DAY_MS;

/** Store of followers to look up. */
export function followerLookupStore(
  kv: Deno.Kv,
  read: ReadKey = sharedReads(kv),
) {
  /** Returns what is known of a follower: `empty` if it had sent nothing; null if it follows nobody. */
  async function findState(
    follower: string,
  ): Promise<"unknown" | "empty" | "known" | null> {
    const { value } = await read<GraphRecord>(graphKeys.graph(follower));
    if (value === null || value.following === 0) return null;
    if (isUnknown(value.known)) return "unknown";
    return value.known?.hasHistory ? "known" : "empty";
  }

  return {
    /**
     * Lists the followers to look up at `now`, epoch ms: the newest edges of unknown
     * ones first, then those that had sent nothing. A follower may come several times.
     */
    async *list(now: number): AsyncGenerator<FollowerLookup> {
      const unknown = { prefix: lookupKeys.unknownFollowers() };
      for await (const { key } of kv.list(unknown, { reverse: true })) {
        yield { follower: key[2] as string, key };
      }
      const prefix = lookupKeys.emptyFollowers();
      const end = [...prefix, now - EMPTY_MS];
      for await (const { key } of kv.list({ prefix, end })) {
        yield { follower: key[2] as string, key };
      }
    },

    /** Returns whether a lookup is still needed. If not, it is removed. Those asked together share reads. */
    async isNeeded(lookup: FollowerLookup): Promise<boolean> {
      const { follower, key } = lookup;
      const state = await findState(follower);
      if (state === (isEmptyKey(key) ? "empty" : "unknown")) return true;
      const atomic = kv.atomic().delete(key);
      if (state === "empty") {
        // It was scored meanwhile.
        const at = startOfDay(dayAt(key[1] as number));
        atomic.set(lookupKeys.emptyFollower(at, follower), true);
      }
      await atomic.commit();
      return false;
    },

    /**
     * Stores the nonce of a follower, read at `at`, and removes its lookups. Without
     * effect under too many concurrent writes: the lookups stay.
     */
    async answer(
      lookups: readonly [FollowerLookup, ...FollowerLookup[]],
      { nonce, at }: { readonly nonce: number; readonly at: number },
    ): Promise<void> {
      const [{ follower }] = lookups;
      await retryConflicts(async () => {
        const update = prepareFollowerUpdate(
          await kv.get<GraphRecord>(graphKeys.graph(follower)),
          follower,
          (known) => withNonce(known, nonce),
        );
        const atomic = update(kv.atomic());
        for (const { key } of lookups) atomic.delete(key);
        if (nonce === 0) {
          atomic.set(lookupKeys.emptyFollower(at, follower), true);
        }
        return await commitOnce(kv, atomic) && { value: true };
      });
    },
  };
}

function isEmptyKey([name]: Deno.KvKey): boolean {
  return name === lookupKeys.emptyFollowers()[0];
}

const unknown: Rule<true> = {
  name: "unknown-follower",
  of: lookupKeys.unknownFollower(ANY_NUMBER, ANY, ANY),
  invariant: "a follower to look up has the edge that asks for it",
  async holds({ key }, { find }) {
    const edge = graphKeys.follow(textAt(key, 2), textAt(key, 3));
    return (await find<Edge>(edge))?.at === numberAt(key, 1);
  },
};

/** The collections and the rules. */
export const LOOKUP_RECORDS: StoredRecords = {
  collections: {
    empty_followers: { isUnchecked: true },
    unknown_followers: {},
  },
  rules: [unknown],
};
