/** Keyed calls: authorized, counted, and refunded if the work fails. */
import {
  type Caller,
  chargeTo,
  mayUse,
  readQuotaStatus,
  refundCall,
  requireUse,
  spend,
  type Spent,
} from "../accounts/access.ts";
import type { CachedCaller, CallerCache } from "../accounts/caller_cache.ts";
import type { AccountsDeps } from "../accounts/deps.ts";
import type { QuotaStatus } from "../accounts/quota/quota.ts";
import type { Scope } from "../accounts/key_limits_schema.ts";
import { type Metered, PLANS } from "../payments/plans_schema.ts";
import { USDC_UNITS } from "../payments/products_schema.ts";
import {
  freeRequester,
  paidRequester,
  type Requester,
} from "../platform/rate_limit/requesters.ts";
import { Fault } from "../platform/fault.ts";
import { CommitOutcomeUnknown } from "../platform/kv/commit_outcome_unknown.ts";
import { refusedQuotaStatus } from "./test_keys/test_key_answers.ts";

/** One keyed request. The use case that serves it sets the changing fields. */
export interface KeyedRequest {
  readonly key: string;
  readonly callers: CallerCache;
  caller: Caller;
  /** The endpoint whose burst the headers of a refusal report. */
  endpoint: Metered;
  /** The cached form of `caller`; null as soon as a read or a commit has verified it. */
  unverified: CachedCaller | null;
  /** The caller's quota after the call; null if it was not counted or read. */
  quotaStatus: QuotaStatus | null;
  /** The units that the call cost; 0 if it was refused or refunded. */
  units: number;
  /** The address that the request came from; null if unknown. */
  readonly hostname: string | null;
}

/** Returns who calls to upstreams for a keyed request are charged to. */
export function requesterOf(
  { caller: { plan, wallet }, hostname }: KeyedRequest,
): Requester {
  const price = Number(PLANS[plan].price / USDC_UNITS);
  return price > 0
    ? paidRequester(wallet, price)
    : freeRequester({ wallet, hostname: hostname ?? undefined });
}

/** What a request starts with. */
const START = {
  endpoint: "score",
  unverified: null,
  quotaStatus: null,
  units: 0,
} as const;

/** Returns a request with the cached caller of its key, which must be verified; null if none is cached. */
export function findKeyedRequest(
  callers: CallerCache,
  key: string | undefined,
  hostname: string | null,
): KeyedRequest | null {
  const unverified = key === undefined ? null : callers.find(key);
  // A test key is never counted, so no commit would verify it.
  if (unverified?.caller.kind !== "live") return null;
  const { caller } = unverified;
  return { ...START, key: key!, callers, caller, unverified, hostname };
}

/** Starts a request with the stored caller of its key. Throws if the key is refused. */
export async function startKeyedRequest(
  callers: CallerCache,
  key: string | undefined,
  hostname: string | null,
): Promise<KeyedRequest> {
  const caller = await callers.authorize(key);
  return { ...START, key: key!, callers, caller, hostname };
}

/** Reads the caller from the store unless it is verified already. Throws if the key is refused. */
export async function verifyCaller(request: KeyedRequest): Promise<void> {
  if (request.unverified === null) return;
  request.caller = await request.callers.authorize(request.key);
  request.unverified = null;
}

/** Returns whether the caller, perhaps a cached one, may use an endpoint. */
export function isAllowed(
  { caller, hostname }: KeyedRequest,
  scope: Scope,
): boolean {
  return mayUse(caller, { scope, hostname });
}

/** Throws a fault if the key or the plan of the caller does not allow an endpoint. */
export function requireAccess(
  deps: Pick<AccountsDeps, "publicUrl">,
  { caller, hostname }: KeyedRequest,
  scope: Scope,
): void {
  requireUse(deps, caller, { scope, hostname });
}

/** A call of an endpoint. */
interface KeyedCall<T> {
  readonly endpoint: Metered;
  readonly units: number;
  readonly work: () => Promise<T>;
  /** Makes the answer for a test key. */
  readonly fixture: () => T;
}

/** Verifies the caller, counts the call and does its work. A refused call costs nothing, and a failed one is refunded. */
export async function meter<T>(
  deps: Pick<AccountsDeps, "now" | "publicUrl" | "store">,
  request: KeyedRequest,
  call: KeyedCall<T>,
): Promise<T> {
  const { endpoint, units, work } = call;
  let spent = await spendCached(deps, request, { endpoint, units });
  if (spent === null) {
    await verifyCaller(request);
    requireAccess(deps, request, endpoint);
    if (request.caller.kind === "test") {
      return await answerFixture(deps, request, call);
    }
    spent = await spend(deps, request.caller, { endpoint, units });
  }
  const { caller } = request;
  const { quotaStatus, refusal, spentAt } = spent;
  request.quotaStatus = quotaStatus;
  if (refusal) throw refusal;
  request.units = units;
  try {
    return await work();
  } catch (error) {
    await refundCall(deps, caller, { endpoint, units, spentAt });
    request.quotaStatus = null;
    request.units = 0;
    throw error;
  }
}

/**
 * Counts a call of the cached caller, whom the commit verifies: this saves reading
 * the caller. Returns null, and counts nothing, if the caller has to be read.
 */
async function spendCached(
  { now, store }: Pick<AccountsDeps, "now" | "store">,
  request: KeyedRequest,
  { endpoint, units }: { endpoint: Metered; units: number },
): Promise<Spent | null> {
  const { callers, key, unverified } = request;
  if (unverified === null || !isAllowed(request, endpoint)) return null;
  const { caller, versions, markVerified } = unverified;
  const spentAt = now().getTime();
  const charge = chargeTo(caller, endpoint, units);
  const decision = await store.usage.spendIf(versions, caller, {
    charge,
    now: spentAt,
  }).catch(nullUnlessCounted);
  if (decision === null) callers.remove(key);
  // A refusal must not rest on what is cached.
  if (!decision?.allowed) return null;
  markVerified();
  request.unverified = null;
  return { quotaStatus: decision.quotaStatus, refusal: null, spentAt };
}

/** Rethrows if the request may have been counted. After any other error nothing was counted, so the store can serve it. */
export function nullUnlessCounted(error: unknown): null {
  if (error instanceof CommitOutcomeUnknown) throw error;
  return null;
}

/** Answers a test key. Nothing is counted; only a simulated refusal changes the quota status. */
async function answerFixture<T>(
  deps: Pick<AccountsDeps, "now" | "store">,
  request: KeyedRequest,
  { endpoint, fixture }: KeyedCall<T>,
): Promise<T> {
  const status = await readQuotaStatus(deps, request.caller, endpoint);
  request.quotaStatus = status;
  try {
    return fixture();
  } catch (error) {
    if (error instanceof Fault) {
      const now = deps.now().getTime();
      request.quotaStatus = refusedQuotaStatus(status, error, now);
    }
    throw error;
  }
}
