/** The page on which an owner claims and edits a profile; its module fills it in. */
import { html } from "hono/html";
import { type DashboardSettings, walletPage } from "../accounts/wallet_page.ts";
import type { Html, Page } from "../layout.ts";

/** Properties of the page. */
export interface OwnProfileProps {
  readonly settings: DashboardSettings;
  /** False if this deployment takes no payments. */
  readonly canPay: boolean;
  /** False if this deployment links no GitHub accounts. */
  readonly canLinkGitHub: boolean;
  readonly url: string;
}

/** Renders the page. */
export function ownProfilePage(props: OwnProfileProps): Page {
  const { settings, canPay, canLinkGitHub, url } = props;
  return walletPage({
    title: "Your profile",
    description:
      "Claim the profile of your wallet, choose a name, link accounts, and see what each step does to your score.",
    lede: `A claimed profile can be followed and can have linked accounts. Each
      step shows your score before and after.`,
    other: { href: "/dashboard", label: "Keys and plan" },
    settings,
    url,
    module: "dashboard/profile.js",
    content: html`
      ${scoreCard} ${claimCard(canPay)} ${githubCard(
        canLinkGitHub,
      )} ${domainCard}
      ${canPay ? premiumCard : ""} ${donationCard} ${humanCard}
    `,
  });
}

const scoreCard = html`
  <section class="card stack stack-small" aria-labelledby="score-title">
    <h2 id="score-title">Your score</h2>
    <p class="stat" role="status"><span id="score" class="stat-value">–</span>
    <span id="score-change" class="muted"></span></p>
    <dl id="dimensions" class="facts small"></dl>
    <p><a class="button" id="score-link" href="/tools/score">Why this score</a>
    <a class="button" id="public-link" href="/tools/score">Your public page</a></p>
  </section>
`;

const claimCard = (canPay: boolean): Html =>
  html`
    <section class="card stack" aria-labelledby="claim-title">
      <h2 id="claim-title" tabindex="-1">Name</h2>
      <form id="claim" class="stack">
        <div class="field"><label for="display-name">Display name</label>
    <input id="display-name" name="displayName" maxlength="40" autocomplete="nickname"></div>
        <div
          class="field"><label for="slug">Name in the address of your page</label>
    <input id="slug" name="slug" maxlength="40" autocomplete="off" autocapitalize="none"
    spellcheck="false" aria-describedby="slug-hint">
    <span id="slug-hint" class="field-hint">Optional, for example “ada”. A name is free while you
    use it.${canPay
      ? " A bought name is yours for good and counts in your score."
      : ""}</span></div>
        <label
          class="check"><input type="checkbox" name="linksPublic">Show the names of my linked accounts</label>
        <div
          class="cluster"><button id="claim-button" class="button-primary">Claim profile</button>${canPay
            ? html`
              <a class="button" id="buy-slug" href="/dashboard?product=slug#buy"
                hidden>Buy this name</a>
            `
            : ""}</div>
      </form>
      <p id="claim-message" class="message" role="status"></p>
    </section>
  `;

const githubCard = (canLink: boolean): Html =>
  html`
    <section class="card stack stack-small" aria-labelledby="github-title">
      <h2 id="github-title">GitHub</h2>
      <p id="github-state">${canLink
        ? "You sign in at GitHub, which tells Firn your account’s name and age, and nothing else."
        : "This deployment does not link GitHub accounts."}</p>
      <div
        class="cluster"><button type="button" id="link-github"${canLink
          ? ""
          : html`
            hidden
          `}>Link GitHub</button>
    <button type="button" id="unlink-github" hidden>Unlink GitHub</button></div>
      <p id="github-message" class="message" role="status"></p>
    </section>
  `;

const domainCard = html`
  <section class="card stack" aria-labelledby="domain-title">
    <h2 id="domain-title">Domain</h2>
    <p
      id="domain-state">You prove that a domain is yours by a TXT record in its DNS.</p>
    <form id="domain-form" class="stack">
      <div class="field"><label for="domain">Your domain</label>
  <input id="domain" name="domain" required maxlength="253" placeholder="example.com"
  autocapitalize="none" spellcheck="false"></div>
      <div class="cluster"><button>Show the record</button></div>
    </form>
    <div id="domain-record" class="stack stack-small" hidden></div>
    <div
      class="cluster"><button type="button" id="unlink-domain" hidden>Unlink the domain</button></div>
    <p id="domain-message" class="message" role="status"></p>
  </section>
`;

const premiumCard = html`
  <section class="card stack stack-small" aria-labelledby="premium-title">
    <h2 id="premium-title">Premium</h2>
    <p id="premium-state"></p>
    <p>Membership counts as spend in your score once the profile is claimed.</p>
    <p><a class="button" href="/dashboard?product=premium#buy">Buy premium</a></p>
  </section>
`;

const donationCard = html`
  <section class="card stack" aria-labelledby="donation-title">
    <h2 id="donation-title">Donations</h2>
    <p>Send USDC from this wallet to the wallet of another profile, then record the
  transaction. So far: <strong id="donated"></strong>.</p>
    <form id="donation-form" class="stack">
      <div class="field"><label for="donation-to">To</label>
  <input id="donation-to" name="to" required pattern="0x[0-9a-fA-F]{40}" autocomplete="off" spellcheck="false"></div>
      <div class="field"><label for="donation-tx">Transaction hash</label>
  <input id="donation-tx" name="txHash" required pattern="0x[0-9a-fA-F]{64}" autocomplete="off" spellcheck="false"></div>
      <div class="cluster"><button>Record the donation</button></div>
    </form>
    <p id="donation-message" class="message" role="status"></p>
  </section>
`;

const humanCard = html`
  <section class="card stack stack-small" aria-labelledby="human-title">
    <h2 id="human-title">Verified Human</h2>
    <p id="human-state"></p>
  </section>
`;
