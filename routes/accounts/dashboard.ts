/** `GET /dashboard`: the page of the signed-in wallet, or the sign-in page. */
import { AUDIT_EVENTS } from "../../services/platform/kv/audit_events_schema.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  PERIOD_DAYS,
  type PlanName,
  PLANS,
  PRODUCT_NAMES,
  type ProductName,
  PRODUCTS,
} from "../../services/payments/plans_schema.ts";
import type { Context } from "hono";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import { formatUsdc } from "../../services/payments/money.ts";
import { answerPage } from "../pages/page.ts";
import { newRouter } from "../http/router.ts";
import { findWallet } from "./session.ts";
import { dashboardPage } from "./dashboard_page.ts";
import { type DashboardSettings, OWN_PAGE, SIGN_IN } from "./wallet_page.ts";
import type { Offer } from "./dashboard_offers.ts";

const OTHERS: Readonly<Record<"premium" | "slug", string>> = {
  premium: "Monthly membership of the wallet’s profile",
  slug: "The name of the wallet’s profile, for good",
};

/** The free plan and the products for sale. */
const OFFERS: readonly Offer[] = [
  {
    product: null,
    kind: "plan",
    label: PLANS.free.label,
    price: formatUsdc(PLANS.free.price),
    includes: describePlan("free"),
  },
  ...PRODUCT_NAMES.map((product) => {
    const { label, price, kind } = PRODUCTS[product];
    const includes = product === "premium" || product === "slug"
      ? OTHERS[product]
      : describePlan(product);
    return { product, kind, label, price: formatUsdc(price), includes };
  }),
];

const PRODUCT_LABELS = Object.fromEntries(
  PRODUCT_NAMES.map((product) => [product, PRODUCTS[product].label]),
) as Record<ProductName, string>;

/** Serves the dashboard, and leads to the follows of its wallet. */
export function dashboard(deps: ProfilesDeps) {
  const { payment, publicUrl } = deps;
  const canPay = payment.treasury !== null;
  return newRouter()
    .get("/", async (c) => {
      const page = dashboardPage({
        settings: await readSettings(deps, c),
        offers: OFFERS,
        canPay,
        url: `${publicUrl}/dashboard`,
      });
      return answerPage(c, page, { headers: OWN_PAGE });
    })
    .get("/follows", async (c) => {
      const wallet = await findWallet(deps, c);
      const path = wallet === null
        ? SIGN_IN
        : `/profiles/${wallet}?list=following#follows`;
      return c.redirect(path, 302);
    });
}

/** Returns what the pages of a signed-in wallet show, or the sign-in form needs. */
export async function readSettings(
  deps: ProfilesDeps,
  c: Context,
): Promise<DashboardSettings> {
  const { chainId } = deps;
  return {
    wallet: await findWallet(deps, c),
    chainId,
    chainName: chainId === C_CHAIN ? "Avalanche C-Chain" : `chain ${chainId}`,
    periodDays: PERIOD_DAYS,
    auditEvents: AUDIT_EVENTS,
    productLabels: PRODUCT_LABELS,
  };
}

function describePlan(plan: PlanName): string {
  const { requests, includes } = PLANS[plan];
  return `${requests.toLocaleString("en")} requests; ${includes.join(", ")}`;
}
