/** The products that can be bought with USDC, and their prices. */
import { type PlanName, PLANS } from "./plans_schema.ts";

/** The native USDC contract on the C-Chain (not the bridged USDC.e). */
export const USDC = "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e";

/** Base units of one USDC: 6 decimals. */
export const USDC_UNITS = 1_000_000n;

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
