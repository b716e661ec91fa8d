/** How many cold reads the calls to the indexes of histories allow. An ordinary address costs one call. */
import type { Capacity } from "../payments/quotes.ts";
import { PLAN_NAMES, type PlanName, PLANS } from "../payments/plans_schema.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import { minOf } from "../platform/numbers.ts";
import {
  type Limit,
  partOf,
  type UpstreamCalls,
} from "../platform/rate_limit/call_budget.ts";
import type { ScoresDeps } from "./scores.ts";

type CapacityDeps = {
  readonly upstream: {
    readonly explorer: Pick<ScoresDeps["upstream"]["explorer"], "calls">;
  };
};

type Limits = Pick<UpstreamCalls, "limits" | "shares">;

/** Calls of the last 24 hours to an index: of all, and of a wallet. */
interface Day {
  readonly index: Limits;
  readonly used: number;
  readonly own: number;
}

const rateIn = (ms: number, limits: readonly Limit[]) =>
  Math.floor(minOf(limits.map(({ calls, perMs }) => calls * ms / perMs)));

/** Returns the cold reads that an index allows: all together and one wallet, by plan. */
function allowedBy(
  { limits, shares: { plansOnly, reserve } }: Limits,
  plan?: PlanName,
) {
  const line = (1 - reserve) * (plan === "free" ? 1 - plansOnly : 1);
  const cap = plan === undefined ? 1 : PLANS[plan].turns.cap;
  const day = rateIn(DAY_MS, limits);
  const perDay = Math.floor(day * Math.min(cap, line));
  const short = limits.filter(({ perMs }) => perMs <= MINUTE_MS).map((limit) =>
    limit.perMs < MINUTE_MS ? limit : partOf(limit, Math.min(cap, 1 - reserve))
  );
  const perMinute = Math.min(perDay, rateIn(MINUTE_MS, short));
  return { perMinute, perDay, all: Math.floor(day * line) };
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function ratesOf(indexes: readonly Limits[], plan?: PlanName) {
  const allowed = indexes.map((index) => allowedBy(index, plan));
  return {
    perMinute: sumOf(allowed, ({ perMinute }) => perMinute),
    perDay: sumOf(allowed, ({ perDay }) => perDay),
  };
}

/** Returns the cold reads that the limits of indexes allow. */
export function capacityOf(indexes: readonly Limits[]): Capacity {
  return {
    ...ratesOf(indexes),
    plans: PLAN_NAMES.map((plan) => ({ plan, ...ratesOf(indexes, plan) })),
  };
}

/** Returns what the indexes allow. It reads nothing. */
export function describeCapacity({ upstream }: CapacityDeps): Capacity {
  return capacityOf(upstream.explorer.calls);
}

/** Reads the calls of the last 24 hours, of all and of a wallet. The settings give each index a limit of a day. */
function readDays(
  { upstream }: CapacityDeps,
  wallet?: string,
): Promise<Day[]> {
  return Promise.all(upstream.explorer.calls.map(async (index) => {
    const nth = index.limits.findIndex(({ perMs }) => perMs === DAY_MS);
    const [all, own] = await Promise.all([
      index.readUse(),
      wallet === undefined ? [] : index.readUse(wallet),
    ]);
    return { index, used: all[nth]!, own: own[nth] ?? 0 };
  }));
}

/** Returns how many cold reads are left: to all, or to a wallet with a plan. */
function leftOf(days: readonly Day[], plan?: PlanName): number {
  return sumOf(days, ({ index, used, own }) => {
    const { all, perDay } = allowedBy(index, plan);
    return Math.max(0, Math.min(all - used, perDay - own));
  });
}

/** Reads how many cold reads are used and left: of all, and to a wallet of each plan that has made none. */
export async function readCapacityUse(deps: CapacityDeps) {
  const days = await readDays(deps);
  const { plans, ...rates } = describeCapacity(deps);
  return {
    ...rates,
    used: sumOf(days, ({ used }) => used),
    left: leftOf(days),
    plans: plans.map((each) => ({ ...each, left: leftOf(days, each.plan) })),
  };
}

/** Reads how many cold reads a wallet with a plan has made and has left. */
export async function readColdReads(
  deps: CapacityDeps,
  { wallet, plan }: { readonly wallet: string; readonly plan: PlanName },
) {
  const days = await readDays(deps, wallet);
  return {
    ...ratesOf(deps.upstream.explorer.calls, plan),
    used: sumOf(days, ({ own }) => own),
    left: leftOf(days, plan),
  };
}
