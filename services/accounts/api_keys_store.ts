/** API keys: a record under the hash of each key, and the list of each wallet's keys. */
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** An API key; times in epoch ms. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly wallet: string;
  readonly name: string;
  /** First characters of the key, which may be shown. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** When a replaced key stops working; null if it was not replaced. */
  readonly expiresAt: number | null;
  /** It comes from a backup, and works again once its owner signs in. */
  readonly isWaiting?: true;
}

/** A key in a wallet's list: the hash of its record, and when it stops working. */
export interface ListedKey {
  readonly hash: string;
  readonly expiresAt: number | null;
}

/** The keys of a wallet by id. */
export type WalletKeys = Readonly<Record<string, ListedKey>>;

/** A key to add, and its entry in the wallet's audit trail. */
export interface NewKey {
  readonly hash: string;
  readonly record: ApiKeyRecord;
  readonly maxKeys: number;
  readonly audit: AuditEntry;
}

/** API keys in a store. */
export function apiKeyStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  async function find(hash: string): Promise<ApiKeyRecord | null> {
    return (await read<ApiKeyRecord>(keys.apiKey(hash))).value;
  }

  /** Finds the record of a wallet's key. Writers read the changing part again. */
  async function findListed(
    wallet: string,
    id: string,
  ): Promise<ApiKeyRecord | null> {
    const { value } = await kv.get<WalletKeys>(keys.walletKeys(wallet));
    const listed = value?.[id];
    return listed === undefined ? null : await find(listed.hash);
  }

  return {
    /** Finds the record of a key by its hash. Never cached, so that a revocation takes effect at once. */
    find,

    /** Reads the revision of all keys. It changes whenever a key is revoked or replaced. */
    async readRevision(): Promise<void> {
      await read(keys.apiKeyRevision());
    },

    /** Finds the record of a key by its wallet and id; null if the wallet has no such key. */
    findListed,

    /** Adds a key; false if the wallet has `maxKeys` already. */
    add(added: NewKey): Promise<boolean> {
      const { wallet, createdAt } = added.record;
      const key = keys.walletKeys(wallet);
      return checkAndSet<WalletKeys, boolean>(kv, key, ({ value }) => {
        const working = workingAt(value, createdAt);
        if (count(working, isLasting) >= added.maxKeys) {
          return { value: false };
        }
        return {
          value: true,
          write: (atomic) => putKey(atomic, added, working),
        };
      });
    },

    /**
     * Replaces a key. The old key works for a grace period, but no longer than it
     * would have. Returns "unknown" if the wallet has no such key, "tooMany" if it
     * has too many keys, or too many replaced ones that still work.
     */
    async replace(
      id: string,
      added: NewKey,
      graceMs: number,
    ): Promise<"replaced" | "unknown" | "tooMany"> {
      const { wallet, createdAt } = added.record;
      const record = await findListed(wallet, id);
      if (record === null) return "unknown";
      const key = keys.walletKeys(wallet);
      return checkAndSet(
        kv,
        key,
        (entry: Deno.KvEntryMaybe<WalletKeys>) => {
          const working = workingAt(entry.value, createdAt);
          const replaced = working[id];
          if (replaced === undefined) return { value: "unknown" };
          const life = replaced.expiresAt ?? Infinity;
          const expiresAt = Math.min(life, createdAt + graceMs);
          const old = { hash: replaced.hash, expiresAt };
          const rest = workingAt({ ...working, [id]: old }, createdAt);
          const isFull = count(rest, isLasting) >= added.maxKeys ||
            count(rest, isEnding) > added.maxKeys;
          if (isFull) return { value: "tooMany" };
          return {
            value: "replaced",
            write: (atomic) =>
              putKey(atomic, added, rest)
                .set(keys.apiKey(old.hash), { ...record, expiresAt })
                .set(keys.apiKeyRevision(), createdAt),
          };
        },
      );
    },

    /** Revokes a key by its id; false if there is none, or it is not of `wallet`. */
    async revoke(
      id: string,
      { wallet, audit }: { wallet: string | null; audit: AuditEntry },
    ): Promise<boolean> {
      const { value: owner } = await kv.get<string>(keys.apiKeyOwner(id));
      if (owner === null || owner !== (wallet ?? owner)) return false;
      const record = await findListed(owner, id);
      if (record === null) return false;
      const key = keys.walletKeys(owner);
      return checkAndSet<WalletKeys, boolean>(kv, key, ({ value }) => {
        const { [id]: found, ...rest } = workingAt(value, audit.at);
        if (found === undefined) return { value: false };
        const { hash, expiresAt } = found;
        const revoked = { ...record, expiresAt, revokedAt: audit.at };
        return {
          value: true,
          write: (atomic) =>
            withAudit(atomic, owner, { ...audit, keyName: record.name })
              .set(key, rest)
              .set(keys.apiKey(hash), revoked)
              .set(keys.apiKeyRevision(), audit.at)
              .delete(keys.apiKeyOwner(id)),
        };
      });
    },

    /** Makes the keys of a wallet that come from a backup work again; returns their number. */
    release(
      wallet: string,
      { at, requestId }: Pick<AuditEntry, "at" | "requestId">,
    ): Promise<number> {
      const key = keys.walletKeys(wallet);
      return checkAndSet<WalletKeys, number>(kv, key, async ({ value }) => {
        const held = await Promise.all(
          Object.values(value ?? {}).map(({ hash }) =>
            kv.get<ApiKeyRecord>(keys.apiKey(hash))
          ),
        );
        const waiting = held.filter((entry) => entry.value?.isWaiting);
        if (waiting.length === 0) return { value: 0 };
        return {
          value: waiting.length,
          write(atomic) {
            for (const entry of waiting) {
              const { isWaiting: _, ...record } = entry.value!;
              atomic.set(entry.key, record);
            }
            // Written again, so that a revocation at the same time conflicts.
            return withAudit(atomic.set(key, value), wallet, {
              at,
              event: "key.release",
              requestId,
              keys: waiting.length,
            });
          },
        };
      });
    },

    /** Lists the working keys of a wallet at an instant, in epoch ms. */
    async list(wallet: string, at: number): Promise<ApiKeyRecord[]> {
      const { value } = await kv.get<WalletKeys>(keys.walletKeys(wallet));
      const working = Object.values(workingAt(value, at));
      const records = await Promise.all(working.map(({ hash }) => find(hash)));
      return records.flatMap((record) => record ?? []);
    },
  };
}

const isLasting = ({ expiresAt }: ListedKey) => expiresAt === null;
const isEnding = ({ expiresAt }: ListedKey) => expiresAt !== null;

function count(
  working: WalletKeys,
  isCounted: (key: ListedKey) => boolean,
): number {
  return Object.values(working).filter(isCounted).length;
}

/** Returns the keys that work at an instant, in epoch ms. */
function workingAt(listed: WalletKeys | null, at: number): WalletKeys {
  const entries = Object.entries(listed ?? {})
    .filter(([, { expiresAt }]) => at < (expiresAt ?? Infinity));
  return Object.fromEntries(entries);
}

/** Adds a new key to the working ones of its wallet. */
function putKey(
  atomic: Deno.AtomicOperation,
  { hash, record, audit }: NewKey,
  working: WalletKeys,
): Deno.AtomicOperation {
  const { id, wallet } = record;
  const all: WalletKeys = { ...working, [id]: { hash, expiresAt: null } };
  return withAudit(atomic, wallet, audit)
    .set(keys.walletKeys(wallet), all)
    .set(keys.apiKey(hash), record)
    .set(keys.apiKeyOwner(id), wallet);
}
