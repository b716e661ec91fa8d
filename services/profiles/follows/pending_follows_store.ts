/**
 * What the follow graph leaves to jobs: addresses whose edges have outdated weights, and
 * followers to look up, that is those of whom no history is known, by their edges, and
 * those that had sent nothing when they were looked up last. The transaction that changes
 * a follower marks it; a job updates the edges. The keys of the graph stand here too,
 * since both this file and `follows_store.ts` read it.
 */
import {
  type Edge,
  EMPTY_RECORD,
  type GraphRecord,
  hasSameWeight,
  isExpiring,
  isUnknown,
  SIGNALS_EXPIRE_MS,
  weigh,
  withNonce,
} from "./follow_edges.ts";
import type { Follower } from "../../model/follower_analysis.ts";
import {
  checkAndSet,
  commitOnce,
  retryConflicts,
} from "../../platform/kv/commit.ts";
import {
  ANY,
  ANY_NUMBER,
  numberAt,
  type Rule,
  type StoredRecords,
  textAt,
} from "../../platform/kv/store_rule.ts";
import { type ReadKey, sharedReads } from "../../platform/kv/reads.ts";
import { DAY_MS, dayAt, startOfDay } from "../../platform/days.ts";

/** Keys of the follow graph. */
export const graphKeys = {
  /** Sums over the follow edges of an address. */
  graph: (address: string) => ["graphs", address],
  /** The edge of one address that follows another. */
  follow: (follower: string, followee: string) => [
    ...graphKeys.follows(follower),
    followee,
  ],
  /** Prefix of the edges of a follower. */
  follows: (follower: string) => ["graphs", follower, "follows"],
  /** Index entry: an address is followed by another. */
  follower: (followee: string, follower: string) => [
    ...graphKeys.followers(followee),
    follower,
  ],
  /** Prefix of the followers of an address. */
  followers: (followee: string) => ["graphs", followee, "followers"],
  /** Follower arrivals of an address in one hour range. */
  followerHours: (address: string, hourRange: number) => [
    ...graphKeys.followerHoursOf(address),
    hourRange,
  ],
  /** Prefix of the follower arrivals of an address. */
  followerHoursOf: (address: string) => ["graphs", address, "hours"],
};

/** Returns the key that marks an address whose edges have outdated weights. */
export const pendingUpdateKey = (
  address: string,
) => ["graph_changes", address];

/** Keys. */
const keys = {
  /** Prefix of all pending weight updates. */
  pendingWeightUpdates: () => ["graph_changes"],
  /** The address whose weights were updated last. */
  pendingWeightUpdateCursor: () => ["graph_cursor"],
};

/** A stored pending update. */
interface StoredUpdate {
  /** Unique per change. */
  readonly id: string;
  /** The last followed address whose edge is updated; null at the start. */
  readonly after: string | null;
}

/** An address whose edges have to be updated. */
interface PendingWeightUpdate extends StoredUpdate {
  readonly address: string;
}

/** Adds writes to a transaction. */
type AddWrites = (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;

/**
 * Applies a change to the follower record of an address, and returns the writes for
 * the transaction of that change. If the weight changes, the writes include a
 * pending update.
 */
export function prepareFollowerUpdate(
  entry: Deno.KvEntryMaybe<GraphRecord>,
  address: string,
  change: (known: Follower | null) => Follower,
): AddWrites {
  const held = entry.value ?? EMPTY_RECORD;
  const known = change(held.known);
  const { following } = held;
  const isSame = hasSameWeight(
    weigh(known, following),
    weigh(held.known, following),
  );
  return (atomic) => {
    putSums(atomic.check(entry), entry.key, { ...held, known });
    if (isSame || held.following === 0) return atomic;
    return addPendingUpdate(atomic, address);
  };
}

/**
 * Returns the writes that make an address unclaimed again. If it follows others, it
 * is leaving until the pending update has removed these edges.
 */
export function prepareLeaving(
  entry: Deno.KvEntryMaybe<GraphRecord>,
  address: string,
): AddWrites {
  const held = entry.value ?? EMPTY_RECORD;
  const known = held.known && { ...held.known, claimed: false };
  const isLeaving = held.following > 0;
  return (atomic) => {
    const record: GraphRecord = {
      ...held,
      known,
      ...isLeaving ? { isLeaving } : {},
    };
    putSums(atomic.check(entry), entry.key, record);
    return isLeaving ? addPendingUpdate(atomic, address) : atomic;
  };
}

/** Marks an address whose edges have outdated weights. */
export function addPendingUpdate(
  atomic: Deno.AtomicOperation,
  address: string,
): Deno.AtomicOperation {
  const update: StoredUpdate = { id: crypto.randomUUID(), after: null };
  return atomic.set(pendingUpdateKey(address), update);
}

/** Puts the sums of an address. Those that nobody needs are deleted or expire. */
export function putSums(
  atomic: Deno.AtomicOperation,
  key: Deno.KvKey,
  record: GraphRecord,
): void {
  if (!isExpiring(record)) atomic.set(key, record);
  else if (record.known === null) atomic.delete(key);
  else atomic.set(key, record, { expireIn: SIGNALS_EXPIRE_MS });
}

/** Store of pending weight updates. */
export function pendingWeightUpdateStore(kv: Deno.Kv) {
  return {
    /** Finds the pending update of an address; null if there is none. */
    async find(address: string): Promise<PendingWeightUpdate | null> {
      const key = pendingUpdateKey(address);
      const { value } = await kv.get<StoredUpdate>(key);
      return value && { address, ...value };
    },

    /** Lists all pending updates, starting after the address updated last. */
    async *list(): AsyncGenerator<PendingWeightUpdate> {
      const prefix = keys.pendingWeightUpdates();
      const { value: last } = await kv.get<string>(
        keys.pendingWeightUpdateCursor(),
      );
      const next = [...pendingUpdateKey(last ?? ""), 0];
      for (const selector of [{ prefix, start: next }, { prefix, end: next }]) {
        for await (const { key, value } of kv.list<StoredUpdate>(selector)) {
          yield { address: key[1] as string, ...value };
        }
      }
    },

    /** Stores the progress of an update; null ends it. False if the address changed again meanwhile. */
    advance(
      { address, id }: PendingWeightUpdate,
      after: string | null,
    ): Promise<boolean> {
      const key = pendingUpdateKey(address);
      return checkAndSet<StoredUpdate, boolean>(kv, key, ({ value: held }) => {
        if (held?.id !== id) return { value: false };
        return {
          value: true,
          write(atomic) {
            if (after === null) atomic.delete(key);
            else atomic.set(key, { id, after } satisfies StoredUpdate);
            return atomic.set(keys.pendingWeightUpdateCursor(), address);
          },
        };
      });
    },
  };
}

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
export const PENDING_FOLLOW_RECORDS: StoredRecords = {
  collections: {
    empty_followers: { isUnchecked: true },
    graph_changes: { isUnchecked: true },
    graph_cursor: { isUnchecked: true },
    unknown_followers: {},
  },
  rules: [unknown],
};
