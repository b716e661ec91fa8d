/** API keys: a record under the hash of each, and the ids that a wallet has. */
import { checkAndSet } from "./commit.ts";
import * as keys from "./keys.ts";

/** What is known of a key; instants in epoch ms. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly wallet: string;
  readonly name: string;
  /** The part of the key that may be shown. */
  readonly prefix: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** The keys of a wallet: the hash under which each one's record is, by id. */
type WalletKeys = Readonly<Record<string, string>>;

/** API keys in a store. */
export function apiKeyStore(kv: Deno.Kv) {
  return {
    /** Finds the record of a key by its hash; always from the store, so that a revocation acts at once. */
    async find(hash: string): Promise<ApiKeyRecord | null> {
      return (await kv.get<ApiKeyRecord>(keys.apiKey(hash))).value;
    },

    /** Adds a key; false where the wallet has as many as it may. */
    add(
      hash: string,
      record: ApiKeyRecord,
      mostKeys: number,
    ): Promise<boolean> {
      const key = keys.walletKeys(record.wallet);
      return checkAndSet<WalletKeys, boolean>(kv, key, ({ value: held }) => {
        if (Object.keys(held ?? {}).length >= mostKeys) return { value: false };
        return {
          value: true,
          write: (atomic) =>
            atomic.set(key, { ...held, [record.id]: hash })
              .set(keys.apiKey(hash), record)
              .set(keys.apiKeyOwner(record.id), record.wallet),
        };
      });
    },

    /** Revokes a key by its id and makes room for another; false where there is none. */
    async revoke(id: string, at: number): Promise<boolean> {
      const owner = await kv.get<string>(keys.apiKeyOwner(id));
      if (owner.value === null) return false;
      const key = keys.walletKeys(owner.value);
      const wallet = await kv.get<WalletKeys>(key);
      const hash = wallet.value?.[id];
      if (hash === undefined) return false;
      const record = await kv.get<ApiKeyRecord>(keys.apiKey(hash));
      return checkAndSet<WalletKeys, boolean>(kv, key, ({ value: held }) => {
        const { [id]: found, ...rest } = held ?? {};
        if (found === undefined) return { value: false };
        return {
          value: true,
          write: (atomic) =>
            atomic.set(key, rest)
              .set(keys.apiKey(hash), { ...record.value!, revokedAt: at })
              .delete(keys.apiKeyOwner(id)),
        };
      });
    },

    /** Lists the keys that a wallet has and may use. */
    async list(wallet: string): Promise<ApiKeyRecord[]> {
      const { value } = await kv.get<WalletKeys>(keys.walletKeys(wallet));
      const records = await Promise.all(
        Object.values(value ?? {}).map((hash) =>
          kv.get<ApiKeyRecord>(keys.apiKey(hash))
        ),
      );
      return records.flatMap(({ value }) => value ?? []);
    },
  };
}
