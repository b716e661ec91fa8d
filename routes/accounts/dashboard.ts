/**
 * `GET /dashboard`: the sign-in page, or the page of the signed-in wallet, whose modules
 * fill in keys, plan, usage and payments.
 */
import { html } from "hono/html";
import { buySection, type Offer, plansSection } from "./dashboard_offers.ts";
import type { Html, Page } from "../pages/layout.ts";
import {
  type DashboardSettings,
  OWN_PAGE,
  SIGN_IN,
  walletPage,
} from "./wallet_page.ts";
import { AUDIT_EVENTS } from "../../services/platform/kv/audit_events_schema.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  formatUsdc,
  PERIOD_DAYS,
  type PlanName,
  PLANS,
  PRODUCT_NAMES,
  type ProductName,
  PRODUCTS,
} from "../../services/payments/plans_schema.ts";
import type { Context } from "hono";
import type { ProfilesDeps } from "../../services/profiles/profiles.ts";
import { answerPage } from "../pages/page.ts";
import { newRouter } from "../http/router.ts";
import { findWallet } from "./session.ts";

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

/** Properties of the page. */
interface DashboardProps {
  readonly settings: DashboardSettings;
  readonly offers: readonly Offer[];
  /** False if this deployment takes no payments. */
  readonly canPay: boolean;
  readonly url: string;
}

/** Renders the dashboard. The static parts are readable without scripts. */
function dashboardPage(props: DashboardProps): Page {
  const { settings, offers, canPay, url } = props;
  return walletPage({
    title: "Dashboard",
    description:
      "Your API keys, usage and plan. Sign in with your wallet and pay in USDC.",
    lede: `Your API keys, usage and plan. You confirm every change with a
      signature, and only payments that you send are charged.`,
    section: "overview",
    settings,
    url,
    module: "dashboard/main.js",
    content: html`
      <div id="notices" class="stack stack-small" role="status"></div>
      <div id="overview" class="overview">${planSection(
        canPay,
      )}${usageSection}</div>
      ${keysSection} ${signedSection}
      <div id="billing" class="stack stack-large">${canPay
        ? buySection(offers)
        : ""}${paymentsSection}</div>
      ${callsSection} ${auditSection}
    `,
    signedOut: plansSection(offers, { isHidden: settings.wallet !== null }),
  });
}

const planSection = (canPay: boolean): Html =>
  html`
    <section class="card stack" aria-labelledby="plan-title">
        <h2 id="plan-title">Plan</h2>
        <p class="stat"><span id="plan-name" class="stat-value"></span>
      <span id="plan-until" class="muted"></span></p>
        <div
          class="stack stack-small"><meter id="used" min="0" value="0" aria-labelledby="used-text"></meter>
      <p id="used-text" class="small muted"></p></div>
        <dl id="plan-facts" class="facts small"></dl>
    ${canPay
      ? html`<p><a class="button" href="#buy">Buy or extend</a></p>`
      : ""}
      </section>
  `;

const usageSection = html`
  <section class="card stack usage" aria-labelledby="usage-title">
    <h2 id="usage-title">Units in the last 30 days</h2>
    <div id="usage-chart"></div>
    <details>
      <summary>Show as a table</summary>
      <div class="table-scroll" tabindex="0" role="region"
        aria-label="Units by day">
        <table id="usage-table"></table>
      </div>
    </details>
    <details id="key-days" hidden>
      <summary>Units by key and day</summary>
      <p
        class="muted">Units of scores that the session has signed belong to no key.</p>
      <div class="table-scroll" tabindex="0" role="region"
        aria-label="Units by key and day">
        <table id="key-days-table"></table>
      </div>
    </details>
  </section>
`;

const keysSection = html`
  <section id="keys-section" class="card stack" aria-labelledby="keys-title">
    <h2 id="keys-title" tabindex="-1">API keys</h2>
    <p
      class="muted">Send a key in the <code>X-Api-Key</code> header from your server.
  Keep it out of web pages and apps: anyone who has the key can use up your quota.</p>
    <div id="new-key" class="notice notice-good stack" tabindex="-1" role="group"
      aria-label="New key" hidden></div>
    <ul id="keys" class="stack stack-small" aria-labelledby="keys-title"></ul>
    <p id="no-keys" class="muted" hidden>You have no keys yet.</p>
    <p id="full-keys" class="muted"
      hidden>These are all the keys that a wallet can have. Revoke one
  to create another.</p>
    <form id="create-key" class="cluster create-key">
      <div class="field grow"><label for="key-name">Name of a new key</label>
  <input id="key-name" name="keyName" required maxlength="40" autocomplete="off"
  pattern="(?! )[A-Za-z0-9 ._\\-\\(\\)#:\\/+@]{1,40}" aria-describedby="key-name-hint"
  title="1 to 40 letters, digits, spaces and . _ - ( ) # : / + @, without a space at the start">
  <span id="key-name-hint" class="field-hint">For example “Production server”: letters, digits,
  spaces and . _ - ( ) # : / + @</span></div>
      <fieldset><legend class="label">Kind</legend><div class="segments">
  <label><input type="radio" name="kind" value="live" checked>Live</label>
  <label><input type="radio" name="kind" value="test">Test</label></div>
  <span class="field-hint">Test keys return fixed example scores and are free.</span></fieldset>
      <details id="key-limits" class="key-limits">
        <summary>Limits of the new key</summary>
        <div id="new-limits" class="grid"></div>
      </details>
      <button class="button-primary">Create key</button>
    </form>
    <p id="keys-message" class="message" role="status"></p>
  </section>
`;

const signedSection = html`
  <section class="card stack stack-small" aria-labelledby="signed-title">
    <h2 id="signed-title">Signed score</h2>
    <p
      class="muted">Your score as a statement that a contract or a page can verify without asking
  Firn (EIP-712). Your plan pays one unit, from Growth on; no key is needed.</p>
    <div
      class="cluster"><button type="button" id="sign-score">Sign my score</button>
  <a href="/tools/verify-attestation">Verify a signed score</a></div>
    <p id="signed-message" class="message" role="status"></p>
    <div id="signed-score" class="code-block" hidden></div>
  </section>
`;

const callsSection = html`
  <section class="card stack">
    <h2 id="calls-title">Last calls</h2>
    <p
      class="muted">Scored addresses and callers are not stored. A call can appear some minutes late,
  and after an outage calls can be missing here. The count of units is always complete.</p>
    <p><a class="button" href="/dashboard/calls">All calls, by key, route, status and day</a></p>
    <p id="no-calls" class="muted" hidden>No calls yet.</p>
    <div id="calls-scroll" class="table-scroll is-cards" tabindex="0"
      role="region"
      aria-labelledby="calls-title">
      <table id="calls"></table>
    </div>
  </section>
`;

const paymentsSection = html`
  <section class="card stack">
    <h2 id="payments-title">Payments</h2>
    <p id="no-payments" class="muted" hidden>You have no payments yet.</p>
    <div id="payments-scroll" class="table-scroll is-cards" tabindex="0"
      role="region"
      aria-labelledby="payments-title">
      <table id="payments"></table>
    </div>
  </section>
`;

const auditSection = html`
  <section class="card stack">
    <h2 id="audit-title">Audit trail</h2>
    <p
      class="muted">Recent activity of this wallet, newest first. If you contact us about an
  entry, include its request id.</p>
    <div class="table-scroll is-cards" tabindex="0" role="region"
      aria-labelledby="audit-title">
      <table id="audit"></table>
    </div>
  </section>
`;
