/**
 * Budgets of calls to upstreams, and of changes of clients and wallets: who asks for a
 * call, sliding windows of what was used, and how the calls of an upstream are divided:
 * a reserve, a cap for each wallet and network, and plans before the free.
 */
import { CLOCK_SKEW_MS, timeoutSignal } from "../clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../days.ts";
import type { UsedBy } from "../fault.ts";
import { networksOf } from "./networks.ts";

/** At most `calls` in any `perMs` milliseconds. */
export interface Limit {
  readonly calls: number;
  readonly perMs: number;
}

/** Names of the periods of limits, by milliseconds. */
const PERIODS: Readonly<Record<number, string>> = {
  1_000: "second",
  [MINUTE_MS]: "minute",
  [HOUR_MS]: "hour",
  [DAY_MS]: "day",
};

/** Returns limits as text, such as "12 calls a minute and 120 calls an hour". */
export function describeLimits(
  limits: readonly Limit[],
  noun: string,
): string {
  return limits.map(({ calls, perMs }) => {
    const period = PERIODS[perMs] ?? `period of ${perMs / 1000} seconds`;
    return `${calls} ${noun} ${period === "hour" ? "an" : "a"} ${period}`;
  }).join(" and ");
}

/** Calls by slot of the window, oldest first. */
export type Slots = readonly (readonly [slot: number, calls: number])[];

/** Recent calls, counted by slot: one list for each limit. */
export interface CallCounts {
  readonly counts: readonly Slots[];
  /** End of the cooldown that the upstream asked for, epoch ms. */
  readonly closedUntil: number;
}

/** The wait of a call that may not be made now. */
interface Wait {
  readonly retryAfterMs: number;
  /** The limit that is reached; null if the upstream asked for a pause. */
  readonly limit: Limit | null;
}

/** Slots of a window. A slot counts until all of it has left the window. */
const SLOTS = 60;

/** Counts without a call. */
export const NO_CALLS: CallCounts = { counts: [], closedUntil: 0 };

/** Longest accepted cooldown. A public pool was seen to ask for hours. */
export const MAX_COOLDOWN_MS = 10 * MINUTE_MS;

/** Returns the ms that are left of a cooldown; 0 for one from before the clock was set back. */
function cooldownLeft(
  { closedUntil }: Pick<CallCounts, "closedUntil">,
  now: number,
): number {
  const leftMs = closedUntil - now;
  // The clock of the process that wrote it may be ahead by the skew, but not by more.
  return leftMs > MAX_COOLDOWN_MS + CLOCK_SKEW_MS ? 0 : Math.max(0, leftMs);
}

/** Returns the wait of a call at `now` (epoch ms); null if it may be made. */
export function waitOf(
  callCounts: CallCounts,
  limits: readonly Limit[],
  now: number,
): Wait | null {
  let retryAfterMs = cooldownLeft(callCounts, now);
  let reached: Limit | null = null;
  for (const [index, limit] of limits.entries()) {
    const recent = recentSlots(callCounts, { limit, index }, now);
    let total = sumOf(recent);
    for (const [slot, calls] of recent) {
      if (total < limit.calls) break;
      total -= calls;
      const leavesInMs = Math.ceil(leavesAt(limit, slot) - now);
      if (leavesInMs <= retryAfterMs) continue;
      retryAfterMs = leavesInMs;
      reached = limit;
    }
  }
  return retryAfterMs > 0 ? { retryAfterMs, limit: reached } : null;
}

/** Returns the counts with one more call, which may be made until `callAt`, and without expired slots. */
export function withCall(
  callCounts: CallCounts,
  limits: readonly Limit[],
  now: number,
  callAt: number = now,
): CallCounts {
  const counts = limits.map((limit, index) =>
    increment(
      recentSlots(callCounts, { limit, index }, now),
      slotAt(limit, callAt),
    )
  );
  return { counts, closedUntil: 0 };
}

/** Returns the calls that count for each limit at a time. */
export function usedOf(
  callCounts: CallCounts,
  limits: readonly Limit[],
  now: number,
): number[] {
  return limits.map((limit, index) =>
    sumOf(recentSlots(callCounts, { limit, index }, now))
  );
}

