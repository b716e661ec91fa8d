/** The cards of an owner's page about linked accounts, the Verified Human number, donations and the stored data. */
import { html } from "hono/html";
import { MIN_DONATION } from "../../services/profiles/profiles_schema.ts";
import type { Html } from "../pages/layout.ts";

/** Renders the cards of GitHub, of a domain, and of the number that rests on them. */
export const linkCards = (canLinkGitHub: boolean): Html =>
  html`
    <div class="grid">${gitHubCard(canLinkGitHub)}${domainCard}</div>
    ${humanCard}
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
export const donationCard = (token: string): Html =>
  html`
    <section id="donations" class="card stack" aria-labelledby="donation-title">
      <h2 id="donation-title">Donations</h2>
      <p>Give USDC to the owner of another profile. What you give counts in your score, less what
    you receive. So far: <strong id="donated"></strong>.</p>
      <form id="donation-form" class="cluster cluster-end" data-token="${token}"
        data-least="${MIN_DONATION}">
        <div
          class="field grow"><label for="donation-to">To: a profile’s name or address</label>
    <input id="donation-to" name="to" required maxlength="42" autocomplete="off" autocapitalize="none"
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
    <input id="record-to" name="to" required maxlength="42" autocomplete="off" autocapitalize="none"
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
export const dataCard = html`
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
