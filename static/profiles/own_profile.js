/** The owner's page: claiming the profile, its name, and what each step does to the score. */
import { call, callFor } from "../dashboard/api.js";
import { settings } from "../dashboard/settings.js";
import { hideQuote, requestQuote } from "../dashboard/billing.js";
import { byId, showUsdc } from "../dashboard/elements.js";
import { resumePayment } from "../dashboard/payment.js";
import { openData, showData } from "./profile_data.js";
import { openDonations } from "./profile_donations.js";
import { openLinks, showLinks } from "./profile_links.js";
import { forgetScore, showScore } from "./profile_score.js";
import {
  isProblem,
  offerReload,
  onClick,
  onSubmit,
  problem,
  reportProblem,
  showMessage,
} from "../dashboard/problems.js";
import { offerWallets } from "../dashboard/sign_in.js";

/** @import { OwnProfile } from "../../services/profiles/profiles_schema.ts" */
/** @import { OwnScore } from "./profile_score.js" */

/**
 * Shared by the parts of the page.
 * @typedef {object} Steps
 * @property {string} wallet
 * @property {() => Promise<string>} refresh reads everything again; returns how the score changed, in words
 */

/** The number of calls of `refresh`, and that of the call whose answers are shown. */
let asked = 0;
let shown = 0;

offerWallets(settings, async (wallet) => {
  await openProfile(wallet);
  byId("top").focus();
});
if (settings.wallet !== null) await openProfile(settings.wallet);

/** @param {string} wallet */
async function openProfile(wallet) {
  callFor(wallet);
  byId("sign-in").hidden = true;
  byId("loading").hidden = false;
  byId("wallet").textContent = wallet;
  byId("score-link", HTMLAnchorElement).href = `/tools/score/${wallet}`;
  /** @type {Steps} */
  const steps = { wallet, refresh };
  onClick(byId("sign-out"), "account-message", async () => {
    await call("DELETE", "/session");
    forgetScore();
    // Reloading clears everything that the page showed.
    location.reload();
  });
  const form = byId("claim", HTMLFormElement);
  onSubmit(form, "claim-message", async (submitter) => {
    if (submitter?.id === "buy-slug") await saveAndBuy(steps, form);
    else await saveProfile(form);
  });
  openPremium(steps);
  openLinks(steps);
  openDonations(steps);
  openData(steps);
  const isRead = await reportProblem("account-message", async () => {
    await refresh();
  });
  // Some browsers put back what the fields held before the page was loaded again.
  form.reset();
  byId("loading").hidden = true;
  byId("account").hidden = !isRead;
  if (!isRead) {
    offerReload("account-message");
    return;
  }
  // The page was empty when the browser looked for the target of its address.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
  await reportProblem("account-message", () => resumePayment(buyer(steps)));
}

/**
 * Reads the score, then the profile: computing the score may have granted the
 * Verified Human number.
 */
async function refresh() {
  const nth = ++asked;
  /** @type {OwnScore} */
  const score = await call("GET", "/score");
  /** @type {OwnProfile} */
  const profile = await call("GET", "/profile");
  // The answers to a later call are shown already.
  if (nth < shown) return "";
  shown = nth;
  showProfile(profile);
  return showScore(score);
}

/** @param {OwnProfile} profile */
function showProfile(profile) {
  const { displayName, slug, linksPublic, claimedAt, paidSlug } = profile;
  const form = byId("claim", HTMLFormElement);
  byId("hidden-notice").hidden = !profile.hidden;
  // The defaults: what the owner types meanwhile stays until it is saved.
  byId("display-name", HTMLInputElement).defaultValue = displayName ?? "";
  const name = byId("slug", HTMLInputElement);
  // The price may be that of the previous name, which others can take.
  const isRenamed = name.defaultValue !== (slug ?? "");
  if (isRenamed && document.getElementById("quote")) hideQuote();
  name.defaultValue = slug ?? "";
  /** @type {HTMLInputElement} */ (form.elements.namedItem("linksPublic"))
    .defaultChecked = linksPublic;
  byId("claim-button").textContent = claimedAt ? "Save" : "Claim profile";
  const state = claimedAt === null
    ? "Nobody has claimed this address. Both names are optional; you can change them later."
    : paidSlug
    ? `You bought the name “${slug}”.`
    : "";
  byId("claim-state").hidden = state === "";
  byId("claim-state").textContent = state;
  byId("public-link", HTMLAnchorElement).href = `/profiles/${
    slug ?? profile.address
  }`;
  const buy = document.getElementById("buy-slug");
  if (buy) {
    buy.hidden = paidSlug;
    buy.textContent = claimedAt
      ? "Save and buy the name"
      : "Claim and buy the name";
  }
  const premium = document.getElementById("premium-state");
  if (premium) {
    const { premiumMonths: months } = profile;
    premium.textContent = months === 0
      ? "You have not bought a month yet."
      : `You have bought ${months} ${
        months === 1 ? "month" : "months"
      } so far.`;
  }
  byId("donated").textContent = showUsdc(profile.donatedUsdc);
  showLinks(profile);
  showData(profile);
}

/** @param {HTMLFormElement} form */
async function saveProfile(form) {
  const fields = new FormData(form);
  const text = (/** @type {string} */ name) =>
    String(fields.get(name) ?? "").trim() || null;
  try {
    await call("PUT", "/profile", {
      displayName: text("displayName"),
      slug: text("slug")?.toLowerCase() ?? null,
      linksPublic: fields.get("linksPublic") !== null,
    });
  } catch (error) {
    if (!isProblem(error)) throw error;
    // The page calls a slug a name. Quoted texts are those of the reader.
    const words = error.message.replaceAll(
      /"[^"]*"|\bslug\b/g,
      (found) => found === "slug" ? "name" : found,
    );
    throw problem(words, error);
  }
  const change = await refresh();
  form.reset();
  showMessage("claim-message", `Your profile is saved. ${change}`, "good");
}

/** Saves the names, and asks for the price of the one in the address. @param {Steps} steps @param {HTMLFormElement} form */
async function saveAndBuy(steps, form) {
  const input = byId("slug", HTMLInputElement);
  if (input.value.trim() === "") {
    showMessage("claim-message", "Enter the name that you want to buy.", "bad");
    input.focus();
    return;
  }
  await saveProfile(form);
  const slug = input.value;
  await buy(steps, byId("claim-title"), { product: "slug", slug });
}

/** @param {Steps} steps */
function openPremium(steps) {
  if (!document.getElementById("premium")) return;
  const form = byId("premium", HTMLFormElement);
  onSubmit(form, "premium-message", async () => {
    const periods = Number(new FormData(form).get("periods"));
    const order = { product: "premium", periods };
    await buy(steps, byId("premium-title"), order);
  });
}

/**
 * Shows the price of a product, and the ways to pay it, in the card of a heading.
 * @param {Steps} steps
 * @param {HTMLElement} heading
 * @param {Readonly<Record<string, unknown>>} order
 */
async function buy(steps, heading, order) {
  heading.parentElement?.append(byId("checkout"));
  await requestQuote(buyer(steps), order);
}

/** @param {Steps} steps */
function buyer({ wallet }) {
  return {
    wallet,
    async refresh() {
      const change = await refresh();
      // It names the score before the purchase.
      showMessage("claim-message", "");
      showMessage("order-message", change, "good");
    },
  };
}
