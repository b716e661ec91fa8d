/** A keyed request: its caller, perhaps from the cache, and what it may use. */
import type { Caller } from "../accounts/access.ts";
import type { CachedCaller, CallerCache } from "../accounts/caller_cache.ts";
import type { QuotaStatus } from "../accounts/quota/quota.ts";
import { type Metered, PLANS } from "../payments/plans_schema.ts";
import {
  freeRequester,
  planRequester,
  type Requester,
} from "../platform/rate_limit/requesters.ts";

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
  const { turns } = PLANS[plan];
  return plan === "free"
    ? freeRequester(wallet, turns, hostname ?? undefined)
    : planRequester(wallet, turns);
}

/** Reads the caller from the store unless it is verified already. Throws if the key is refused. */
export async function verifyCaller(request: KeyedRequest): Promise<void> {
  if (request.unverified === null) return;
  request.caller = await request.callers.authorize(request.key);
  request.unverified = null;
}
