/** How many cold reads the calls to the explorer index allow. An ordinary address costs one call. */
import { PLAN_NAMES, type PlanName, PLANS } from "../payments/plans_schema.ts";
import { DAY_MS, MINUTE_MS } from "../platform/days.ts";
import { minOf } from "../platform/extremes.ts";
import type { Limit } from "../platform/rate_limit/call_budget.ts";
import { EXPLORER_SHARES } from "../platform/rate_limit/upstream_limits.ts";
import type { ScoresDeps } from "./deps.ts";

type CapacityDeps = {
  readonly upstream: {
    readonly explorer: Pick<ScoresDeps["upstream"]["explorer"], "calls">;
  };
};

/** Cold reads that are possible, of all plans together and of one wallet. */
interface Capacity {
  readonly perMinute: number;
  readonly perDay: number;
  readonly plans: { readonly plan: PlanName; readonly perDay: number }[];
}

/** Returns the cold reads that limits of calls allow. */
export function capacityOf(limits: readonly Limit[]): Capacity {
  const ratesIn = (ms: number, of: readonly Limit[]) =>
    Math.floor(minOf(of.map(({ calls, perMs }) => calls * ms / perMs)));
  const { reserve, plansOnly } = EXPLORER_SHARES;
  const aDay = ratesIn(DAY_MS, limits) * (1 - reserve);
  return {
    perMinute: ratesIn(
      MINUTE_MS,
      limits.filter(({ perMs }) => perMs <= MINUTE_MS),
    ),
    perDay: Math.floor(aDay),
    plans: PLAN_NAMES.map((plan) => {
      const line = plan === "free" ? 1 - plansOnly : 1;
      const { cap } = PLANS[plan].turns;
      return {
        plan,
        perDay: Math.floor(Math.min(aDay * line, aDay / (1 - reserve) * cap)),
      };
    }),
  };
}

/** Returns what the index allows. It reads nothing. */
export function describeCapacity({ upstream }: CapacityDeps): Capacity {
  return capacityOf(upstream.explorer.calls.limits);
}

/** Reads how many cold reads are used and left in the day that ends now. */
export async function readCapacityUse({ upstream }: CapacityDeps) {
  const { limits, readUse } = upstream.explorer.calls;
  const { perMinute, perDay } = capacityOf(limits);
  const nth = limits.findIndex(({ perMs }) => perMs === DAY_MS);
  const used = (await readUse())[nth] ?? 0;
  return { perMinute, perDay, used, left: Math.max(0, perDay - used) };
}
