/**
 * Addresses that weigh something else than their edges say: marked in the
 * transaction that changes what is known of them, until a job has seen to it.
 */
import {
  EMPTY_RECORD,
  type GraphRecord,
  hasSameWeight,
  isUnconnected,
  weigh,
} from "./follow_edges.ts";
import type { Follower } from "../../scores/model/follower_analysis.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import { EXPIRE_MS } from "../../platform/kv/expiry.ts";
import * as keys from "../keys.ts";

/** What a mark says. */
interface StoredUpdate {
  /** Another one for each change. */
  readonly id: string;
  /** The last of the followed addresses that was seen to; null where none was. */
  readonly after: string | null;
}

/** An address to be seen to. */
export interface PendingWeightUpdate extends StoredUpdate {
  readonly address: string;
}

/** Adds to a transaction. */
export type AddWrites = (atomic: Deno.AtomicOperation) => Deno.AtomicOperation;

/**
 * Reads what an address weighs as a follower, and returns what belongs in the
 * transaction that changes what is known of it.
 */
export async function prepareFollowerUpdate(
  kv: Deno.Kv,
  address: string,
  change: (known: Follower | null) => Follower,
): Promise<AddWrites> {
  const entry = await kv.get<GraphRecord>(keys.graph(address));
  const held = entry.value ?? EMPTY_RECORD;
  const known = change(held.known);
  const isSame = hasSameWeight(weigh(known), weigh(held.known));
  return (atomic) => {
    putSums(atomic.check(entry), entry.key, { ...held, known });
    if (isSame || held.following === 0) return atomic;
    const mark: StoredUpdate = { id: crypto.randomUUID(), after: null };
    return atomic.set(keys.pendingWeightUpdate(address), mark);
  };
}

/**
 * Puts the sums of an address. Without edges and without a profile they go in
 * their time, as its signals do: the address space is endless.
 */
export function putSums(
  atomic: Deno.AtomicOperation,
  key: Deno.KvKey,
  record: GraphRecord,
): void {
  if (!isUnconnected(record) || record.known?.claimed) atomic.set(key, record);
  else if (record.known === null) atomic.delete(key);
  else atomic.set(key, record, { expireIn: EXPIRE_MS.signals! });
}

/** The addresses to be seen to, in a store. */
export function pendingWeightUpdateStore(kv: Deno.Kv) {
  return {
    /** Goes through all, those after the one that was last seen to first. */
    async *list(): AsyncGenerator<PendingWeightUpdate> {
      const prefix = keys.pendingWeightUpdates();
      const { value: last } = await kv.get<string>(
        keys.pendingWeightUpdateCursor(),
      );
      const next = [...keys.pendingWeightUpdate(last ?? ""), 0];
      for (const turn of [{ prefix, start: next }, { prefix, end: next }]) {
        for await (const { key, value } of kv.list<StoredUpdate>(turn)) {
          yield { address: key[1] as string, ...value };
        }
      }
    },

    /** Says how far an address was seen to, or with null wholly; false where it changed again since. */
    advance(
      { address, id }: PendingWeightUpdate,
      after: string | null,
    ): Promise<boolean> {
      const key = keys.pendingWeightUpdate(address);
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
