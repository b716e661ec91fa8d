/** The page on which an owner claims and edits a profile; its module fills it in. */
import { html } from "hono/html";
import { SLUG_LENGTH } from "../../services/platform/wire_schema.ts";
import { type DashboardSettings, walletPage } from "../accounts/wallet_page.ts";
import type { Html, Page } from "../pages/layout.ts";
import { dataCard, donationCard, linkCards } from "./own_profile_cards.ts";

const { least, most } = SLUG_LENGTH;

/** Properties of the page. */
interface OwnProfileProps {
  readonly settings: DashboardSettings;
  /** In USDC, such as `25.00`; null if this deployment takes no payments. */
  readonly prices: { readonly slug: string; readonly premium: string } | null;
  /** The contract of USDC. */
  readonly token: string;
  /** False if this deployment links no GitHub accounts. */
  readonly canLinkGitHub: boolean;
  readonly url: string;
}

/** Renders the page. */
export function ownProfilePage(props: OwnProfileProps): Page {
  const { settings, prices, token, canLinkGitHub, url } = props;
  return walletPage({
    title: "Your profile",
    description:
      "Claim the profile of your wallet, choose a name, link accounts, and see what each step does to your score.",
    lede: `A claimed profile has a name, can be followed and can have linked
      accounts. Each step shows your score before and after.`,
    other: { href: "/dashboard", label: "Keys and plan" },
    settings,
    url,
    module: "profiles/own_profile.js",
    content: html`
      <p id="hidden-notice" class="notice notice-warn"
        hidden>The operator hid this profile after a
      report: others see neither its names nor its links. Your score is not affected. Change what
      may mislead, then write to the operator of this service.</p>
      ${scoreCard} ${nameCard(prices?.slug ?? null)} ${linkCards(canLinkGitHub)}
      ${prices === null ? "" : premiumCard(prices.premium)} ${donationCard(
        token,
      )}
      ${dataCard}
    `,
  });
}

const scoreCard = html`
  <section class="card stack stack-small" aria-labelledby="score-title">
    <h2 id="score-title">Your score</h2>
    <p class="stat" role="status"><span id="score" class="stat-value">–</span>
    <span id="score-change" class="muted"></span></p>
    <dl id="dimensions" class="facts small dimension-row"></dl>
    <p
      class="cluster"><a class="button" id="score-link" href="/tools/score">Why this score</a>
    <a class="button" id="public-link" href="/tools/score">Your public page</a></p>
  </section>
`;

const nameCard = (price: string | null): Html =>
  html`
    <section class="card stack" aria-labelledby="claim-title">
      <h2 id="claim-title" tabindex="-1">Name</h2>
      <p id="claim-state" class="muted"></p>
      <form id="claim" class="stack">
        <div class="field"><label for="display-name">Display name</label>
    <input id="display-name" name="displayName" maxlength="40" autocomplete="nickname"></div>
        <div
          class="field"><label for="slug">Name in the address of your page</label>
    <input id="slug" name="slug" maxlength="${most}" autocomplete="off" autocapitalize="none"
    spellcheck="false" aria-describedby="slug-hint"
    pattern="(?=.{${least},${most}}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*"
    title="${least} to ${most} letters a-z, digits and single - between them">
    <span id="slug-hint" class="field-hint">Optional, for example “ada”: ${least} to ${most} of a-z, 0-9 and -.
    A name is free, and yours while you use it.${price === null
      ? ""
      : ` Buying it for ${price} USDC, once, counts in your score for good.`}</span></div>
        <label
          class="check"><input type="checkbox" name="linksPublic">Show the names of my linked accounts</label>
        <div
          class="cluster"><button id="claim-button" class="button-primary">Claim profile</button>${price ===
              null
            ? ""
            : html`
              <button id="buy-slug" name="buy" value="slug">Save and buy the name</button>
            `}</div>
      </form>
      <p id="claim-message" class="message" role="status"></p>
      ${price === null ? "" : checkout}
    </section>
  `;

/** The quote and the payment. The module moves it to the card whose product is bought. */
const checkout = html`
  <div id="checkout" class="stack">
    <p id="order-message" class="message" role="status"></p>
    <div id="quote" class="quote stack" tabindex="-1" role="group"
      aria-labelledby="quote-title" hidden></div>
    <div id="payment" class="quote stack" tabindex="-1" role="group"
      aria-labelledby="payment-title" hidden></div>
  </div>
`;

const premiumCard = (price: string): Html =>
  html`
    <section class="card stack stack-small" aria-labelledby="premium-title">
      <h2 id="premium-title" tabindex="-1">Premium</h2>
      <p id="premium-state"></p>
      <p>Premium costs ${price} USDC for 30 days and does not renew itself. Each month you bought
    counts as spending in the economic part of your score, also after it ends. It changes
    nothing else: not your plan, not your quota.</p>
      <form id="premium" class="cluster cluster-end">
        <div class="field"><label for="months">Duration</label>
          <select id="months" name="periods">${[1, 3, 6, 12].map((months) =>
            html`<option value="${months}">${months * 30} days</option>`
          )}</select></div>
        <button>Show the price</button>
      </form>
      <p id="premium-message" class="message" role="status"></p>
    </section>
  `;
