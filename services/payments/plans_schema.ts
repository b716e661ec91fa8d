/** What is sold, and how much and how fast it may be used. */

/** Days that a plan is paid for, and over which its requests are counted. */
export const PERIOD_DAYS = 30;

/** A plan as it is sold. */
export interface PlanRule {
  readonly label: string;
  /** Requests in any 30 days; an address of a batch is one. */
  readonly requests: number;
  /** Price of 30 days in base units of USDC: 1,000,000 are one dollar. */
  readonly price: bigint;
  /** What it adds to the plans before it. */
  readonly includes: readonly string[];
}

/** The plans, lowest first: each includes what those before it include. */
export const PLANS = {
  free: {
    label: "Free",
    requests: 2_500,
    price: 0n,
    includes: ["single-address scoring"],
  },
  builder: {
    label: "Builder",
    requests: 25_000,
    price: 49_000_000n,
    includes: ["batch screening", "90-day history"],
  },
  growth: {
    label: "Growth",
    requests: 250_000,
    price: 249_000_000n,
    includes: ["signed attestations"],
  },
  scale: {
    label: "Scale",
    requests: 1_500_000,
    price: 999_000_000n,
    includes: ["everything, at volume"],
  },
} as const satisfies Record<string, PlanRule>;

/** The name of a plan. */
export type PlanName = keyof typeof PLANS;
/** The names of the plans, lowest first. */
export const PLAN_NAMES = Object.keys(PLANS) as PlanName[];

/** Compares plans by what they include: below 0 where the first includes less. */
export function comparePlans(a: PlanName, b: PlanName): number {
  return PLAN_NAMES.indexOf(a) - PLAN_NAMES.indexOf(b);
}

/** At most `requests` of one key in any `perMs` milliseconds. */
export interface BurstLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** The bursts of a key: each kind of request is counted by itself. */
export const BURSTS = {
  single: { requests: 60, perMs: 60_000 },
  batch: { requests: 10, perMs: 60_000 },
} as const satisfies Record<string, BurstLimit>;

/** The name of a burst. */
export type BurstName = keyof typeof BURSTS;
/** The names of the bursts. */
export const BURST_NAMES = Object.keys(BURSTS) as BurstName[];

/** An endpoint that costs units. */
export interface MeteredRule {
  /** The lowest plan that includes it. */
  readonly plan: PlanName;
  readonly burst: BurstName;
}

/** The endpoints that cost units; usage is counted under these names. */
export const METERED = {
  score: { plan: "free", burst: "single" },
  batch: { plan: "builder", burst: "batch" },
  history: { plan: "builder", burst: "single" },
  signed: { plan: "growth", burst: "single" },
} as const satisfies Record<string, MeteredRule>;

/** An endpoint that costs units. */
export type Metered = keyof typeof METERED;
/** The endpoints that cost units. */
export const METERED_NAMES = Object.keys(METERED) as Metered[];
