/** `GET /dashboard`: the page of the signed-in wallet, or the sign-in page. */
import { AUDIT_EVENTS } from "../../services/platform/kv/audit_events_schema.ts";
import { C_CHAIN } from "../../services/chain_data/metrics_schema.ts";
import {
  PERIOD_DAYS,
  type PlanName,
  PLANS,
} from "../../services/payments/plans_schema.ts";
import {
  PRODUCT_NAMES,
  type ProductName,
  PRODUCTS,
} from "../../services/payments/products_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { formatUsdc } from "../../services/payments/money.ts";
import { findSession } from "../../services/accounts/sessions.ts";
import { answerPage } from "../http/page.ts";
import { newRouter } from "../http/router.ts";
import { readSessionToken } from "../middleware/session.ts";
import { dashboardPage } from "../views/accounts/dashboard.ts";
import type { Offer } from "../views/accounts/dashboard_offers.ts";

const OTHERS: Readonly<Record<"premium" | "slug", string>> = {
  premium: "Monthly membership; it raises the wallet's own score",
  slug: "A permanent name for the wallet's profile",
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

/** Serves the dashboard. No cache keeps it, because it shows the session's wallet. */
export function dashboard(deps: AccountsDeps) {
  const { chainId, payment, publicUrl } = deps;
  return newRouter().get("/", async (c) => {
    const token = readSessionToken(deps, c);
    const wallet = token === undefined ? null : await findSession(deps, token);
    const page = dashboardPage({
      settings: {
        wallet,
        chainId,
        chainName: chainId === C_CHAIN
          ? "Avalanche C-Chain"
          : `chain ${chainId}`,
        periodDays: PERIOD_DAYS,
        auditEvents: AUDIT_EVENTS,
        productLabels: PRODUCT_LABELS,
      },
      offers: OFFERS,
      canPay: payment.treasury !== null,
      url: `${publicUrl}/dashboard`,
    });
    const headers = { "Cache-Control": "private, no-store" };
    return answerPage(c, page, { headers });
  });
}

function describePlan(plan: PlanName): string {
  const { requests, includes } = PLANS[plan];
  return `${requests.toLocaleString("en")} requests; ${includes.join(", ")}`;
}