/** Returns the calls of a limit since the day (UTC) of a time began. The limit is of a day. */
function usedOfDay(
  callCounts: CallCounts,
  of: { readonly limit: Limit; readonly index: number },
  now: number,
): number {
  const first = slotAt(of.limit, now - now % DAY_MS);
  return sumOf(
    recentSlots(callCounts, of, now).filter(([slot]) => slot >= first),
  );
}

/** Returns the slots of a limit that count at a time, oldest first. */
function recentSlots(
  callCounts: CallCounts,
  { limit, index }: { readonly limit: Limit; readonly index: number },
  now: number,
): Slots {
  const current = slotAt(limit, now);
  return (callCounts.counts[index] ?? [])
    .filter(([slot]) => Math.abs(slot - current) <= SLOTS);
}

/** Returns the total calls of slots. */
function sumOf(slots: Slots): number {
  return slots.reduce((sum, [, calls]) => sum + calls, 0);
}

/** Returns when a slot stops counting, epoch ms. */
function leavesAt({ perMs }: Limit, slot: number): number {
  return (slot + SLOTS + 1) * (perMs / SLOTS);
}

function slotAt({ perMs }: Limit, now: number): number {
  return Math.floor(now / (perMs / SLOTS));
}

function increment(
  recent: Slots,
  current: number,
): [number, number][] {
  const counts = new Map(recent);
  counts.set(current, (counts.get(current) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

/** Larger than the floating-point error of a whole number. */
const ROUNDING = 1e-6;

/** Returns part of a limit, rounded down: at least one call. */
export function partOf({ calls, perMs }: Limit, part: number): Limit {
  return { calls: Math.max(1, Math.floor(calls * part + ROUNDING)), perMs };
}

/** Priority of a call: readers wait seconds, jobs wait minutes. */
export type Priority = "reader" | "job";

/** Maximum wait of a reader for all calls to upstreams together. */
export const READER_WAIT_MS = 10_000;

/** Priority, timeout and requester of calls to an upstream. */
export interface CallOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  /** Until when it waits for its turn at most, epoch ms. */
  readonly waitUntil?: number | undefined;
  /** Who asked for the call. */
  readonly requester: Requester;
  /** What a score is read of; its turn is kept when the wait was too long. */
  readonly subject?: string | undefined;
  /** True for work that has had its turn. */
  readonly isStarted?: boolean;
  /** Calls that were counted already. */
  readonly reserved?: Reserved | undefined;
}

/** Calls to one upstream that were counted together, for work that makes one after the other. */
interface Reserved {
  /** The upstream's budget. */
  readonly budget: string;
  /** Until when they may be made, epoch ms. */
  readonly until: number;
  left: number;
}

/** Limits the calls to one upstream. */
export interface UpstreamRateLimiter {
  /** Resolves when the call may be made. Throws a fault if the wait is too long. */
  acquire(options: CallOptions): Promise<void>;
  /** Waits for a call, and returns options with which it and those that follow are made. */
  start(options: CallOptions): Promise<CallOptions>;
  /** Reads the limit, so that the next call is counted in one round of the database. */
  prepare(
    options: Pick<CallOptions, "priority" | "requester">,
  ): Promise<void>;
  /**
   * Counts calls that follow each other in one transaction, and returns options with
   * which they may be made. If not all are free, `acquire` counts the others.
   */
  reserve(options: CallOptions, calls: number): Promise<CallOptions>;
  /** What the calls are counted by; `start` reserves one in it. */
  readonly name: string;
  /** Estimates the wait of a call, ms; negative if a place is kept for its subject. Reads nothing. */
  waitMs(
    options: Pick<CallOptions, "priority" | "requester" | "subject">,
  ): number;
  /** Starts a cooldown for all callers. */
  pause(forMs: number): Promise<void>;
}

/** Timeout of a job for one item, below the lease. Most of it is spent waiting for the rate limiter. */
const JOB_MS = 2 * MINUTE_MS;

/** Returns the call options of a reader: high priority, and the timeout of readers. */
export function readerCallOptions(requester: Requester): CallOptions {
  const signal = timeoutSignal(READER_WAIT_MS);
  return { priority: "reader", signal, requester };
}

/** Returns the call options of a job: low priority, and a long timeout. */
export function jobCallOptions(requester: Requester = SERVICE): CallOptions {
  return { priority: "job", signal: timeoutSignal(JOB_MS), requester };
}

/**
 * A class of calls. `payments`: the search for payments; `changes`: what anybody may
 * have checked without paying for it, such as claims, signatures of smart accounts
 * and linked accounts; `service`: chain data and jobs; `plans` and `free`: scores
 * for paid plans, and for free wallets and visitors; `refresh`: reads ahead of them.
 */
export type CallClass =
  | "payments"
  | "changes"
  | "service"
  | "plans"
  | "free"
  | "refresh";

/** A wallet or a network, whose calls are counted. */
interface Party {
  readonly name: string;
  /** The part of each limit that it may use. */
  readonly cap: number;
}

/** Who a call is made for. */
export interface Requester {
  readonly of: CallClass;
  readonly parties: readonly Party[];
  /** Turns in a queue, compared with those of others. */
  readonly weight: number;
}

/** Part of a limit that one network may use for chain data. */
const NETWORK_CAP = 1 / 2;

/** Part of a limit that the free wallets and visitors of one network may use. */
const FREE_NETWORK_CAP = 1 / 5;

/** Part of a limit that a wallet or a network may use for changes. */
const CHANGE_CAP = 1 / 4;

/** Jobs and chain data, for nobody in particular. */
export const SERVICE: Requester = { of: "service", parties: [], weight: 4 };

/** The search for payments. */
export const PAYMENTS: Requester = { of: "payments", parties: [], weight: 4 };

/**
 * Reads ahead. In 24 hours they use at most a quarter of the calls, because those of
 * an evening count until the next one.
 */
export const REFRESH: Requester = {
  of: "refresh",
  parties: [{ name: "refresh", cap: 1 / 4 }],
  weight: 1,
};

/** Returns who used up calls: a wallet or a network by the name of the party, or everyone without a party. */
export function usedByOf(party: Party | undefined): UsedBy {
  if (party === undefined) return "everyone";
  return party.name.startsWith("0x") ? "wallet" : "network";
}

/** Returns the requester of a read for a network, or for the service itself. */
export function requesterOfClient(client: string | undefined): Requester {
  return client === undefined
    ? SERVICE
    : { ...SERVICE, parties: partiesOf(client, NETWORK_CAP) };
}

/** Turns and cap of a plan. */
interface Turns {
  readonly weight: number;
  readonly cap: number;
}

/** Returns the requester of a wallet with a paid plan. */
export function planRequester(
  wallet: string,
  { weight, cap }: Turns,
): Requester {
  return { of: "plans", parties: [{ name: wallet, cap }], weight };
}

/** Returns the requester of a visitor, or of work for visitors. */
export function visitorRequester(hostname: string | undefined): Requester {
  const parties = partiesOf(hostname, FREE_NETWORK_CAP);
  return { of: "free", parties, weight: 1 };
}

/** Returns the requester of a free wallet. */
export function freeRequester(
  wallet: string,
  { weight, cap }: Turns,
  hostname: string | undefined,
): Requester {
  const { of, parties } = visitorRequester(hostname);
  return { of, parties: [{ name: wallet, cap }, ...parties], weight };
}

/** Returns the requester of a change that a wallet makes, with the part of a limit that it may use. */
export function changeRequester(
  { wallet, hostname }: {
    readonly wallet: string;
    readonly hostname: string | null;
  },
  cap = CHANGE_CAP,
): Requester {
  const networks = partiesOf(hostname ?? undefined, cap);
  return {
    of: "changes",
    parties: [{ name: wallet, cap }, ...networks],
    weight: 1,
  };
}

function partiesOf(hostname: string | undefined, cap: number): Party[] {
  if (hostname === undefined) return [];
  return networksOf(hostname).map((name) => ({ name, cap }));
}

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
      const wait = waitOf(nth === 0 ? all : ofParties[nth - 1]!, limits, now);
      return wait === null ? [] : [{ ...wait, allowed: false as const, party }];
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
