/** The page on which an owner claims and edits a profile; its module fills it in. */
import { formatUsdc, PRODUCTS } from "../../services/payments/plans_schema.ts";
import type { ProfilesDeps } from "../../services/profiles/profiles.ts";
import { readSettings } from "../accounts/dashboard.ts";
import { newRouter } from "../http/router.ts";
import { answerPage } from "../pages/page.ts";
import { html } from "hono/html";
import { SLUG_LENGTH } from "../../services/platform/wire_schema.ts";
import {
  type DashboardSettings,
  OWN_PAGE,
  walletPage,
} from "../accounts/wallet_page.ts";
import type { Html, Page } from "../pages/layout.ts";
import { MIN_DONATION } from "../../services/profiles/profiles_schema.ts";

const { least, most } = SLUG_LENGTH;

/** Longest name that ends in .avax. */
const MAX_NAME = 128;

/** Properties of the page. */
interface OwnProfileProps {
  readonly settings: DashboardSettings;
  /** In USDC, such as `25.00`; null if this deployment takes no payments. */
  readonly prices: { readonly slug: string; readonly premium: string } | null;
  /** Whether names that end in .avax are accepted. */
  readonly names: boolean;
  /** The contract of USDC. */
  readonly token: string;
  /** False if this deployment links no GitHub accounts. */
  readonly canLinkGitHub: boolean;
  readonly url: string;
}

const PRICES = {
  slug: formatUsdc(PRODUCTS.slug.price),
  premium: formatUsdc(PRODUCTS.premium.price),
};

/** Serves the owner's profile: `GET /dashboard/profile`. */
export function ownProfile(deps: ProfilesDeps) {
  const { payment, publicUrl } = deps;
  return newRouter().get("/profile", async (c) => {
    const page = ownProfilePage({
      settings: await readSettings(deps, c),
      prices: payment.treasury === null ? null : PRICES,
      names: deps.upstream.names.length > 0,
      token: payment.token,
      canLinkGitHub: deps.upstream.github !== null,
      url: `${publicUrl}/dashboard/profile`,
    });
    return answerPage(c, page, { headers: OWN_PAGE });
  });
}

