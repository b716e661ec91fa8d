/** Who calls, what their plan includes, and what a call costs. */
import {
  comparePlans,
  METERED,
  type Metered,
  type PlanName,
  PLANS,
} from "./contract/plans.ts";
import type { Deps } from "./deps.ts";
import { Fault } from "./domain/fault.ts";
import {
  chargeOf,
  listDays,
  type Standing,
  standingOf,
} from "./domain/quota.ts";
import { hashKey, isKey } from "./key_format.ts";

type AccessDeps = Pick<Deps, "now" | "store">;

/** Who calls, and on which plan. */
export interface Caller {
  readonly keyId: string;
  readonly wallet: string;
  readonly plan: PlanName;
  /** Epoch ms; null on the free plan. */
  readonly paidUntil: number | null;
}

/** Finds the caller of a key. Throws one and the same fault whatever is wrong with it. */
export async function authorize(
  { now, store }: AccessDeps,
  key: string | undefined,
): Promise<Caller> {
  const record = key !== undefined && isKey(key)
    ? await store.apiKeys.find(await hashKey(key))
    : null;
  if (record === null || record.revokedAt !== null) throw unauthorized();
  const held = await store.plans.find(record.wallet);
  const isPaid = held !== null && held.paidUntil > now().getTime();
  return {
    keyId: record.id,
    wallet: record.wallet,
    plan: isPaid ? held.plan : "free",
    paidUntil: isPaid ? held.paidUntil : null,
  };
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
  { publicUrl }: Pick<Deps, "publicUrl">,
  { plan }: Caller,
  endpoint: Metered,
): void {
  const { plan: requiredPlan } = METERED[endpoint];
  if (comparePlans(plan, requiredPlan) >= 0) return;
  throw new Fault(
    `Cannot use this endpoint on the ${PLANS[plan].label} plan: ` +
      `it is included from ${PLANS[requiredPlan].label} on`,
    { kind: "planRequired", requiredPlan, upgrade: `${publicUrl}/api/v1` },
  );
}

/** How a call of an endpoint stands after it was counted, or why it was refused. */
export interface Spent {
  readonly standing: Standing | null;
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
    return { standing: decision.standing, refusal: null, spentAt };
  }
  const { retryAfterMs, which } = decision;
  if (which === "contended") {
    const message = "Cannot count the request: too many others are counted";
    const refusal = new Fault(message, { kind: "contended", retryAfterMs });
    return { standing: null, refusal, spentAt };
  }
  const { needed, remaining, standing } = decision;
  const kind = which === "burst" ? "rateLimited" : "quotaExceeded";
  const limit = which === "burst"
    ? `${standing.burst.limit} requests a minute`
    : `${standing.limit} requests in 30 days`;
  const refusal = new Fault(`Cannot serve the request: the limit is ${limit}`, {
    kind,
    retryAfterMs,
    needed,
    remaining,
  });
  return { standing, refusal, spentAt };
}

/** Gives back what a call cost that failed here. */
export async function giveBack(
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
export async function readStanding(
  { now, store }: AccessDeps,
  caller: Caller,
  endpoint: Metered,
): Promise<Standing> {
  const usage = await store.usage.read(caller.wallet, caller.keyId);
  return standingOf(usage, chargeOf(caller.plan, endpoint), now().getTime());
}

/** Reads what a wallet spent day by day over the last 30 days, today the last. */
export async function readUsageDays(
  { now, store }: AccessDeps,
  wallet: string,
) {
  const { period } = await store.usage.read(wallet);
  return listDays(period, now().getTime());
}
