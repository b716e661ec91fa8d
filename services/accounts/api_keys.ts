/** API keys: shown once at creation, stored as a hash. */
import type { CreatedKeyAnswer, KeyKind } from "./account_schema.ts";
import type { AccountsDeps } from "./deps.ts";
import { createKey, hashKey, kindOf, prefixOf } from "./key_format.ts";

type KeyDeps = Pick<AccountsDeps, "now" | "store">;

/** Maximum number of keys of a wallet. */
export const MAX_KEYS = 10;

/** The parameters of a new key. */
export interface KeyOrder {
  /** Lower-case. */
  readonly wallet: string;
  readonly name: string;
  /** Default: live. */
  readonly kind?: KeyKind;
  /** Id of the request; absent for the operator. */
  readonly requestId?: string;
}

/** Creates a key for a wallet; null if it has the maximum number. */
export async function createApiKey(
  deps: KeyDeps,
  { kind = "live", ...order }: KeyOrder,
): Promise<CreatedKeyAnswer | null> {
  const { added, answer } = makeKey(deps, { ...order, kind });
  const { id: keyId } = answer;
  const audit = auditOf(deps, order, { keyId, keyName: order.name, kind });
  const isAdded = await deps.store.apiKeys.add({
    ...added,
    audit: { ...audit, event: "key.create" },
  });
  return isAdded ? answer : null;
}

/** The key to replace by a new one of the same name and kind. */
export interface Rotation {
  readonly wallet: string;
  readonly id: string;
  /** How long the replaced key keeps working, unless it expires earlier. */
  readonly graceSeconds: number;
  readonly requestId: string;
}

/** Replaces a key of a wallet; returns the new key, or why it cannot be replaced. */
export async function rotateApiKey(
  deps: KeyDeps,
  { id, graceSeconds, ...order }: Rotation,
): Promise<CreatedKeyAnswer | "unknown" | "tooMany"> {
  const old = await deps.store.apiKeys.findListed(order.wallet, id);
  if (old === null) return "unknown";
  const { name, prefix } = old;
  const { added, answer } = makeKey(deps, {
    wallet: order.wallet,
    name,
    kind: kindOf(prefix),
  });
  const facts = { keyId: answer.id, keyName: name, replacedKeyId: id };
  const audit = auditOf(deps, order, { ...facts, graceSeconds });
  const outcome = await deps.store.apiKeys.replace(id, {
    ...added,
    audit: { ...audit, event: "key.rotate" },
  }, graceSeconds * 1000);
  return outcome === "replaced" ? answer : outcome;
}

/** Revokes a key, optionally only if it is of a given wallet. Its next request is refused. False if there is no such key. */
export function revokeApiKey(
  deps: KeyDeps,
  id: string,
  owner: { readonly wallet?: string; readonly requestId?: string } = {},
): Promise<boolean> {
  const audit = auditOf(deps, owner, { keyId: id });
  return deps.store.apiKeys.revoke(id, {
    wallet: owner.wallet ?? null,
    audit: { ...audit, event: "key.revoke" },
  });
}

function makeKey(
  { now }: KeyDeps,
  { wallet, name, kind }: Required<Pick<KeyOrder, "wallet" | "name" | "kind">>,
) {
  const key = createKey(kind);
  const at = now().getTime();
  const shown = { id: crypto.randomUUID(), name, prefix: prefixOf(key) };
  const record = {
    ...shown,
    wallet,
    createdAt: at,
    revokedAt: null,
    expiresAt: null,
  };
  const createdAt = new Date(at).toISOString();
  const answer: CreatedKeyAnswer = { ...shown, key, kind, createdAt };
  return {
    added: { hash: hashKey(key), record, maxKeys: MAX_KEYS },
    answer,
  };
}

function auditOf<Facts>(
  { now }: KeyDeps,
  { requestId = null }: { readonly requestId?: string | null },
  facts: Facts,
) {
  return { at: now().getTime(), requestId, ...facts };
}
