/** Store rules of API keys and sessions. */
import { type ApiKeyRecord, type WalletKeys } from "./api_keys_store.ts";
import { CLOCK_SKEW_MS } from "../platform/clock.ts";
import * as keys from "./keys.ts";
import type { SessionRecord } from "./sessions_store.ts";
import { ANY, type Rule } from "../platform/kv/store_rule.ts";

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

const session: Rule<SessionRecord> = {
  name: "session",
  of: keys.session(ANY),
  invariant: "a session expires after it was created",
  holds: ({ value: { createdAt, expiresAt } }) => createdAt < expiresAt,
};

/** The store rules of accounts. */
export const ACCESS_RULES: readonly Rule<never>[] = [
  keyListed,
  keyOwner,
  listedKey,
  session,
];