/** Renders the page. */
function ownProfilePage(props: OwnProfileProps): Page {
  const { settings, prices, names, token, canLinkGitHub, url } = props;
  return walletPage({
    title: "Your profile",
    description:
      "Claim the profile of your wallet, choose a name, link accounts, and see what each step does to your score.",
    lede: `A claimed profile has a name, can be followed and can have linked
      accounts. Each step shows your score before and after.`,
    section: "profile",
    settings,
    url,
    module: "profiles/own_profile.js",
    content: html`
      <p id="hidden-notice" class="notice notice-warn"
        hidden>The operator hid this profile after a
      report: others see neither its names nor its links. Your score is not affected. Change what
      may mislead, then write to the operator of this service.</p>
      <div class="stack">
        <div class="overview">
          <div class="stack standing">${scoreCard}${humanCard}</div>
          <div class="stack">
            ${nameCard(prices?.slug ?? null)}
            <div class="grid">${gitHubCard(canLinkGitHub)}${domainCard}</div>
          </div>
        </div>
        ${donationCard(token, names)}
        <div class="grid">${prices === null
          ? ""
          : premiumCard(prices.premium)}${dataCard}</div>
      </div>
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
      class="cluster"><a class="button button-small" id="score-link" href="/tools/score">Why this score</a>
    <a class="button button-small" id="public-link" href="/tools/score">Your public page</a></p>
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
      : ` Buying it for ${price} USDC, once, makes it yours for good.`}</span></div>
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
      <p>Premium costs ${price} USDC for 30 days and does not renew itself. It changes
    neither your plan nor your quota, and no tier of the score needs it.</p>
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

const gitHubCard = (canLink: boolean): Html =>
  html`
    <section class="card stack stack-small" aria-labelledby="github-title">
      <h2 id="github-title">GitHub</h2>
      <p id="github-state">${canLink
        ? "You sign in at GitHub and come back here. GitHub tells Firn only your account’s name and age, and how many public repositories and followers it has."
        : "This deployment does not link GitHub accounts."}</p>
      <div
        class="cluster"><button type="button" id="link-github"${canLink
          ? ""
          : html`
            hidden data-off
          `}>Link GitHub</button>
    <button type="button" id="unlink-github" hidden>Unlink GitHub</button></div>
      <p id="github-message" class="message" role="status"></p>
    </section>
  `;

const domainCard = html`
  <section class="card stack stack-small" aria-labelledby="domain-title">
    <h2 id="domain-title">Domain</h2>
    <p
      id="domain-state">You prove that a domain is yours by a TXT record in its DNS.</p>
    <form id="domain-form" class="stack stack-small">
      <div class="field"><label for="domain">Your domain</label>
  <input id="domain" name="domain" required maxlength="253" placeholder="example.com"
  autocapitalize="none" autocomplete="off" spellcheck="false"></div>
      <div class="cluster"><button>Show the record</button></div>
    </form>
    <div id="domain-record" class="stack stack-small" hidden></div>
    <div
      class="cluster"><button type="button" id="unlink-domain" hidden>Unlink the domain</button></div>
    <p id="domain-message" class="message" role="status"></p>
  </section>
`;

const humanCard = html`
  <section class="card stack stack-small" aria-labelledby="human-title">
    <h2 id="human-title">Verified Human</h2>
    <p id="human-state"></p>
    <ul id="human-steps" class="steps"></ul>
  </section>
`;

/** Renders the card for donations in the USDC of a contract. */
const donationCard = (token: string, names: boolean): Html =>
  html`
    <section id="donations" class="card stack" aria-labelledby="donation-title">
      <h2 id="donation-title">Donations</h2>
      <p>Give USDC to the owner of another profile. No tier of the score needs it.
    Given so far, less what you received: <strong id="donated"></strong>.</p>
      <form id="donation-form" class="cluster cluster-end" data-token="${token}"
        data-least="${MIN_DONATION}">
        <div
          class="field grow"><label for="donation-to">To: a profile’s name or address${names
            ? ", or an .avax name"
            : ""}</label>
    <input id="donation-to" name="to" required maxlength="${names
      ? MAX_NAME
      : 42}" autocomplete="off" autocapitalize="none"
    spellcheck="false"></div>
        <div class="field"><label for="donation-usdc">USDC</label>
    <input id="donation-usdc" name="usdc" required inputmode="decimal" size="8" autocomplete="off"
    pattern="(?!0+(\\.0(0[0-9]*)?)?$)[0-9]{1,9}(\\.[0-9]{1,6})?" title="At least 0.01, such as 5 or 2.50"></div>
        <button>Give</button>
      </form>
      <details>
        <summary>Already sent? Record it by its transaction</summary>
        <form id="record-form" class="cluster cluster-end">
          <div class="field grow"><label for="record-to">To</label>
    <input id="record-to" name="to" required maxlength="${names
      ? MAX_NAME
      : 42}" autocomplete="off" autocapitalize="none"
    spellcheck="false"></div>
          <div class="field grow"><label for="record-tx">Transaction hash</label>
    <input id="record-tx" name="txHash" required pattern="0x[0-9a-fA-F]{64}" placeholder="0x…"
    title="0x and 64 hexadecimal digits" autocomplete="off" spellcheck="false"></div>
          <button>Record it</button>
        </form>
      </details>
      <p id="donation-message" class="message" role="status"></p>
    </section>
  `;

/** The card about what Firn stores of the owner. */
const dataCard = html`
  <section class="card stack stack-small" aria-labelledby="data-title">
    <h2 id="data-title">Your data</h2>
    <p>The export is a JSON file with your profile, your followers, whom you follow, and your
  donations.</p>
    <div
      class="cluster"><button type="button" id="export-profile">Export</button>
      <button type="button" id="delete-profile" class="button-danger" hidden>Delete the profile</button></div>
    <p id="data-message" class="message" role="status"></p>
  </section>
`;
