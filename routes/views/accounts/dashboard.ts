/** The dashboard page: its modules fill in keys, plan, usage and payments. */
import { html } from "hono/html";
import type { AuditEvent } from "../../../services/platform/kv/audit_events_schema.ts";
import type { ProductName } from "../../../services/payments/products_schema.ts";
import { buySection, type Offer, plansSection } from "./dashboard_offers.ts";
import type { Html, Page } from "../layout.ts";

/** Settings of the page's modules, as JSON in `data-settings`. */
export interface DashboardSettings {
  /** The signed-in wallet, lower-case; null when signed out. */
  readonly wallet: string | null;
  readonly chainId: number;
  readonly chainName: string;
  /** Days of one paid period. */
  readonly periodDays: number;
  readonly auditEvents: Readonly<Record<AuditEvent, string>>;
  readonly productLabels: Readonly<Record<ProductName, string>>;
}

/** Properties of the page. */
export interface DashboardProps {
  readonly settings: DashboardSettings;
  readonly offers: readonly Offer[];
  /** False if this deployment takes no payments. */
  readonly canPay: boolean;
  readonly url: string;
}

/** Renders the dashboard. The static parts are readable without scripts. */
export function dashboardPage(props: DashboardProps): Page {
  const { settings, offers, canPay, url } = props;
  return {
    title: "Dashboard",
    description:
      "Your API keys, usage and plan. Sign in with your wallet and pay in USDC.",
    nav: "dashboard",
    url,
    styles: ["dashboard.css"],
    modules: ["dashboard/main.js"],
    body: html`
      <div id="dashboard" class="stack stack-large"
        data-settings="${JSON.stringify(settings)}">
            <header class="stack stack-small"><h1 id="top" tabindex="-1">Dashboard</h1>
            <p class="lede">Your API keys, usage and plan. You confirm every change with a
            signature, and only payments that you send are charged.</p></header>
            ${signInSection(settings.wallet !== null)}
            <p id="account-message" class="message" role="status"></p>
      <div id="account" class="stack stack-large" hidden>
            ${accountBar("/dashboard/profile", "Profile")}
            <div class="overview">${planSection(canPay)}${usageSection}</div>
            ${keysSection}
            ${canPay ? buySection(offers) : ""}
            ${paymentsSection}
            ${auditSection}
            </div>
            ${plansSection(offers, { isHidden: settings.wallet !== null })}
            </div>
      <dialog id="dialog" aria-labelledby="dialog-title"></dialog>
    `,
  };
}

/** Renders the section for signing in, hidden for a signed-in wallet. */
export function signInSection(isSignedIn: boolean): Html {
  return html`
    <section id="sign-in" class="card stack sign-in" aria-labelledby="sign-in-title"
      ${isSignedIn
        ? html`
          hidden
        `
        : ""}>
      <h2 id="sign-in-title">Sign in with your wallet</h2>
      <p>Your wallet signs a short message. Signing is free and sends no transaction.</p>
      <noscript><p class="notice notice-warn">Signing in needs JavaScript:
    please allow it for this page.</p></noscript>
      <ul id="wallets" class="wallets" aria-label="Wallets in this browser"></ul>
      <p id="no-wallet" class="notice"
        hidden>No wallet was found in this browser. Install
    a wallet extension such as Core, Rabby or MetaMask, or open this page in the browser
    of your wallet app. Then reload the page.</p>
      <p id="sign-in-message" class="message" role="status"></p>
    </section>
    <p id="loading" class="muted" role="status"
      ${isSignedIn ? "" : html`
        hidden
      `}>Loading your account…</p>
  `;
}

/** Renders the wallet, a link to its other page, and the button to sign out. */
export const accountBar = (href: string, label: string): Html =>
  html`
    <div class="cluster spread account-bar">
      <p>Signed in as <code id="wallet" class="break-anywhere"></code></p>
      <span class="cluster"><a class="button" href="${href}">${label}</a>
        <button type="button" id="sign-out">Sign out</button></span>
    </div>
  `;

const planSection = (canPay: boolean): Html =>
  html`
    <section class="card stack" aria-labelledby="plan-title">
        <h2 id="plan-title">Plan</h2>
        <p class="stat"><span id="plan-name" class="stat-value"></span>
      <span id="plan-until" class="muted"></span></p>
        <div
          class="stack stack-small"><meter id="used" min="0" aria-labelledby="used-text"></meter>
      <p id="used-text" class="small muted"></p></div>
        <dl id="plan-facts" class="facts small"></dl>
    ${canPay
      ? html`<p><a class="button" href="#buy">Buy or extend</a></p>`
      : ""}
      </section>
  `;

const usageSection = html`
  <section class="card stack usage" aria-labelledby="usage-title">
    <h2 id="usage-title">Requests in the last 30 days</h2>
    <div id="usage-chart"></div>
    <details>
      <summary>Show as a table</summary>
      <div class="table-scroll" tabindex="0" role="region"
        aria-label="Requests by day">
        <table id="usage-table"></table>
      </div>
    </details>
  </section>
`;

const keysSection = html`
  <section class="card stack" aria-labelledby="keys-title">
    <h2 id="keys-title" tabindex="-1">API keys</h2>
    <p
      class="muted">Send a key in the <code>X-Api-Key</code> header from your server.
  Keep it out of web pages and apps: anyone who has the key can use up your quota.</p>
    <div id="new-key" class="notice notice-good stack" tabindex="-1" role="group"
      aria-label="New key" hidden></div>
    <ul id="keys" class="keys" aria-labelledby="keys-title"></ul>
    <p id="no-keys" class="muted" hidden>You have no keys yet.</p>
    <form id="create-key" class="create-key">
      <div class="field"><label for="key-name">Name of a new key</label>
  <input id="key-name" name="keyName" required maxlength="40" autocomplete="off"
  pattern="(?! )[A-Za-z0-9 ._\\-\\(\\)#:\\/+@]{1,40}" aria-describedby="key-name-hint">
  <span id="key-name-hint" class="field-hint">For example “Production server”: letters, digits,
  spaces and . _ - ( ) # : / + @</span></div>
      <fieldset><legend class="label">Kind</legend><div class="segments">
  <label><input type="radio" name="kind" value="live" checked>Live</label>
  <label><input type="radio" name="kind" value="test">Test</label></div>
  <span class="field-hint">Test keys return fixed example scores and are free.</span></fieldset>
      <details id="key-limits" class="key-limits">
        <summary>Limits of the new key</summary>
        <div id="new-limits"></div>
      </details>
      <button class="button-primary">Create key</button>
    </form>
    <p id="keys-message" class="message" role="status"></p>
  </section>
`;

const paymentsSection = html`
  <section class="card stack" aria-labelledby="payments-title">
    <h2 id="payments-title">Payments</h2>
    <p id="no-payments" class="muted" hidden>You have no payments yet.</p>
    <div id="payments-scroll" class="table-scroll" tabindex="0" role="region"
      aria-labelledby="payments-title">
      <table id="payments"></table>
    </div>
  </section>
`;

const auditSection = html`
  <section class="card stack" aria-labelledby="audit-title">
    <h2 id="audit-title">Audit trail</h2>
    <p
      class="muted">Recent activity of this wallet, newest first. If you contact us about an
  entry, include its request id.</p>
    <div class="table-scroll" tabindex="0" role="region"
      aria-labelledby="audit-title">
      <table id="audit"></table>
    </div>
  </section>
`;
