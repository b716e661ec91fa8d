/**
 * Callers of the keyed API: identity, plan, the units that a call costs, and its
 * refusals, worded once for live keys and test keys. Callers are cached; the commit that
 * counts a request verifies that its cached caller is current.
 */
import type { KeyKind } from "./account_schema.ts";
import {
  comparePlans,
  METERED,
  type Metered,
  type PlanName,
  PLANS,
} from "../payments/plans_schema.ts";
import type { KeyLimits } from "./key_limits.ts";
import { NO_LIMITS, type Scope } from "./key_limits_schema.ts";
import type { AccountsDeps } from "./deps.ts";
import { contended, Fault } from "../platform/fault.ts";
import { type PaidTime, timeAt } from "../payments/billing.ts";
import {
  chargeOf,
  listDays,
  type QuotaStatus,
  quotaStatusOf,
} from "./quota/quota.ts";
import { hashKey, isKey, kindOf } from "./key_format.ts";
import {
  type NetworkList,
  networkList,
} from "../platform/rate_limit/networks.ts";
import { retryWords } from "../platform/text.ts";
import { boundedCache } from "../platform/cache.ts";
import { isWithinSecond } from "../platform/clock.ts";

type AccessDeps = Pick<AccountsDeps, "now" | "store">;

type KeyRecord = NonNullable<
  Awaited<ReturnType<AccountsDeps["store"]["apiKeys"]["find"]>>
>;

/** The holder of a key and their plan. */
export interface Caller {
  readonly keyId: string;
  /** Id of the first key in its chain of rotations. Units are counted under this id. */
  readonly originId: string;
  /** A test key gets fixed answers and is never charged. */
  readonly kind: KeyKind;
  /** Lower-case. All test keys share one wallet, which never paid or spent. */
  readonly wallet: string;
  /** The wallet that made the key, also of a test key. */
  readonly owner: string;
  readonly plan: PlanName;
  /** Epoch ms; null on the free plan. */
  readonly paidUntil: number | null;
  readonly limits: KeyLimits;
  /** The networks of `limits`; null for any. */
  readonly networks: NetworkList | null;
}

/** Stands for a session in place of a key: its units are counted and its calls logged by it. */
export const SESSION_KEY = "session";

/** Returns a signed-in wallet as a caller: its plan pays, as for a key without limits. */
export function sessionCaller(
  wallet: string,
  running: PaidTime | null,
): Caller {
  return {
    keyId: SESSION_KEY,
    originId: SESSION_KEY,
    kind: "live",
    wallet,
    owner: wallet,
    plan: running?.plan ?? "free",
    paidUntil: running?.paidUntil ?? null,
    limits: { ...NO_LIMITS },
    networks: null,
  };
}

/** The stored facts of a key, from which `callerAt` returns the caller at any instant. */
export interface KeyFacts {
  readonly record: KeyRecord;
  readonly times: readonly PaidTime[];
  readonly networks: NetworkList | null;
}

/**
 * Finds the stored facts of a key; null if there is no such key. The wallet of a
 * key never changes: if it is known, its plan is read in the same round.
 */
export async function findKey(
  { apiKeys, plans }: Pick<AccountsDeps["store"], "apiKeys" | "plans">,
  key: string,
  wallet: string | null,
): Promise<KeyFacts | null> {
  if (!isKey(key)) return null;
  const hash = hashKey(key);
  const [record, known] = await Promise.all([
    apiKeys.find(hash),
    wallet === null ? null : plans.find(wallet),
  ]);
  if (record === null) return null;
  const entitlements = wallet === null
    ? await plans.find(record.wallet)
    : known;
  const { networks } = record.limits;
  return {
    record,
    times: entitlements?.times ?? [],
    networks: networks && networkList(networks),
  };
}

/** Returns the caller of a key at an instant, in epoch ms; null if the key is revoked, expired, or waits for its owner. */
export function callerAt(
  { record, times, networks }: KeyFacts,
  now: number,
): Caller | null {
  const { id: keyId, originId, wallet, prefix, limits, revokedAt } = record;
  const isOver = revokedAt !== null || endOf(record) <= now;
  if (isOver || record.isWaiting) return null;
  const kind = kindOf(prefix);
  const isTest = kind === "test";
  const running = isTest ? null : timeAt(times, now);
  return {
    keyId,
    originId,
    kind,
    wallet: isTest ? TEST_WALLET : wallet,
    owner: wallet,
    plan: running?.plan ?? "free",
    paidUntil: running?.paidUntil ?? null,
    limits,
    networks,
  };
}

/**
 * Returns when a key stops working, in epoch ms: at the end of its grace period
 * or at the expiry in its limits, whichever is earlier; Infinity for never.
 */
function endOf({ expiresAt, limits }: KeyRecord): number {
  return Math.min(expiresAt ?? Infinity, limits.expiresAt ?? Infinity);
}

