/** Callers of the keyed API: identity, plan, and the units that a call costs. */
import type { KeyKind } from "./account_schema.ts";
import {
  comparePlans,
  METERED,
  type Metered,
  type PlanName,
} from "../payments/plans_schema.ts";
import type { AccountsDeps } from "./deps.ts";
import type { Fault } from "../platform/fault.ts";
import { type PaidTime, timeAt } from "../payments/paid_time.ts";
import {
  chargeOf,
  listDays,
  type QuotaStatus,
  quotaStatusOf,
} from "./quota/quota.ts";
import { hashKey, isKey, kindOf } from "./key_format.ts";
import {
  contended,
  planRequired,
  quotaExceeded,
  rateLimited,
} from "./refusals.ts";

type AccessDeps = Pick<AccountsDeps, "now" | "store">;

type KeyRecord = NonNullable<
  Awaited<ReturnType<AccountsDeps["store"]["apiKeys"]["find"]>>
>;

/** The holder of a key and their plan. */
export interface Caller {
  readonly keyId: string;
  /** A test key gets fixed answers and is never charged. */
  readonly kind: KeyKind;
  /** Lower-case. A test key has a wallet of its own, which never paid or spent. */
  readonly wallet: string;
  readonly plan: PlanName;
  /** Epoch ms; null on the free plan. */
  readonly paidUntil: number | null;
}

/** The stored facts of a key, from which `callerAt` returns the caller at any instant. */
export interface KeyFacts {
  readonly record: KeyRecord;
  readonly times: readonly PaidTime[];
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
  return { record, times: entitlements?.times ?? [] };
}

/** Returns the caller of a key at an instant, in epoch ms; null if the key is revoked, expired, or waits for its owner. */
export function callerAt(
  { record, times }: KeyFacts,
  now: number,
): Caller | null {
  const { id: keyId, wallet, prefix, revokedAt, expiresAt } = record;
  const isOver = revokedAt !== null || (expiresAt ?? Infinity) <= now;
  if (isOver || record.isWaiting) return null;
  const kind = kindOf(prefix);
  return kind === "test"
    ? { keyId, kind, wallet: TEST_WALLET, ...planAt([], now) }
    : { keyId, kind, wallet, ...planAt(times, now) };
}

/** The wallet of every test key. They lie in more places than live keys, and must not show what the owner uses. */
const TEST_WALLET = "test";

function planAt(
  times: readonly PaidTime[],
  now: number,
): Pick<Caller, "plan" | "paidUntil"> {
  const running = timeAt(times, now);
  return running === null
    ? { plan: "free", paidUntil: null }
    : { plan: running.plan, paidUntil: running.paidUntil };
}

/** Returns whether the caller's plan includes an endpoint. */
export function isIncluded(
  { kind, plan }: Pick<Caller, "kind" | "plan">,
  endpoint: Metered,
): boolean {
  return kind === "test" || comparePlans(plan, METERED[endpoint].plan) >= 0;
}

/** Throws a fault if the caller's plan does not include an endpoint. */
export function requirePlan(
  { publicUrl }: Pick<AccountsDeps, "publicUrl">,
  caller: Caller,
  endpoint: Metered,
): void {
  if (isIncluded(caller, endpoint)) return;
  throw planRequired(publicUrl, caller.plan, METERED[endpoint].plan);
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
  const charge = chargeOf(caller.plan, endpoint, units);
  const decision = await store.usage.spend(caller, charge, spentAt);
  if (decision.allowed) {
    return { quotaStatus: decision.quotaStatus, refusal: null, spentAt };
  }
  if (decision.which === "contended") {
    const refusal = contended(decision.retryAfterMs);
    return { quotaStatus: null, refusal, spentAt };
  }
  const { which, retryAfterMs, needed, remaining, quotaStatus } = decision;
  const shortage = { retryAfterMs, needed, remaining };
  const refusal = which === "burst"
    ? rateLimited(quotaStatus.burst.limit, shortage)
    : quotaExceeded(quotaStatus.limit, shortage);
  return { quotaStatus, refusal, spentAt };
}

/** Refunds the units of a failed call. */
export async function refundCall(
  { store }: AccessDeps,
  caller: Caller,
  { endpoint, units, spentAt }: {
    endpoint: Metered;
    units: number;
    spentAt: number;
  },
): Promise<void> {
  await store.usage.refund(caller, { endpoint, units }, spentAt);
}

/** Reads the caller's quota status without spending anything. */
export async function readQuotaStatus(
  { now, store }: AccessDeps,
  caller: Pick<Caller, "keyId" | "plan" | "wallet">,
  endpoint: Metered,
): Promise<QuotaStatus> {
  const usage = await store.usage.read(caller.wallet, caller.keyId);
  return quotaStatusOf(usage, chargeOf(caller.plan, endpoint), now().getTime());
}

/** Reads the units that a wallet spent on each of the last 30 UTC days, oldest first. */
export async function readUsageDays(
  { now, store }: AccessDeps,
  wallet: string,
) {
  const { period } = await store.usage.read(wallet);
  return listDays(period, now().getTime());
}
