/** Calls of one upstream, shared between classes of work, and within a class between wallets and networks. */
import {
  type CallCounts,
  cooldownLeft,
  leavesAt,
  type Limit,
  recentSlots,
  type Slots,
  sumOf,
  withCall,
} from "./call_budget.ts";
import {
  CALL_CLASSES,
  type CallClass,
  type Party,
  type Requester,
} from "./requesters.ts";
import { HOUR_MS, MINUTE_MS } from "../days.ts";

/** What a class may use of each limit, as shares of it. */
interface ClassShare {
  /** The part that no other class may use. In a limit per second, a class keeps its part for an hour after its last request. */
  readonly reserved: number;
  /**
   * The part of a short window that no class of lower precedence may use while
   * this class is asking for calls.
   */
  readonly asking: number;
  /** Maximum part of a long window that the class may use. */
  readonly max: number;
}

/** The shares of the classes that call an upstream. */
export type Shares = Readonly<Partial<Record<CallClass, ClassShare>>>;

/** All calls are of the service itself. */
export const UNSHARED: Shares = {
  service: { reserved: 0, asking: 0, max: 1 },
};

/** Recent calls to an upstream by class: one list of slots for each limit. */
export interface SharedCounts {
  readonly classes: Readonly<Partial<Record<CallClass, readonly Slots[]>>>;
  /** When a class last asked for a call, epoch ms. */
  readonly askedAt: Readonly<Partial<Record<CallClass, number>>>;
  /** End of the cooldown that the upstream asked for, epoch ms. */
  readonly closedUntil: number;
}

/** The calls of everybody, and those of the requester's parties, in their order. */
export interface BudgetCounts {
  readonly all: SharedCounts;
  readonly parties: readonly CallCounts[];
}

/** Named limits that all callers share. */
export interface SharedBudget {
  /** Its name in the store. */
  readonly name: string;
  readonly limits: readonly Limit[];
  readonly shares: Shares;
  /** The part of each limit that the requester's class may use by itself; all by default. */
  readonly ownPart?: number;
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
    /** The party that used up its share, and the limit; null if the class did. */
    readonly used: { readonly party: Party; readonly limit: Limit } | null;
    /** True if the upstream itself asked for the wait. */
    readonly isClosed?: boolean;
  };

/** Counts without a call. */
export const NO_SHARED_CALLS: SharedCounts = {
  classes: {},
  askedAt: {},
  closedUntil: 0,
};

/** Windows up to this length are short: a class may use all that is left, whatever its `max`. */
const MAX_SHORT_MS = MINUTE_MS;

/**
 * In windows up to this length, a class that sends no requests loses its reserved
 * part. If one of two calls a second stayed reserved, others would get half the limit.
 */
const MAX_BRIEF_MS = 1_000;

/** A class keeps its part of a brief window for this long after its last request. */
const PART_KEPT_MS = HOUR_MS;

/** A class counts as asking until this many windows of a limit have passed since its last request. */
const ASKING_WINDOWS = 2;

/**
 * Admits one call at `now` (epoch ms). Otherwise returns the wait, assuming that
 * nobody else calls meanwhile. An admitted call may be made until `callAt`, and
 * counts as if it were made then.
 */
export function admitShared(
  counts: BudgetCounts,
  budget: SharedBudget,
  requester: Requester,
  now: number,
  callAt: number = now,
): SharedAdmission {
  const { limits } = budget;
  const closedMs = cooldownLeft(counts.all, now);
  if (closedMs > 0) {
    return {
      allowed: false,
      retryAfterMs: closedMs,
      used: null,
      isClosed: true,
    };
  }
  const { shares, ownPart = 1 } = budget;
  const asked = { counts, shares, ownPart, requester };
  const refusals = limits
    .map((limit, index) => refusalOf(asked, { limit, index }, now))
    .filter((refusal) => refusal !== null);
  if (refusals.length === 0) {
    const next = withSharedCall(counts, requester, { limits, now, callAt });
    return { allowed: true, counts: next, calls: 1 };
  }
  const longest = refusals.reduce((a, b) =>
    b.retryAfterMs > a.retryAfterMs ? b : a
  );
  return { allowed: false, ...longest };
}

/** Returns whether the window of a limit is short. */
export function isShort({ perMs }: Limit): boolean {
  return perMs <= MAX_SHORT_MS;
}

/** Returns the calls of a limit that a class gets while no other class calls. */
export function maxOfClass(
  limit: Limit,
  of: CallClass,
  shares: Shares,
): number {
  const reserved = CALL_CLASSES.filter((name) => name !== of)
    .reduce((sum, name) => sum + reservedOf(limit, shares[name]), 0);
  return Math.min(mostOf(limit, shares[of]), limit.calls - reserved);
}

/** Returns the calls of a class that a party gets while it is the only one. */
export function maxOfShare(calls: number, { weight }: Party): number {
  return roundUp(calls * weight / (1 + weight));
}

