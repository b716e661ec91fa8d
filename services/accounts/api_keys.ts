/** API keys: shown once at creation, stored as a hash. */
import type {
  CallLog,
  CreatedKeyAnswer,
  KeyKind,
  KeySummary,
} from "./account_schema.ts";
import type { ApiKeyRecord } from "./api_keys_store.ts";
import type { AccountsDeps } from "./deps.ts";
import { createKey, hashKey, kindOf, prefixOf } from "./key_format.ts";
import { checkLimits, type KeyLimits, showLimits } from "./key_limits.ts";
import { NO_LIMITS } from "./key_limits_schema.ts";
import { formatDay } from "../platform/days.ts";
import { instant } from "../platform/clock.ts";
import { listKeyDays, unitsOfKey, type WalletUsage } from "./quota/quota.ts";
import { EMPTY_COUNTER } from "./quota/rolling_window.ts";

type KeyDeps = Pick<AccountsDeps, "now" | "store">;

/** Maximum number of keys of a wallet. */
export const MAX_WALLET_KEYS = 10;

/** The parameters of a new key. */
interface NewKeyOptions {
  /** Lower-case. */
  readonly wallet: string;
  readonly name: string;
  /** Default: live. */
  readonly kind?: KeyKind;
  /** Default: none. */
  readonly limits?: KeyLimits;
  /** Id of the request; absent for the operator. */
  readonly requestId?: string;
}

/** Creates a key for a wallet; null if it has the maximum number. */
export async function createApiKey(
  deps: KeyDeps,
  { kind = "live", limits = NO_LIMITS, ...options }: NewKeyOptions,
): Promise<CreatedKeyAnswer | null> {
  checkLimits(limits, kind, deps.now().getTime());
  const { added, answer } = makeKey(deps, { ...options, kind, limits });
  const { id: keyId } = answer;
  const audit = auditOf(deps, options, { keyId, keyName: options.name, kind });
  const isAdded = await deps.store.apiKeys.add({
    ...added,
    audit: { ...audit, event: "key.create" },
  });
  return isAdded ? answer : null;
}

/** The key to replace by a new one of the same name, kind and limits. */
interface Rotation {
  readonly wallet: string;
  readonly id: string;
  /** How long the replaced key keeps working, unless it expires earlier. */
  readonly graceSeconds: number;
  readonly requestId: string;
}

/** Replaces a key of a wallet; returns the new key, or why it cannot be replaced. */
export async function rotateApiKey(
  deps: KeyDeps,
  { id, wallet, graceSeconds, requestId }: Rotation,
): Promise<CreatedKeyAnswer | "unknown" | "tooMany"> {
  let answer: CreatedKeyAnswer | null = null;
  const outcome = await deps.store.apiKeys.replace({ wallet, id }, (old) => {
    const { name, prefix, limits, originId } = old;
    const kind = kindOf(prefix);
    const made = makeKey(deps, { wallet, name, kind, limits, originId });
    answer = made.answer;
    const facts = { keyId: answer.id, keyName: name, replacedKeyId: id };
    const audit = auditOf(deps, { requestId }, { ...facts, graceSeconds });
    return { ...made.added, audit: { ...audit, event: "key.rotate" } };
  }, { at: deps.now().getTime(), graceMs: graceSeconds * 1000 });
  return outcome === "replaced" ? answer! : outcome;
}

/** A change of a key's limits. */
interface LimitChange {
  readonly wallet: string;
  readonly id: string;
  readonly limits: KeyLimits;
  readonly requestId: string;
}

/** Changes the limits of a key, from its next request on; returns its record, or null if there is no such key. */
export async function limitApiKey(
  deps: KeyDeps,
  { id, wallet, limits, requestId }: LimitChange,
): Promise<KeySummary | null> {
  const now = deps.now().getTime();
  const outcome = await deps.store.apiKeys.limit({ wallet, id }, (record) => {
    checkLimits(limits, kindOf(record.prefix), now);
    const audit = auditOf(deps, { requestId }, { keyId: id });
    return { limits, audit: { ...audit, event: "key.limit" } };
  }, now);
  if (outcome === "unknown") return null;
  const [{ keys }, { lastUsed }] = await Promise.all([
    deps.store.usage.readWallet(wallet),
    deps.store.callLogs.read(wallet, now),
  ]);
  return summarizeKey(outcome, { counted: keys, lastUsed }, now);
}

/** The usage of a wallet's keys: their units, and when each was last used. */
interface KeyUse {
  readonly counted: WalletUsage["keys"];
  readonly lastUsed: CallLog["lastUsed"];
}

/** Returns a key as its owner sees it. */
export function summarizeKey(
  record: ApiKeyRecord,
  { counted, lastUsed }: KeyUse,
  now: number,
): KeySummary {
  const { id, originId, name, prefix, limits, createdAt, expiresAt } = record;
  return {
    id,
    name,
    prefix,
    kind: kindOf(prefix),
    createdAt: instant(createdAt),
    expiresAt: instant(expiresAt),
    limits: showLimits(limits),
    used: unitsOfKey(counted[originId] ?? EMPTY_COUNTER, now),
    days: listKeyDays(counted[originId] ?? EMPTY_COUNTER, now)
      .map(({ day, units }) => ({ date: formatDay(day), units })),
    lastUsedAt: instant(lastUsed[id] ?? null),
  };
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

type MadeKey =
  & Required<Pick<NewKeyOptions, "kind" | "limits" | "name" | "wallet">>
  & { readonly originId?: string };

function makeKey(
  { now }: KeyDeps,
  { wallet, name, kind, limits, originId }: MadeKey,
) {
  const key = createKey(kind);
  const at = now().getTime();
  const id = crypto.randomUUID();
  const shown = { id, name, prefix: prefixOf(key) };
  const record: ApiKeyRecord = {
    ...shown,
    originId: originId ?? id,
    wallet,
    createdAt: at,
    revokedAt: null,
    expiresAt: null,
    limits,
  };
  const answer: CreatedKeyAnswer = {
    ...shown,
    key,
    kind,
    createdAt: instant(at),
    limits: showLimits(limits),
  };
  return {
    added: { hash: hashKey(key), record, maxKeys: MAX_WALLET_KEYS },
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
