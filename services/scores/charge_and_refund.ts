/** A keyed request: its caller, who its calls are charged to, its count, and its refund if the work fails. */
import {
  type CachedCaller,
  type Caller,
  type CallerCache,
  mayUse,
  readQuotaStatus,
  requireUse,
  spend,
  type Spent,
} from "../accounts/access.ts";
import type { AccountsDeps } from "../accounts/deps.ts";
import { chargeOf, type QuotaStatus } from "../accounts/quota/quota.ts";
import { type Metered, PLANS } from "../payments/plans_schema.ts";
import { Fault } from "../platform/fault.ts";
import { CommitOutcomeUnknown } from "../platform/kv/commit.ts";
import { refusedQuotaStatus } from "./test_key_answers.ts";
import {
  freeRequester,
  planRequester,
  type Requester,
} from "../platform/rate_limit/call_budget.ts";

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

/** A request of a signed-in wallet, in place of one with a key. */
export type SessionRequest =
  & Omit<KeyedRequest, "callers" | "key" | "unverified">
  & { readonly unverified: null };

type MeteredRequest = KeyedRequest | SessionRequest;

/** Returns who calls to upstreams for a keyed request are charged to. */
export function requesterOf(
  { caller: { plan, wallet }, hostname }: MeteredRequest,
): Requester {
  const { turns } = PLANS[plan];
  return plan === "free"
    ? freeRequester(wallet, turns, hostname ?? undefined)
    : planRequester(wallet, turns);
}

/** Reads the caller from the store unless it is verified already. Throws if the key is refused. */
export async function verifyCaller(request: MeteredRequest): Promise<void> {
  if (request.unverified === null) return;
  request.caller = await request.callers.authorize(request.key);
  request.unverified = null;
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
  request: MeteredRequest,
  call: KeyedCall<T>,
): Promise<T> {
  const { endpoint, units, work } = call;
  let spent = await spendCached(deps, request, { endpoint, units });
  if (spent === null) {
    await verifyCaller(request);
    const { caller, hostname } = request;
    requireUse(deps, caller, { scope: endpoint, hostname });
    if (caller.kind === "test") return await answerFixture(deps, request, call);
    spent = await spend(deps, caller, { endpoint, units });
  }
  const { caller } = request;
  const { quotaStatus, refusal, spentAt } = spent;
  request.quotaStatus = quotaStatus;
  if (refusal) throw refusal;
  request.units = units;
  try {
    return await work();
  } catch (error) {
    await deps.store.usage.refund(caller, { endpoint, units }, spentAt);
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
  request: MeteredRequest,
  { endpoint, units }: { endpoint: Metered; units: number },
): Promise<Spent | null> {
  if (request.unverified === null) return null;
  const { callers, key, hostname, unverified } = request;
  const { caller, versions, markVerified } = unverified;
  if (!mayUse(caller, { scope: endpoint, hostname })) return null;
  const spentAt = now().getTime();
  const { plan, limits: { maxUnits: cap } } = caller;
  const charge = chargeOf(plan, endpoint, { units, cap });
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
  request: MeteredRequest,
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
