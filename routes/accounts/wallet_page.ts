/** The frame of the pages of a signed-in wallet: signing in, the account, and the dialog. */
import { html } from "hono/html";
import type { AuditEvent } from "../../services/platform/kv/audit_events_schema.ts";
import type { ProductName } from "../../services/payments/plans_schema.ts";
import type { Html, Page } from "../pages/layout.ts";

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

/** A page of a wallet. */
interface WalletPage extends Pick<Page, "title" | "description"> {
  readonly lede: string;
  /** The wallet's other page. */
  readonly other: { readonly href: string; readonly label: string };
  readonly settings: DashboardSettings;
  readonly url: string;
  /** The module that shows the content. */
  readonly module: string;
  /** What a signed-in wallet sees. */
  readonly content: Html;
  /** What follows the account; the module hides it for a signed-in wallet. */
  readonly signedOut?: Html;
}

/** Renders a page of a wallet. */
export function walletPage(
  {
    title,
    description,
    lede,
    other,
    settings,
    url,
    module,
    content,
    signedOut,
  }: WalletPage,
): Page {
  return {
    title,
    description,
    nav: "dashboard",
    url,
    styles: ["dashboard.css"],
    modules: [module],
    body: html`
      <div id="dashboard" class="stack stack-large"
        data-settings="${JSON.stringify(settings)}">
          <header class="stack stack-small"><h1 id="top" tabindex="-1">${title}</h1>
            <p class="lede">${lede}</p></header>
          <noscript><p class="notice notice-warn">This page needs JavaScript for your wallet and
      your account: please allow it for this page.</p></noscript>
          ${signInSection(settings.wallet !== null)}
          <p id="account-message" class="message" role="status"></p>
          <div id="account" class="stack stack-large" hidden>${accountBar(
            other,
          )}${content}</div>
          ${signedOut ?? ""}
        </div>
      <dialog id="dialog" aria-labelledby="dialog-title"></dialog>
    `,
  };
}

/** Renders the section for signing in, hidden for a signed-in wallet. */
function signInSection(isSignedIn: boolean): Html {
  return html`
    <section id="sign-in" class="card stack sign-in" aria-labelledby="sign-in-title"
      ${isSignedIn
        ? html`
          hidden
        `
        : ""}>
      <h2 id="sign-in-title">Sign in with your wallet</h2>
      <p>Your wallet signs a short message. Signing is free and sends no transaction.</p>
      <div class="wallet-choice stack">
        <ul id="wallets" class="wallets" aria-label="Wallets in this browser"></ul>
        <p id="no-wallet" class="notice small"
          hidden>No wallet was found in this browser.</p>
        <p
          class="wallet-hint small muted">No wallet yet? Install a wallet extension such as Core, Rabby or MetaMask
    and reload the page, or open this page in the browser of your wallet app.</p>
      </div>
      <ul id="phone-wallets" class="wallets" aria-label="Wallet apps"></ul>
      <p id="sign-in-message" class="message" role="status"></p>
    </section>
    <p id="loading" class="muted" role="status"
      ${isSignedIn ? "" : html`
        hidden
      `}>Loading your account…</p>
  `;
}

/** Renders the wallet, a link to its other page, and the button to sign out. */
const accountBar = ({ href, label }: WalletPage["other"]): Html =>
  html`
    <div class="cluster spread account-bar">
      <p>Signed in as <code id="wallet" class="break-anywhere"></code></p>
      <span class="cluster"><a class="button" href="${href}">${label}</a>
        <button type="button" id="sign-out">Sign out</button></span>
    </div>
  `;