/** Returns the counts after a request of a class that was refused. */
export function withRequest(
  all: SharedCounts,
  of: CallClass,
  now: number,
): SharedCounts {
  return { ...all, askedAt: { ...all.askedAt, [of]: now } };
}

/** The facts that decide about a request. */
interface BudgetRequest {
  readonly counts: BudgetCounts;
  readonly shares: Shares;
  readonly ownPart: number;
  readonly requester: Requester;
}

/** A limit and its place among the limits. */
interface Place {
  readonly limit: Limit;
  readonly index: number;
}

/** Returns why a limit does not admit a call, and the wait; null if it does. */
function refusalOf(
  asked: BudgetRequest,
  place: Place,
  now: number,
): Omit<SharedAdmission & { allowed: false }, "allowed"> | null {
  const block = blockAt(asked, place, now);
  if (block === null) return null;
  const { limit } = place;
  const { classes, askedAt } = asked.counts.all;
  // As time passes, calls leave the window and requests are forgotten.
  const changes = [
    ...Object.values(classes)
      .flatMap((counts) => counts[place.index] ?? [])
      .map(([slot]) => Math.ceil(leavesAt(limit, slot))),
    ...Object.values(askedAt)
      .map((at) => at + ASKING_WINDOWS * limit.perMs),
  ].filter((at) => at > now).sort((a, b) => a - b);
  const fitsAt = changes.find((at) => blockAt(asked, place, at) === null) ??
    now + limit.perMs;
  const used = block === "class" ? null : { party: block, limit };
  return { retryAfterMs: fitsAt - now, used };
}

/** Returns what blocks a call at a time: the class, or a party; null if nothing does. */
function blockAt(
  asked: BudgetRequest,
  place: Place,
  at: number,
): "class" | Party | null {
  const left = leftAt(asked, place, at);
  if (left <= 0) return "class";
  const { counts: { parties }, requester } = asked;
  const blocked = requester.parties.find((party, nth) => {
    const used = sumOf(recentSlots(parties[nth]!, place, at));
    return used >= party.weight * left;
  });
  return blocked ?? null;
}

/** Returns how many calls of a limit the requester's class has left. */
function leftAt(
  { counts: { all }, shares, ownPart, requester: { of } }: BudgetRequest,
  place: Place,
  at: number,
): number {
  const { limit } = place;
  let total = 0;
  let reserved = 0;
  let used = 0;
  for (const name of CALL_CLASSES) {
    const counts = all.classes[name] ?? [];
    const calls = sumOf(recentSlots({ counts, closedUntil: 0 }, place, at));
    total += calls;
    if (name === of) used = calls;
    if (name === of) continue;
    // Also if the clock was set back.
    const sinceMs = Math.abs(at - (all.askedAt[name] ?? -Infinity));
    const isAsking = isShort(limit) &&
      CALL_CLASSES.indexOf(name) < CALL_CLASSES.indexOf(of) &&
      sinceMs < ASKING_WINDOWS * limit.perMs;
    const keepsPart = limit.perMs > MAX_BRIEF_MS || sinceMs < PART_KEPT_MS;
    const part = isAsking
      ? roundUp(limit.calls * (shares[name]?.asking ?? 0))
      : keepsPart
      ? reservedOf(limit, shares[name])
      : 0;
    reserved += Math.max(0, part - calls);
  }
  const own = Math.max(1, Math.floor(limit.calls * ownPart + ROUNDING));
  const most = Math.min(own, mostOf(limit, shares[of]));
  return Math.min(most - used, limit.calls - total - reserved);
}

/** Returns the calls of a limit that are reserved for a class that is not asking. */
function reservedOf({ calls }: Limit, share: ClassShare | undefined): number {
  return Math.floor(calls * (share?.reserved ?? 0) + ROUNDING);
}

/** Returns the most calls of a limit that a class may use. */
function mostOf(limit: Limit, share: ClassShare | undefined): number {
  if (share === undefined) return 0;
  return isShort(limit) && share.max > 0
    ? limit.calls
    : roundUp(limit.calls * share.max);
}

/** Larger than the floating-point error of a whole number. */
const ROUNDING = 1e-6;

function roundUp(calls: number): number {
  return Math.ceil(calls - ROUNDING);
}

function withSharedCall(
  { all, parties }: BudgetCounts,
  { of }: Requester,
  { limits, now, callAt }: {
    readonly limits: readonly Limit[];
    readonly now: number;
    readonly callAt: number;
  },
): BudgetCounts {
  const before = { counts: all.classes[of] ?? [], closedUntil: 0 };
  const { counts } = withCall(before, limits, now, callAt);
  return {
    all: {
      classes: { ...all.classes, [of]: counts },
      askedAt: { ...all.askedAt, [of]: now },
      closedUntil: 0,
    },
    parties: parties.map((counts) => withCall(counts, limits, now, callAt)),
  };
}
