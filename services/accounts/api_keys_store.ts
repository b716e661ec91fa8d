/** API keys: a record under the hash of each, and the ids that a wallet has. */
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet } from "../platform/kv/commit.ts";
import * as keys from "./keys.ts";
import { type ReadKey, sharedReads } from "../platform/kv/shared_reads.ts";

/** What is known of a key; instants in epoch ms. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly wallet: string;
  readonly name: string;
  /** The part of the key that may be shown. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** From when a replaced key is refused; null where it was not replaced. */
  readonly expiresAt: number | null;
}

/** A key that a wallet has: where its record is, and until when it works. */
export interface HeldKey {
  readonly hash: string;
  readonly expiresAt: number | null;
}

/** The keys of a wallet by id. */
type WalletKeys = Readonly<Record<string, HeldKey>>;

/** The same as it is stored: versions before keys could be replaced wrote hashes alone. */
export type WalletKeysRecord = Readonly<Record<string, HeldKey | string>>;

/** A key to be added, and what the wallet's audit trail says of it. */
export interface NewKey {
  readonly hash: string;
  readonly record: ApiKeyRecord;
  readonly mostKeys: number;
  readonly audit: AuditEntry;
}

/** API keys in a store. */
export function apiKeyStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  async function find(hash: string): Promise<ApiKeyRecord | null> {
    const { value } = await read<ApiKeyRecord>(keys.apiKey(hash));
    // Versions before keys could be replaced wrote no end.
    return value && { ...value, expiresAt: value.expiresAt ?? null };
  }

  /** Finds the record of a key that a wallet has; what changes in it is read again by who writes it. */
  async function findHeld(
    wallet: string,
    id: string,
  ): Promise<ApiKeyRecord | null> {
    const { value } = await kv.get<WalletKeysRecord>(keys.walletKeys(wallet));
    const held = value?.[id];
    return held === undefined ? null : await find(heldKeyOf(held).hash);
  }

  return {
    /** Finds the record of a key by its hash; always from the store, so that a revocation acts at once. */
    find,

    /** Reads a record that changes with every key that is revoked or replaced: while it stays, all do. */
    async readRevision(): Promise<void> {
      await read(keys.apiKeyRevision());
    },

    /** Finds the record of a key by its wallet and id; null where the wallet has no such key. */
    findHeld,

    /** Adds a key; false where the wallet has as many as it may. */
    add(added: NewKey): Promise<boolean> {
      const { wallet, createdAt } = added.record;
      const key = keys.walletKeys(wallet);
      return checkAndSet<WalletKeysRecord, boolean>(kv, key, ({ value }) => {
        const held = workingAt(value, createdAt);
        if (count(held, isLasting) >= added.mostKeys) return { value: false };
        return { value: true, write: (atomic) => putKey(atomic, added, held) };
      });
    },

    /**
     * Adds a key in the place of another, which works on for a grace period but
     * never longer than it would have. Says where the wallet has no such key, and
     * where it has as many as it may, lasting ones or replaced ones that work on.
     */
    async replace(
      id: string,
      added: NewKey,
      graceMs: number,
    ): Promise<"replaced" | "unknown" | "tooMany"> {
      const { wallet, createdAt } = added.record;
      const record = await findHeld(wallet, id);
      if (record === null) return "unknown";
      const key = keys.walletKeys(wallet);
      return checkAndSet(
        kv,
        key,
        (entry: Deno.KvEntryMaybe<WalletKeysRecord>) => {
          const held = workingAt(entry.value, createdAt);
          const replaced = held[id];
          if (replaced === undefined) return { value: "unknown" };
          const life = replaced.expiresAt ?? Infinity;
          const expiresAt = Math.min(life, createdAt + graceMs);
          const old = { hash: replaced.hash, expiresAt };
          const rest = workingAt({ ...held, [id]: old }, createdAt);
          const isFull = count(rest, isLasting) >= added.mostKeys ||
            count(rest, isEnding) > added.mostKeys;
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

    /** Revokes a key by its id and makes room for another; false where there is none, or not in `wallet`. */
    async revoke(
      id: string,
      { wallet, audit }: { wallet: string | null; audit: AuditEntry },
    ): Promise<boolean> {
      const { value: owner } = await kv.get<string>(keys.apiKeyOwner(id));
      if (owner === null || owner !== (wallet ?? owner)) return false;
      const record = await findHeld(owner, id);
      if (record === null) return false;
      const key = keys.walletKeys(owner);
      return checkAndSet<WalletKeysRecord, boolean>(kv, key, ({ value }) => {
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

    /** Lists the keys that a wallet has and may use at an instant, in epoch ms. */
    async list(wallet: string, at: number): Promise<ApiKeyRecord[]> {
      const { value } = await kv.get<WalletKeysRecord>(keys.walletKeys(wallet));
      const held = Object.values(workingAt(value, at));
      const records = await Promise.all(held.map(({ hash }) => find(hash)));
      return records.flatMap((record) => record ?? []);
    },
  };
}

const isLasting = ({ expiresAt }: HeldKey) => expiresAt === null;
const isEnding = ({ expiresAt }: HeldKey) => expiresAt !== null;

function count(
  held: WalletKeys,
  isCounted: (key: HeldKey) => boolean,
): number {
  return Object.values(held).filter(isCounted).length;
}

/** Returns the keys that work at an instant, in epoch ms. */
function workingAt(held: WalletKeysRecord | null, at: number): WalletKeys {
  const working = Object.entries(held ?? {})
    .map(([id, key]) => [id, heldKeyOf(key)] as const)
    .filter(([, { expiresAt }]) => at < (expiresAt ?? Infinity));
  return Object.fromEntries(working);
}

/** Returns a key that a wallet has, whichever version wrote it. */
export function heldKeyOf(key: HeldKey | string): HeldKey {
  return typeof key === "string" ? { hash: key, expiresAt: null } : key;
}

/** Puts a new key beside those that its wallet has. */
function putKey(
  atomic: Deno.AtomicOperation,
  { hash, record, audit }: NewKey,
  held: WalletKeys,
): Deno.AtomicOperation {
  const { id, wallet } = record;
  const all: WalletKeys = { ...held, [id]: { hash, expiresAt: null } };
  return withAudit(atomic, wallet, audit)
    .set(keys.walletKeys(wallet), all)
    .set(keys.apiKey(hash), record)
    .set(keys.apiKeyOwner(id), wallet);
}
