/** API keys: a record under the hash of each key, and the list of each wallet's keys. */
import { type AuditEntry, withAudit } from "../platform/kv/audit_store.ts";
import { checkAndSet, type Decision } from "../platform/kv/commit.ts";
import type { KeyLimits } from "./key_limits.ts";
import { CLOCK_SKEW_MS } from "../platform/clock.ts";
import {
  ANY,
  type Rule,
  type StoredRecords,
} from "../platform/kv/store_rule.ts";
import { type ReadKey, sharedReads } from "../platform/kv/reads.ts";

/** Keys. */
const keys = {
  /** An API key, under its hash. */
  apiKey: (hash: string) => ["api_keys", hash],
  /** The list of a wallet's keys. */
  walletKeys: (wallet: string) => ["wallet_keys", wallet],
  /** The revision of all keys; changes when a key is revoked or replaced, or its limits change. */
  apiKeyRevision: () => ["api_key_revision"],
  /** The wallet of a key, by the key's id. */
  apiKeyOwner: (id: string) => ["api_key_owners", id],
};

/** An API key; times in epoch ms. */
export interface ApiKeyRecord {
  readonly id: string;
  /** Id of the first key in its chain of rotations. The units of the chain are counted together. */
  readonly originId: string;
  readonly wallet: string;
  readonly name: string;
  /** First characters of the key, which may be shown. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** When a replaced key stops working; null if it was not replaced. */
  readonly expiresAt: number | null;
  /** The limits that the owner set. */
  readonly limits: KeyLimits;
  /** True if the key comes from a backup. It works again once its owner signs in. */
  readonly isWaiting?: true;
}

/** A key in a wallet's list: the hash of its record, and when it stops working. */
interface ListedKey {
  readonly hash: string;
  /** End of its grace period, epoch ms; null if it was not replaced. */
  readonly expiresAt: number | null;
  /** The expiry in its limits, epoch ms; null for never. */
  readonly limitedTo: number | null;
}

