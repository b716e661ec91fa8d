/** A keyed request: its caller, perhaps from the cache, and what it may use. */
import { type Caller, mayUse, requireUse } from "../accounts/access.ts";
import type { CachedCaller, CallerCache } from "../accounts/caller_cache.ts";
import type { AccountsDeps } from "../accounts/deps.ts";
import type { QuotaStatus } from "../accounts/quota/quota.ts";
import type { Scope } from "../accounts/key_limits_schema.ts";
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
