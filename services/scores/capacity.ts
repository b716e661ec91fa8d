/** How many cold reads the calls to the indexes of histories allow. An ordinary address costs one call. */
import type { Capacity } from "../payments/deps.ts";
import { PLAN_NAMES, type PlanName, PLANS } from "../payments/plans_schema.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import { minOf } from "../platform/extremes.ts";
import type { Limit } from "../platform/rate_limit/call_budget.ts";
import type { UpstreamCalls } from "../platform/rate_limit/shared_budget.ts";
import type { ScoresDeps } from "./deps.ts";

type CapacityDeps = {
  readonly upstream: {
    readonly explorer: Pick<ScoresDeps["upstream"]["explorer"], "calls">;
  };
};

/** Cold reads of the day that ends now. */
interface CapacityUse {
  readonly perMinute: number;
  readonly perDay: number;
  readonly used: number;
  readonly left: number;
}

type IndexCalls = Pick<UpstreamCalls, "limits" | "shares">;

const rateIn = (ms: number, limits: readonly Limit[]) =>
  Math.floor(minOf(limits.map(({ calls, perMs }) => calls * ms / perMs)));

/** Returns the reads of a day that an index allows, all together and one wallet, by plan. */
function dayOf({ limits, shares }: IndexCalls, plan?: PlanName) {
  const perDay = rateIn(DAY_MS, limits);
  const line = plan === "free" ? 1 - shares.plansOnly : 1;
  const all = Math.floor(perDay * (1 - shares.reserve) * line);
  const { cap } = plan === undefined ? { cap: 1 } : PLANS[plan].turns;
  return { all, wallet: Math.floor(Math.min(all, perDay * cap)) };
}

function sumOf(
  indexes: readonly IndexCalls[],
  of: (index: IndexCalls) => number,
) {
  return indexes.reduce((sum, index) => sum + of(index), 0);
}

/** Returns the cold reads that the limits of indexes allow. */
export function capacityOf(indexes: readonly IndexCalls[]): Capacity {
  return {
    perMinute: sumOf(
      indexes,
      ({ limits }) =>
        rateIn(MINUTE_MS, limits.filter(({ perMs }) => perMs <= MINUTE_MS)),
    ),
    perDay: sumOf(indexes, (index) => dayOf(index).all),
    plans: PLAN_NAMES.map((plan) => ({
      plan,
      perDay: sumOf(indexes, (index) => dayOf(index, plan).wallet),
    })),
  };
}

/** Returns what the indexes allow. It reads nothing. */
export function describeCapacity({ upstream }: CapacityDeps): Capacity {
  return capacityOf(upstream.explorer.calls);
}

/** Reads how many cold reads are used and left: of all, or of a wallet with a plan. */
export async function readCapacityUse(
  { upstream }: CapacityDeps,
  of?: { readonly wallet: string; readonly plan: PlanName },
): Promise<CapacityUse> {
  const { calls } = upstream.explorer;
  const days = await Promise.all(calls.map(async (index) => {
    const nth = index.limits.findIndex(({ perMs }) => perMs === DAY_MS);
    const read = async (party?: string) =>
      (await index.readUse(party))[nth] ?? 0;
    const { all, wallet } = dayOf(index, of?.plan);
    const [used, own] = await Promise.all([read(), of && read(of.wallet)]);
    const left = Math.min(all - used, wallet - (own ?? used));
    return { perDay: wallet, used: own ?? used, left: Math.max(0, left) };
  }));
  const { perMinute } = capacityOf(calls);
  return days.reduce((sum, day) => ({
    perMinute,
    perDay: sum.perDay + day.perDay,
    used: sum.used + day.used,
    left: sum.left + day.left,
  }), { perMinute, perDay: 0, used: 0, left: 0 });
}
