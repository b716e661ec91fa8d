/** Calls of one upstream: a reserve, a cap for each wallet and network, and plans before the free. */
import {
  admit,
  type CallCounts,
  type Limit,
  partOf,
  READER_WAIT_MS,
  usedOfDay,
  withCall,
} from "./call_budget.ts";
import type { CallClass, Party, Requester } from "./requesters.ts";
import { DAY_MS, MINUTE_MS } from "../days.ts";

/** How the calls of an upstream are divided. */
export interface Shares {
  /** The classes that may use the reserve: the first all of it, others half of it. */
  readonly reservedFor: readonly CallClass[];
  /** The part of each limit that is reserved. */
  readonly reserve: number;
  /** The part of a day that the free may not use. */
  readonly plansOnly: number;
}

/** The calls to an upstream: what its limits allow, and what is used of each. */
export interface UpstreamCalls {
  readonly limits: readonly Limit[];
  readonly shares: Shares;
  /** Reads the calls that count for each limit now: all, or those of a wallet or network. */
  readUse(party?: string): Promise<number[]>;
}

/** Everybody may use everything, up to the caps. */
export const UNSHARED: Shares = { reservedFor: [], reserve: 0, plansOnly: 0 };

/** Calls of all callers, then of this wallet and its networks. */
export interface BudgetCounts {
  readonly all: CallCounts;
  readonly parties: readonly CallCounts[];
}

/** Named limits that all callers share. */
export interface SharedBudget {
  /** Its name in the store. */
  readonly name: string;
  readonly limits: readonly Limit[];
  readonly shares: Shares;
}

/** Whether a call may be made now, and otherwise the wait. */
export type SharedAdmission =
  | {
    readonly allowed: true;
    readonly counts: BudgetCounts;
    /** The calls that were admitted: at least one. */
    readonly calls: number;
  }
  | {
    readonly allowed: false;
    readonly retryAfterMs: number;
    /** The wallet or network whose cap is reached; undefined for the limit of all. */
    readonly party: Party | undefined;
    /** The limit that is reached; null if the upstream itself asked for the wait. */
    readonly limit: Limit | null;
  };

/**
 * Admits a call at `now` (epoch ms), and those of the other wanted ones that are
 * free: they count as if they were made at the latest allowed time. Otherwise
 * returns the wait, assuming that nobody else calls meanwhile.
 */
export function admitShared(
  counts: BudgetCounts,
  { limits, shares }: SharedBudget,
  { of, parties }: Requester,
  { now, wanted = 1 }: { readonly now: number; readonly wanted?: number },
): SharedAdmission {
  const checks = [
    {
      party: undefined,
      limits: limits.map((limit) => lineOf(limit, of, shares)),
    },
    ...parties.map((party) => ({
      party,
      limits: limits.map((limit) => capOf(limit, party)),
    })),
  ];
  let admitted: SharedAdmission | null = null;
  let { all, parties: ofParties } = counts;
  for (let calls = 1; calls <= wanted; calls++) {
    const line = of === "refresh"
      ? lineRefusals(all, checks[0]!.limits, now)
      : [];
    const refusals = checks.flatMap(({ party, limits }, nth) => {
      const tried = admit(nth === 0 ? all : ofParties[nth - 1]!, limits, now);
      return tried.allowed ? [] : [{ ...tried, party }];
    }).concat(line);
    if (refusals.length > 0) {
      return admitted ??
        refusals.reduce((a, b) => b.retryAfterMs > a.retryAfterMs ? b : a);
    }
    const callAt = calls === 1 ? now : now + READER_WAIT_MS;
    all = withCall(all, limits, now, callAt);
    ofParties = ofParties.map((each) => withCall(each, limits, now, callAt));
    admitted = { allowed: true, counts: { all, parties: ofParties }, calls };
  }
  return admitted!;
}

/**
 * Refuses a refresh unless more of a day's calls are left than its line: the part of
 * them that is the part of the day (UTC) that is left. So the readers of the day find
 * what they may need.
 */
function lineRefusals(
  all: CallCounts,
  limits: readonly Limit[],
  now: number,
): Extract<SharedAdmission, { allowed: false }>[] {
  return limits.flatMap((limit, index) => {
    if (limit.perMs !== DAY_MS) return [];
    const used = usedOfDay(all, { limit, index }, now);
    const retryAfterMs = Math.ceil((used + 1) / limit.calls * DAY_MS) -
      now % DAY_MS;
    return retryAfterMs <= 0
      ? []
      : [{ allowed: false, retryAfterMs, limit, party: undefined }];
  });
}

/** Returns a limit as far as a class may use it. A second is too short to be divided: there, turns are fair. */
function lineOf(
  limit: Limit,
  of: CallClass,
  { reservedFor, reserve, plansOnly }: Shares,
): Limit {
  if (limit.perMs < MINUTE_MS) return limit;
  const kept = of === reservedFor[0]
    ? 0
    : reservedFor.includes(of)
    ? reserve / 2
    : reserve;
  const isDay = limit.perMs > MINUTE_MS;
  return partOf(
    limit,
    (1 - kept) *
      (isDay && (of === "free" || of === "refresh") ? 1 - plansOnly : 1),
  );
}

/** Returns a limit as far as a wallet or a network may use it. */
function capOf(limit: Limit, { cap }: Party): Limit {
  return limit.perMs < MINUTE_MS ? limit : partOf(limit, cap);
}