/**
 * The wallet of every test key. Test keys are copied to more places than live
 * keys, so they must not show the owner's usage.
 */
const TEST_WALLET = "test";

/** What a request uses a key for. */
interface Use {
  readonly scope: Scope;
  /** The address that the request came from; null if unknown. */
  readonly hostname: string | null;
}

/** Returns whether the limits of the key and the plan allow a use. */
export function mayUse(caller: Caller, { scope, hostname }: Use): boolean {
  const { limits: { scopes }, networks } = caller;
  return (networks === null || networks(hostname)) &&
    (scopes === null || scopes.includes(scope)) &&
    isIncluded(caller, scope);
}

/** Throws a fault if the limits of the key or the plan do not allow a use. */
export function requireUse(
  { publicUrl }: Pick<AccountsDeps, "publicUrl">,
  caller: Caller,
  use: Use,
): void {
  if (mayUse(caller, use)) return;
  const { limits: { scopes }, networks, plan } = caller;
  const { scope, hostname } = use;
  if (networks?.(hostname) === false) throw networkRefused(hostname);
  if (scopes?.includes(scope) === false) throw scopeRequired(scope, scopes);
  throw planRequired(publicUrl, plan, METERED[scope as Metered].plan);
}

/** Returns whether the plan includes an endpoint. Every plan includes the usage, and a test key may use every endpoint. */
function isIncluded({ kind, plan }: Caller, scope: Scope): boolean {
  return kind === "test" || scope === "usage" ||
    comparePlans(plan, METERED[scope].plan) >= 0;
}

/** The result of counting a call: the quota status, or the refusal. */
export interface Spent {
  readonly quotaStatus: QuotaStatus | null;
  readonly refusal: Fault | null;
  /** Epoch ms. */
  readonly spentAt: number;
}

/** Spends units of the caller's plan. A refused call costs nothing. */
export async function spend(
  { now, store }: AccessDeps,
  caller: Caller,
  { endpoint, units }: { endpoint: Metered; units: number },
): Promise<Spent> {
  const spentAt = now().getTime();
  const { plan, limits: { maxUnits: cap } } = caller;
  if (cap !== null && units > cap) {
    return { quotaStatus: null, refusal: overCap(cap, units), spentAt };
  }
  const charge = chargeOf(plan, endpoint, { units, cap });
  const decision = await store.usage.spend(caller, charge, spentAt);
  if (decision.allowed) {
    return { quotaStatus: decision.quotaStatus, refusal: null, spentAt };
  }
  if (decision.which === "contended") {
    return { quotaStatus: null, refusal: notCounted(), spentAt };
  }
  const { which, retryAfterMs, needed, remaining, quotaStatus } = decision;
  const limit = {
    burst: quotaStatus.burst.limit,
    cap: cap ?? 0,
    period: quotaStatus.limit,
  }[which];
  const shortage = { retryAfterMs, needed, remaining };
  const refusal = limitReached(which, limit, shortage);
  return { quotaStatus, refusal, spentAt };
}

/** Reads the caller's quota status without spending anything. */
export async function readQuotaStatus(
  { now, store }: AccessDeps,
  caller: Caller,
  endpoint: Metered,
): Promise<QuotaStatus> {
  const usage = await store.usage.read(caller);
  const { plan, limits: { maxUnits: cap } } = caller;
  const charge = chargeOf(plan, endpoint, { cap });
  return quotaStatusOf(usage, charge, now().getTime());
}

/** Reads the units that a wallet spent on each of the last 30 UTC days, oldest first. */
export async function readUsageDays(
  { now, store }: AccessDeps,
  wallet: string,
) {
  const { period } = await store.usage.readWallet(wallet);
  return listDays(period, now().getTime());
}

/** How much a refused call needs of its limit, and when it would fit. */
interface Shortage {
  readonly retryAfterMs: number;
  readonly needed: number;
  readonly remaining: number;
}

/** Returns the fault of a missing or invalid key; `hint` says where the key was sent instead. */
export function unauthorized(hint?: string): Fault {
  const message = "Cannot authorize: a valid API key is needed in X-Api-Key";
  return new Fault(hint ? `${message}; ${hint}` : message, {
    kind: "unauthorized",
  });
}

/** Returns the fault of a plan that does not include an endpoint. */
export function planRequired(
  publicUrl: string,
  plan: PlanName,
  requiredPlan: PlanName,
): Fault {
  return new Fault(
    `Cannot use this endpoint on the ${PLANS[plan].label} plan: ` +
      `it is included from ${PLANS[requiredPlan].label} on`,
    { kind: "planRequired", requiredPlan, upgrade: `${publicUrl}/dashboard` },
  );
}

/** Returns the fault of a key that is used from a network outside its list. */
function networkRefused(hostname: string | null): Fault {
  const address = hostname ?? "an unknown address";
  return new Fault(
    `Cannot use this key from ${address}: expected an address in the networks of the key`,
    { kind: "networkRefused", address: hostname },
  );
}

