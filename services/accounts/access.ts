/** Who calls, what their plan includes, and what a call costs. */
import type { KeyKind } from "./account_schema.ts";
import {
  comparePlans,
  METERED,
  type Metered,
  type PlanName,
  PLANS,
} from "../payments/plans_schema.ts";
import type { AccountsDeps } from "./deps.ts";
import { Fault } from "../platform/fault.ts";
import { type PaidTime, timeAt } from "../payments/paid_time.ts";
import {
  chargeOf,
  listDays,
  type QuotaStatus,
  quotaStatusOf,
} from "./quota/quota.ts";
import { hashKey, isKey, kindOf } from "./key_format.ts";

type AccessDeps = Pick<AccountsDeps, "now" | "store">;

type KeyRecord = NonNullable<
  Awaited<ReturnType<AccountsDeps["store"]["apiKeys"]["find"]>>
>;

/** Who calls, and on which plan. */
export interface Caller {
  readonly keyId: string;
  /** A test key is answered fixtures, and never charged. */
  readonly kind: KeyKind;
  readonly wallet: string;
  readonly plan: PlanName;
  /** Epoch ms; null on the free plan. */
  readonly paidUntil: number | null;
}

/** What is stored of a key: enough to say who calls with it, at any instant. */
export interface KeyFacts {
  readonly record: KeyRecord;
  readonly times: readonly PaidTime[];
}

/**
 * Finds what is stored of a key; null where there is no such key. The plan of its
 * wallet, which never changes, is read with it where the wallet is known already.
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

/** Returns who calls with a key at an instant, in epoch ms; null where it is refused then. */
export function callerAt(
  { record, times }: KeyFacts,
  now: number,
): Caller | null {
  const { id: keyId, wallet, prefix, revokedAt, expiresAt } = record;
  if (revokedAt !== null || (expiresAt ?? Infinity) <= now) return null;
  return { keyId, kind: kindOf(prefix), wallet, ...planAt(times, now) };
}

/** Reads the plan that a wallet is on. */
export async function readPlan(
  { now, store }: AccessDeps,
  wallet: string,
): Promise<Pick<Caller, "plan" | "paidUntil">> {
  const { times = [] } = await store.plans.find(wallet) ?? {};
  return planAt(times, now().getTime());
}

function planAt(
  times: readonly PaidTime[],
  now: number,
): Pick<Caller, "plan" | "paidUntil"> {
  const running = timeAt(times, now);
  return running === null
    ? { plan: "free", paidUntil: null }
    : { plan: running.plan, paidUntil: running.paidUntil };
}

/** Returns the fault of a missing or invalid key, with a hint for one that was sent elsewhere. */
export function unauthorized(hint?: string): Fault {
  const message = "Cannot authorize: a valid API key is needed in X-Api-Key";
  return new Fault(hint ? `${message}; ${hint}` : message, {
    kind: "unauthorized",
  });
}

/** Throws a fault where the caller's plan does not include an endpoint; spends nothing. */
export function requirePlan(
  { publicUrl }: Pick<AccountsDeps, "publicUrl">,
  { kind, plan }: Caller,
  endpoint: Metered,
): void {
  const { plan: requiredPlan } = METERED[endpoint];
  if (kind === "test" || comparePlans(plan, requiredPlan) >= 0) return;
  throw new Fault(
    `Cannot use this endpoint on the ${PLANS[plan].label} plan: ` +
      `it is included from ${PLANS[requiredPlan].label} on`,
    { kind: "planRequired", requiredPlan, upgrade: `${publicUrl}/dashboard` },
  );
}

/** How a call of an endpoint stands after it was counted, or why it was refused. */
export interface Spent {
  readonly quotaStatus: QuotaStatus | null;
  readonly refusal: Fault | null;
  /** Epoch ms. */
  readonly spentAt: number;
}

/** Spends units of the caller's plan, or says why not; a refusal counts nothing. */
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
  const { retryAfterMs, which } = decision;
  if (which === "contended") {
    const message = "Cannot count the request: too many others are counted";
    const refusal = new Fault(message, { kind: "contended", retryAfterMs });
    return { quotaStatus: null, refusal, spentAt };
  }
  const { needed, remaining, quotaStatus } = decision;
  const kind = which === "burst" ? "rateLimited" : "quotaExceeded";
  const limit = which === "burst"
    ? `${quotaStatus.burst.limit} requests a minute`
    : `${quotaStatus.limit} requests in 30 days`;
  const refusal = new Fault(`Cannot serve the request: the limit is ${limit}`, {
    kind,
    retryAfterMs,
    needed,
    remaining,
  });
  return { quotaStatus, refusal, spentAt };
}

/** Gives back what a call cost that failed here. */
export async function refundCall(
  { store }: AccessDeps,
  caller: Caller,
  { endpoint, units, spentAt }: {
    endpoint: Metered;
    units: number;
    spentAt: number;
  },
): Promise<void> {
  await store.usage.giveBack(caller, { endpoint, units }, spentAt);
}

/** Reads how a caller stands; spends nothing. */
export async function readQuotaStatus(
  { now, store }: AccessDeps,
  caller: Pick<Caller, "keyId" | "plan" | "wallet">,
  endpoint: Metered,
): Promise<QuotaStatus> {
  const usage = await store.usage.read(caller.wallet, caller.keyId);
  return quotaStatusOf(usage, chargeOf(caller.plan, endpoint), now().getTime());
}

/** Reads what a wallet spent day by day over the last 30 days, today the last. */
export async function readUsageDays(
  { now, store }: AccessDeps,
  wallet: string,
) {
  const { period } = await store.usage.read(wallet);
  return listDays(period, now().getTime());
}
