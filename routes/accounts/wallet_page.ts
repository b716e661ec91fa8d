/** The frame of the pages of a signed-in wallet: who it is, the sections, signing in, and the dialog. */
import { html } from "hono/html";
import type { AuditEvent } from "../../services/platform/kv/audit_events_schema.ts";
import type { ProductName } from "../../services/payments/plans_schema.ts";
import { face } from "../pages/face.ts";
import type { Html, Page } from "../pages/layout.ts";

/** No cache keeps a page that shows the session's wallet. */
export const OWN_PAGE = { "Cache-Control": "private, no-store" };

/** Where a visitor who is not signed in is led from such a page. */
export const SIGN_IN = "/dashboard";

/** The sections of an account. Some are parts of one page. */
const SECTIONS = {
  overview: { href: "/dashboard#overview", label: "Account" },
  keys: { href: "/dashboard#keys-section", label: "Keys" },
  payments: { href: "/dashboard#billing", label: "Plan and payments" },
  calls: { href: "/dashboard/calls", label: "Calls" },
  profile: { href: "/dashboard/profile", label: "Profile" },
  follows: { href: "/dashboard/follows", label: "Follows" },
  audit: { href: "/dashboard#audit-title", label: "Audit trail" },
} as const;
type Section = keyof typeof SECTIONS;

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
  readonly section: Section;
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
    section,
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
            settings.wallet,
            section,
            html`<button type="button" id="sign-out">Sign out</button>`,
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
        <ul id="wallets" class="grid wallets"
          aria-label="Wallets in this browser"></ul>
        <p id="no-wallet" class="notice small"
          hidden>No wallet was found in this browser.</p>
        <p
          class="wallet-hint small muted">No wallet yet? Install a wallet extension such as Core, Rabby or MetaMask
    and reload the page, or open this page in the browser of your wallet app.</p>
      </div>
      <ul id="phone-wallets" class="grid wallets" aria-label="Wallet apps"></ul>
      <p id="sign-in-message" class="message" role="status"></p>
    </section>
    <p id="loading" class="muted" role="status"
      ${isSignedIn ? "" : html`
        hidden
      `}>Loading your account…</p>
  `;
}

/** A page that is made for the wallet of the session, without a script. */
interface OwnedPage extends Pick<Page, "modules" | "title"> {
  readonly lede: Html | string;
  /** Lower-case. */
  readonly wallet: string;
  readonly section: Section;
  readonly content: Html;
}

/** Renders a page that only its wallet sees. */
export function ownedPage(
  { title, lede, wallet, section, modules = [], content }: OwnedPage,
): Page {
  return {
    title,
    description: `${title} of the signed-in wallet.`,
    nav: "dashboard",
    isIndexed: false,
    styles: ["dashboard.css"],
    modules,
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small"><h1>${title}</h1>
          <p class="lede">${lede}</p></header>
        ${accountBar(wallet, section)} ${content}
      </div>
    `,
  };
}

/** Renders who is signed in, and the sections of the account. It stays in sight. */
function accountBar(
  wallet: string | null,
  current: Section,
  signOut: Html | "" = "",
): Html {
  return html`
    <div class="account-bar">
      <p
        class="account-who">${wallet === null
          ? ""
          : face(wallet, 28)}<span class="small muted">Signed in as</span>
        <code id="wallet">${wallet ?? ""}</code>${signOut}</p>
      <nav class="account-nav" aria-label="Your account">${Object.entries(
        SECTIONS,
      ).map(([name, { href, label }]) =>
        name === current
          ? html`<a href="${href}" aria-current="page">${label}</a>`
          : html`<a href="${href}">${label}</a>`
      )}</nav>
    </div>
  `;
}
