/** API keys: created once, shown once, kept as a hash. */
import type { Deps } from "./deps.ts";
import { createKey, hashKey, prefixOf } from "./key_format.ts";

type KeyDeps = Pick<Deps, "now" | "store">;

/** Keys that a wallet may have at a time. */
export const MOST_KEYS = 10;

/** A key as its owner sees it, once. */
export interface CreatedKey {
  readonly id: string;
  /** The secret: it is not stored and cannot be shown again. */
  readonly key: string;
}

/** Creates a key for a wallet, lower-case; null where it has as many as it may. */
export async function createApiKey(
  { now, store }: KeyDeps,
  { wallet, name }: { wallet: string; name: string },
): Promise<CreatedKey | null> {
  const key = createKey();
  const id = crypto.randomUUID();
  const record = {
    id,
    wallet,
    name,
    prefix: prefixOf(key),
    createdAt: now().getTime(),
    revokedAt: null,
  };
  const added = await store.apiKeys.add(await hashKey(key), record, MOST_KEYS);
  return added ? { id, key } : null;
}

/** Revokes a key; its next request is refused. False where there is no such key. */
export function revokeApiKey(
  { now, store }: KeyDeps,
  id: string,
): Promise<boolean> {
  return store.apiKeys.revoke(id, now().getTime());
}
