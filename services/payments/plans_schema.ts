/** The plans: their prices, quotas, burst limits and endpoints; and amounts of USDC as text. */
import { MINUTE_MS } from "../platform/days.ts";

/** Days of one paid period, and of the rolling quota window. */
export const PERIOD_DAYS = 30;

/** A plan for sale. */
interface PlanRule {
  readonly label: string;
  /** Quota: units in any 30 days. Each address of a batch is one unit. */
  readonly requests: number;
  /** Price of 30 days in base units of USDC (6 decimals). */
  readonly price: bigint;
  /** Features added to those of the lower plans. */
  readonly includes: readonly string[];
  /** Cold reads: the turns of a wallet compared with those of others, and its most of a day's calls. */
  readonly turns: { readonly weight: number; readonly cap: number };
}

/** The plans, lowest first. Each includes the features of the lower ones. */
export const PLANS = {
  free: {
    label: "Free",
    requests: 2_500,
    price: 0n,
    includes: ["single-address scoring"],
    turns: { weight: 1, cap: 1 / 20 },
  },
  builder: {
    label: "Builder",
    requests: 25_000,
    price: 49_000_000n,
    includes: ["batch screening", "90-day history"],
    turns: { weight: 4, cap: 1 / 4 },
  },
  growth: {
    label: "Growth",
    requests: 250_000,
    price: 249_000_000n,
    includes: ["signed attestations"],
    turns: { weight: 16, cap: 1 / 2 },
  },
  scale: {
    label: "Scale",
    requests: 1_500_000,
    price: 999_000_000n,
    includes: ["everything, at volume"],
    turns: { weight: 16, cap: 3 / 4 },
  },
} as const satisfies Record<string, PlanRule>;

/** The name of a plan. */
export type PlanName = keyof typeof PLANS;
/** The names of the plans, lowest first. */
export const PLAN_NAMES = Object.keys(PLANS) as PlanName[];

/** Compares plans by rank, for sorting: negative where `a` is the lower plan. */
export function comparePlans(a: PlanName, b: PlanName): number {
  return PLAN_NAMES.indexOf(a) - PLAN_NAMES.indexOf(b);
}

/** A burst limit: at most `requests` per key in any `perMs` milliseconds. */
export interface BurstLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** The burst limits of a key. Each counts its own kind of request. */
export const BURSTS = {
  single: { requests: 60, perMs: MINUTE_MS },
  batch: { requests: 10, perMs: MINUTE_MS },
} as const satisfies Record<string, BurstLimit>;

/** The name of a burst limit. */
export type BurstName = keyof typeof BURSTS;
/** The names of the burst limits. */
export const BURST_NAMES = Object.keys(BURSTS) as BurstName[];

/** The rules of a metered endpoint. */
interface MeteredRule {
  /** The lowest plan that includes the endpoint. */
  readonly plan: PlanName;
  readonly burst: BurstName;
}

/** The endpoints that cost units, by the names that usage is counted under. */
export const METERED = {
  score: { plan: "free", burst: "single" },
  batch: { plan: "builder", burst: "batch" },
  history: { plan: "builder", burst: "single" },
  signed: { plan: "growth", burst: "single" },
} as const satisfies Record<string, MeteredRule>;

/** The name of a metered endpoint. */
export type Metered = keyof typeof METERED;
/** The names of the metered endpoints. */
export const METERED_NAMES = Object.keys(METERED) as Metered[];

/** The native USDC contract on the C-Chain (not the bridged USDC.e). */
export const USDC = "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e";

/** Base units of one USDC: 6 decimals. */
const USDC_UNITS = 1_000_000n;

/** Maximum number of 30-day periods in one purchase. */
export const MAX_PERIODS = 12;

/** A product. */
export interface ProductRule {
  readonly label: string;
  /** Price of one period, or of the profile name, in base units of USDC. */
  readonly price: bigint;
  /** What is bought: time on a plan, months of membership, or a profile name. */
  readonly kind: "plan" | "premium" | "slug";
}

/** The name of a paid plan. */
type PaidPlanName = Exclude<PlanName, "free">;

const plan = (name: PaidPlanName): ProductRule => ({
  label: PLANS[name].label,
  price: PLANS[name].price,
  kind: "plan",
});

/** The products. */
export const PRODUCTS = {
  builder: plan("builder"),
  growth: plan("growth"),
  scale: plan("scale"),
  premium: { label: "Premium", price: 9_000_000n, kind: "premium" },
  slug: { label: "Profile name", price: 25_000_000n, kind: "slug" },
} as const satisfies
  & Record<PaidPlanName, ProductRule>
  & Record<string, ProductRule>;

/** The name of a product. */
export type ProductName = keyof typeof PRODUCTS;
/** The names of the products. */
export const PRODUCT_NAMES = Object.keys(PRODUCTS) as ProductName[];

/** Formats base units as USDC with two decimals, or six if the last four are not zero. */
export function formatUsdc(amount: bigint): string {
  const decimals = String(amount % USDC_UNITS).padStart(6, "0");
  const shown = decimals.endsWith("0000") ? decimals.slice(0, 2) : decimals;
  return `${amount / USDC_UNITS}.${shown}`;
}
