/**
 * Keys of the follow graph, and the store of pending weight updates: addresses whose
 * edges have outdated weights. The transaction that changes a follower marks it; a job
 * updates the edges.
 */
import {
  EMPTY_RECORD,
  type GraphRecord,
  hasSameWeight,
  isExpiring,
  SIGNALS_EXPIRE_MS,
  weigh,
} from "./follow_edges.ts";
import type { Follower } from "../../model/follower_analysis.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import type { StoredRecords } from "../../platform/kv/store_rule.ts";

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

/** The collections and the rules. */
export const PENDING_UPDATE_RECORDS: StoredRecords = {
  collections: {
    graph_changes: { isUnchecked: true },
    graph_cursor: { isUnchecked: true },
  },
  rules: [],
};