/** Returns the fault of a key without the scope of an endpoint. */
function scopeRequired(
  scope: Scope,
  scopes: readonly Scope[],
): Fault {
  return new Fault(
    `Cannot use this key here: it has no scope ${scope}, only ${
      scopes.join(", ")
    }`,
    { kind: "scopeRequired", scope, scopes },
  );
}

/** Returns the fault of a batch of `units` addresses that exceeds the cap of its key, so that no wait helps. */
function overCap(cap: number, units: number): Fault {
  return new Fault(
    `Invalid addresses: given ${units}, expected at most ${cap}: each costs a unit, and the cap of this key is ${cap} units in 30 days`,
    { kind: "badInput", parameter: "addresses" },
  );
}

/** How a refusal names each limit of a caller. */
const LIMITS = {
  burst: {
    kind: "rateLimited",
    name: (limit: number) => `key is ${limit} requests a minute`,
  },
  cap: {
    kind: "capReached",
    name: (limit: number) => `key is ${limit} units in 30 days`,
  },
  period: {
    kind: "quotaExceeded",
    name: (limit: number) => `wallet is ${limit} requests in 30 days`,
  },
} as const;

/** Returns the fault of a key, or of its wallet, that has used up a limit. */
export function limitReached(
  limitedBy: keyof typeof LIMITS,
  limit: number,
  shortage: Shortage,
): Fault {
  const { kind, name } = LIMITS[limitedBy];
  const wait = retryWords(shortage.retryAfterMs);
  return new Fault(
    `Cannot serve the request: the limit of this ${name(limit)}; ${wait}`,
    { kind, limitedBy, ...shortage },
  );
}

/** Returns the fault of a call that could not be counted because of concurrent writes. */
const notCounted = (): Fault =>
  contended(
    "Cannot count the request: too many requests are being counted at once",
  );

type Versions = ReturnType<AccountsDeps["store"]["tracked"]>["versions"];

/** A caller that may be outdated, and the record versions that a commit must check. */
export interface CachedCaller {
  readonly caller: Caller;
  readonly versions: Versions;
  /** Notes that a commit found all versions unchanged. */
  readonly markVerified: () => void;
}

interface CachedKey {
  readonly facts: KeyFacts;
  readonly versions: Versions;
  /** When a commit last found them unchanged, epoch ms, and the key revision at that time. */
  verified: { readonly at: number; readonly revision: Versions } | null;
}

/** Maximum number of cached keys. */
const MAX_CACHED_KEYS = 5_000;

/**
 * Caches callers by key, in memory. Hashing a key takes a tenth of the time of a
 * cached response. A cached caller must be verified by the commit that counts the
 * request. Key and plan are checked once a second. The revision of all keys is
 * checked with each request, so that a revoked key is refused at once.
 */
export function callerCache(
  { now, store }: Pick<AccountsDeps, "now" | "store">,
) {
  const cache = boundedCache<CachedKey>(MAX_CACHED_KEYS);
  /** The revision of all keys as last read; null if it must be read again. */
  let revision: Versions | null = null;

  async function readRevision(): Promise<void> {
    const { store: tracked, versions } = store.tracked();
    await tracked.apiKeys.readRevision();
    revision = versions;
  }

  return {
    /** Reads the caller of a key from the store. Throws the same fault for every invalid key. */
    async authorize(key: string | undefined): Promise<Caller> {
      if (key === undefined) throw unauthorized();
      if (revision === null) await readRevision();
      const { store: tracked, versions } = store.tracked();
      const wallet = cache.get(key)?.facts.record.wallet ?? null;
      const facts = await findKey(tracked, key, wallet);
      const caller = facts && callerAt(facts, now().getTime());
      if (facts === null || caller === null) {
        cache.delete(key);
        throw unauthorized();
      }
      cache.set(key, { facts, versions, verified: null });
      return caller;
    },

    /**
     * Returns the cached caller of a key; null if there is none, or the key has expired
     * or is a test key: that one is never counted, so no commit would verify its caller.
     */
    find(key: string): CachedCaller | null {
      const at = now().getTime();
      const found = cache.get(key);
      const caller = found && callerAt(found.facts, at);
      if (!found || caller?.kind !== "live") return null;
      if (revision === null) {
        return { caller, versions: found.versions, markVerified: () => {} };
      }
      const { verified } = found;
      const isVerified = verified?.revision === revision &&
        isWithinSecond(at, verified.at);
      if (isVerified) {
        return { caller, versions: revision, markVerified: () => {} };
      }
      const checked = { at, revision };
      return {
        caller,
        versions: [...found.versions, ...revision],
        markVerified: () => found.verified = checked,
      };
    },

    /** Drops a key and the revision of all keys: a failed commit does not say which record changed. */
    remove(key: string): void {
      cache.delete(key);
      revision = null;
    },
  };
}

/** A cache of callers. */
export type CallerCache = ReturnType<typeof callerCache>;