/** The keys of a wallet by id. */
type WalletKeys = Readonly<Record<string, ListedKey>>;

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

  /**
   * Changes a working key of a wallet. Every change of a record writes the list too,
   * so that two changes at once conflict. Returns "unknown" if the wallet has no
   * such key.
   */
  function changeKey<T>(
    wallet: string,
    id: string,
    at: number,
    decide: (
      key: { record: ApiKeyRecord; listed: ListedKey; working: WalletKeys },
    ) => Decision<T>,
  ): Promise<T | "unknown"> {
    const key = keys.walletKeys(wallet);
    return checkAndSet<WalletKeys, T | "unknown">(
      kv,
      key,
      async ({ value }) => {
        const working = workingAt(value, at);
        const listed = working[id];
        if (listed === undefined) return { value: "unknown" };
        const { value: record } = await kv.get<ApiKeyRecord>(
          keys.apiKey(listed.hash),
        );
        if (record === null) return { value: "unknown" };
        return decide({ record, listed, working });
      },
    );
  }

  return {
    /** Finds the record of a key by its hash. Never cached, so that a revocation takes effect at once. */
    find,

    /** Reads the revision of all keys. It changes whenever a key is revoked or replaced, or its limits change. */
    async readRevision(): Promise<void> {
      await read(keys.apiKeyRevision());
    },

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
     * Replaces a key. The old key works for a grace period, but not beyond its
     * own expiry. Returns "unknown" if the wallet has no such key, and "tooMany"
     * if it has too many keys, or too many replaced ones that still work.
     */
    replace(
      { wallet, id }: Readonly<Record<"wallet" | "id", string>>,
      next: (record: ApiKeyRecord) => NewKey,
      { at, graceMs }: Readonly<Record<"at" | "graceMs", number>>,
    ): Promise<"replaced" | "tooMany" | "unknown"> {
      return changeKey(wallet, id, at, ({ record, listed, working }) => {
        const life = listed.expiresAt ?? Infinity;
        const expiresAt = Math.min(life, at + graceMs);
        const old = { ...listed, expiresAt };
        const added = next(record);
        const rest = workingAt({ ...working, [id]: old }, at);
        const isFull = count(rest, isLasting) >= added.maxKeys ||
          count(rest, isEnding) > added.maxKeys;
        if (isFull) return { value: "tooMany" };
        return {
          value: "replaced",
          write: (atomic) =>
            putKey(atomic, added, rest)
              .set(keys.apiKey(old.hash), { ...record, expiresAt })
              .set(keys.apiKeyRevision(), at),
        };
      });
    },

    /** Changes the limits of a key; returns its record, or "unknown" if the wallet has no such key. */
    limit(
      { wallet, id }: Readonly<Record<"wallet" | "id", string>>,
      change: (
        record: ApiKeyRecord,
      ) => Pick<ApiKeyRecord, "limits"> & Pick<NewKey, "audit">,
      at: number,
    ): Promise<ApiKeyRecord | "unknown"> {
      return changeKey<ApiKeyRecord>(
        wallet,
        id,
        at,
        ({ record, listed, working }) => {
          const { limits, audit } = change(record);
          const limited = { ...record, limits };
          const limitedTo = limits.expiresAt;
          return {
            value: limited,
            write: (atomic) =>
              withAudit(atomic, wallet, { ...audit, keyName: record.name })
                .set(keys.walletKeys(wallet), {
                  ...working,
                  [id]: { ...listed, limitedTo },
                })
                .set(keys.apiKey(listed.hash), limited)
                .set(keys.apiKeyRevision(), at),
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
      const outcome = await changeKey(
        owner,
        id,
        audit.at,
        ({ record, listed, working }) => {
          const { [id]: _, ...rest } = working;
          const revoked = { ...record, revokedAt: audit.at };
          return {
            value: "revoked",
            write: (atomic) =>
              withAudit(atomic, owner, { ...audit, keyName: record.name })
                .set(keys.walletKeys(owner), rest)
                .set(keys.apiKey(listed.hash), revoked)
                .set(keys.apiKeyRevision(), audit.at)
                .delete(keys.apiKeyOwner(id)),
          };
        },
      );
      return outcome === "revoked";
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
    .filter(([, { expiresAt, limitedTo }]) =>
      at < Math.min(expiresAt ?? Infinity, limitedTo ?? Infinity)
    );
  return Object.fromEntries(entries);
}

/** Adds a new key to the working ones of its wallet. */
function putKey(
  atomic: Deno.AtomicOperation,
  { hash, record, audit }: NewKey,
  working: WalletKeys,
): Deno.AtomicOperation {
  const { id, wallet, limits } = record;
  const listed = { hash, expiresAt: null, limitedTo: limits.expiresAt };
  const all: WalletKeys = { ...working, [id]: listed };
  return withAudit(atomic, wallet, audit)
    .set(keys.walletKeys(wallet), all)
    .set(keys.apiKey(hash), record)
    .set(keys.apiKeyOwner(id), wallet);
}

const keyListed: Rule<ApiKeyRecord> = {
  name: "key-listed",
  of: keys.apiKey(ANY),
  invariant: "a wallet lists its working keys, and no revoked ones",
  async holds({ key, value }, { find, now }) {
    const { id, wallet, revokedAt, expiresAt, limits } = value;
    const all = await find<WalletKeys>(keys.walletKeys(wallet));
    const listed = all?.[id];
    if (revokedAt !== null) return listed === undefined;
    // Expired keys leave the list; their records stay.
    if (listed === undefined) {
      const end = Math.min(expiresAt ?? Infinity, limits.expiresAt ?? Infinity);
      return end <= now + CLOCK_SKEW_MS;
    }
    return listed.hash === key[1] && listed.expiresAt === expiresAt &&
      listed.limitedTo === limits.expiresAt;
  },
};

const keyOwner: Rule<ApiKeyRecord> = {
  name: "key-owner",
  of: keys.apiKey(ANY),
  invariant: "the id of a key points to its wallet until the key is revoked",
  async holds({ value: { id, wallet, revokedAt } }, { find }) {
    const owner = await find<string>(keys.apiKeyOwner(id));
    return owner === (revokedAt === null ? wallet : null);
  },
};

const listedKey: Rule<WalletKeys> = {
  name: "listed-key",
  of: keys.walletKeys(ANY),
  invariant: "every key in a wallet's list has a record of that wallet",
  async holds({ key, value }, { find }) {
    const records = await Promise.all(
      Object.values(value).map(({ hash }) =>
        find<ApiKeyRecord>(keys.apiKey(hash))
      ),
    );
    const ids = Object.keys(value);
    return records.every((record, nth) =>
      record?.id === ids[nth] && record?.wallet === key[1]
    );
  },
};

/** The collections and the rules. */
export const API_KEY_RECORDS: StoredRecords = {
  collections: {
    api_keys: {
      whenOutdated: {
        says: "API keys wait until their owners sign in",
        // A key that was live in the backup may have been revoked since.
        change: (key: ApiKeyRecord): ApiKeyRecord =>
          key.revokedAt === null ? { ...key, isWaiting: true } : key,
      },
    },
    api_key_owners: { isUnchecked: true },
    api_key_revision: { isUnchecked: true },
    wallet_keys: {},
  },
  rules: [keyListed, keyOwner, listedKey],
};
