/** Refusals of keyed calls, worded once for live keys and test keys. */
import { type PlanName, PLANS } from "../payments/plans_schema.ts";
import { contended, Fault } from "../platform/fault.ts";
import { retryWords } from "../platform/retry_after.ts";
import type { Scope } from "./key_limits_schema.ts";

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
export function networkRefused(hostname: string | null): Fault {
  const address = hostname ?? "an unknown address";
  return new Fault(
    `Cannot use this key from ${address}: expected an address in the networks of the key`,
    { kind: "networkRefused", address: hostname },
  );
}

/** Returns the fault of a key without the scope of an endpoint. */
export function scopeRequired(
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

/** Returns the fault of a key that has used up its cap of `limit` units. */
export function capReached(limit: number, shortage: Shortage): Fault {
  return overLimit(
    "capReached",
    `key is ${limit} units in 30 days`,
    shortage,
  );
}

/** Returns the fault of a batch of `units` addresses that exceeds the cap of its key, so that no wait helps. */
export function overCap(cap: number, units: number): Fault {
  return new Fault(
    `Invalid addresses: given ${units}, expected at most ${cap}: each costs a unit, and the cap of this key is ${cap} units in 30 days`,
    { kind: "badInput", parameter: "addresses" },
  );
}

/** Returns the fault of a key that has used up its burst of `limit` requests. */
export function rateLimited(limit: number, shortage: Shortage): Fault {
  return overLimit(
    "rateLimited",
    `key is ${limit} requests a minute`,
    shortage,
  );
}

/** Returns the fault of a wallet that has used up its `limit` units. */
export function quotaExceeded(limit: number, shortage: Shortage): Fault {
  return overLimit(
    "quotaExceeded",
    `wallet is ${limit} requests in 30 days`,
    shortage,
  );
}

const LIMITED_BY = {
  rateLimited: "burst",
  capReached: "cap",
  quotaExceeded: "period",
} as const;

function overLimit(
  kind: keyof typeof LIMITED_BY,
  limit: string,
  shortage: Shortage,
): Fault {
  const message = `Cannot serve the request: the limit of this ${limit}; ${
    retryWords(shortage.retryAfterMs)
  }`;
  return new Fault(message, {
    kind,
    limitedBy: LIMITED_BY[kind],
    ...shortage,
  });
}

/** Returns the fault of a call that could not be counted because of concurrent writes. */
export const notCounted = (): Fault =>
  contended(
    "Cannot count the request: too many requests are being counted at once",
  );
