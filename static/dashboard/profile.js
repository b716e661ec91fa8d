/** The owner's profile: claiming it, its names and links, and what each step does to the score. */
import { call } from "./api.js";
import { byId, listFacts, make, timeOf } from "./elements.js";
import { attempt, reportProblem, showMessage } from "./problems.js";
import { settings } from "./settings.js";
import { offerWallets } from "./sign_in.js";

/** @import { DomainAnswer, OwnProfile } from "../../services/profiles/profiles_schema.ts" */

/** @typedef {Readonly<Record<"humanity" | "activity" | "social" | "economic", number>>} Dimensions */
/** @typedef {{ address: string, score: number | null, tierLabel: string | null, dimensions: Dimensions | null }} OwnScore */
/** @import { Fact } from "./elements.js" */

/** Kinds that a Verified Human number needs. */
const KINDS_NEEDED = 2;

const DIMENSIONS = /** @type {const} */ ([
  "humanity",
  "activity",
  "social",
  "economic",
]);

/** What the sections about links say of accounts that are not linked. */
const HINTS = new Map(
  ["github", "domain"].map((kind) => [kind, byId(`${kind}-state`).textContent]),
);

/** @type {OwnScore | null} */
let before = null;

offerWallets(settings, async (wallet) => {
  await openProfile(wallet);
  byId("top").focus();
});
if (settings.wallet !== null) await openProfile(settings.wallet);

/** @param {string} wallet */
async function openProfile(wallet) {
  byId("sign-in").hidden = true;
  byId("loading").hidden = false;
  byId("wallet").textContent = wallet;
  byId("score-link", HTMLAnchorElement).href = `/tools/score/${wallet}`;
  onClick("sign-out", "account-message", async () => {
    await call("DELETE", "/session");
    // Reloading clears everything that the page showed.
    location.reload();
  });
  onSubmit("claim", "claim-message", saveProfile);
  onClick("link-github", "github-message", async () => {
    const { url } = await call("POST", "/socials/github");
    location.assign(url);
  });
  for (const kind of ["github", "domain"]) {
    onClick(`unlink-${kind}`, `${kind}-message`, async () => {
      await call("DELETE", `/socials/${kind}`);
      await refresh();
    });
  }
  onSubmit("domain-form", "domain-message", showRecord);
  onSubmit("donation-form", "donation-message", recordDonation);
  const isRead = await reportProblem("account-message", refresh);
  byId("loading").hidden = true;
  byId("account").hidden = !isRead;
}

/** Reads the profile and the score again, and shows both. */
async function refresh() {
  /** @type {[OwnProfile, OwnScore]} */
  const [profile, score] = await Promise.all([
    call("GET", "/profile"),
    call("GET", "/score"),
  ]);
  showScore(score);
  showProfile(profile);
}

/** @param {OwnScore} now */
function showScore(now) {
  const words = (/** @type {OwnScore} */ { score, tierLabel }) =>
    score === null ? "no score yet" : `${score}, ${tierLabel}`;
  byId("score").textContent = words(now);
  if (before !== null) {
    byId("score-change").textContent = before.score === now.score
      ? `unchanged by the last step (${words(before)})`
      : `before the last step: ${words(before)}`;
  }
  byId("dimensions").replaceChildren(
    ...listFacts(factsOf(now.dimensions, before?.dimensions ?? null)),
  );
  before = now;
}

/**
 * Lists the dimensions, each with its value before the last step if it differs.
 * @param {Dimensions | null} now
 * @param {Dimensions | null} before
 */
function factsOf(now, before) {
  return DIMENSIONS.map((name) => {
    const [value, old] = [now?.[name], before?.[name]];
    const label = name[0]?.toUpperCase() + name.slice(1);
    const change = old === undefined || old === value ? "" : ` (before ${old})`;
    return /** @type {Fact} */ ([label, `${value ?? "–"}${change}`]);
  });
}

/** @param {OwnProfile} profile */
function showProfile(profile) {
  const { displayName, slug, linksPublic, claimedAt, paidSlug } = profile;
  const form = byId("claim", HTMLFormElement);
  setValue("display-name", displayName ?? "");
  setValue("slug", slug ?? "");
  /** @type {HTMLInputElement} */ (form.elements.namedItem("linksPublic"))
    .checked = linksPublic;
  byId("claim-button").textContent = claimedAt ? "Save" : "Claim profile";
  byId("public-link", HTMLAnchorElement).href = `/profiles/${
    slug ?? profile.address
  }`;
  const buy = document.getElementById("buy-slug");
  if (buy instanceof HTMLAnchorElement) {
    buy.hidden = slug === null || paidSlug;
    buy.href = `/dashboard?product=slug&slug=${slug}#buy`;
  }
  const premium = document.getElementById("premium-state");
  if (premium) {
    premium.textContent = `${profile.premiumMonths} months bought so far.`;
  }
  byId("donated").textContent = `${profile.donatedUsdc} USDC`;
  showLinks(profile);
  showHuman(profile);
}

/** @param {OwnProfile} profile */
function showLinks({ socials, claimedAt }) {
  for (const kind of ["github", "domain"]) {
    const linked = socials.find((social) => social.kind === kind);
    byId(`unlink-${kind}`).hidden = !linked;
    if (linked) {
      byId(`${kind}-state`).replaceChildren(
        make("strong", { textContent: linked.handle }),
        " is linked since ",
        timeOf(linked.verifiedAt),
        ".",
      );
    } else {
      byId(`${kind}-state`).textContent = claimedAt === null
        ? "Claim the profile first."
        : HINTS.get(kind) ?? "";
    }
  }
  const isLinked = socials.some(({ kind }) => kind === "domain");
  byId("domain-form").hidden = isLinked || claimedAt === null;
  if (isLinked) byId("domain-record").hidden = true;
  if (socials.some(({ kind }) => kind === "github")) {
    byId("link-github").hidden = true;
  }
}

/** @param {OwnProfile} profile */
function showHuman({ verifiedHuman, socials }) {
  const missing = KINDS_NEEDED - new Set(socials.map(({ kind }) => kind)).size;
  byId("human-state").textContent = verifiedHuman !== null
    ? `Your number is #${verifiedHuman}, for good.`
    : missing > 0
    ? `Missing: ${missing} more linked ${
      missing === 1 ? "account of another kind" : "accounts of different kinds"
    }, and a wallet with a history.`
    : "Your accounts are enough. The number comes with the next score, if your wallet has a history.";
}

/** @param {HTMLFormElement} form */
async function saveProfile(form) {
  const fields = new FormData(form);
  const text = (/** @type {string} */ name) =>
    String(fields.get(name) ?? "").trim() || null;
  await call("PUT", "/profile", {
    displayName: text("displayName"),
    slug: text("slug"),
    linksPublic: fields.get("linksPublic") !== null,
  });
  await refresh();
  showMessage("claim-message", "Your profile is saved.", "good");
}

/** @param {HTMLFormElement} form */
async function showRecord(form) {
  const domain = String(new FormData(form).get("domain")).trim();
  /** @type {DomainAnswer} */
  const { record, expiresAt } = await call("POST", "/socials/domain", {
    domain,
  });
  const check = make("button", {
    type: "button",
    className: "button-primary",
    textContent: "Check the record",
  });
  check.addEventListener(
    "click",
    () =>
      attempt(check, "domain-message", async () => {
        await call("POST", "/socials/domain/verify", { domain });
        await refresh();
        showMessage("domain-message", `${domain} is linked.`, "good");
      }),
  );
  const panel = byId("domain-record");
  panel.replaceChildren(
    make("p", {}, [
      "Publish this record, then check it. Valid until ",
      timeOf(expiresAt),
      ".",
    ]),
    make(
      "dl",
      { className: "facts" },
      listFacts([
        ["Type", record.type],
        [
          "Name",
          make("code", {
            className: "break-anywhere",
            textContent: record.name,
          }),
        ],
        [
          "Text",
          make("code", {
            className: "break-anywhere",
            textContent: record.value,
          }),
        ],
      ]),
    ),
    make("div", {}, [check]),
  );
  panel.hidden = false;
}

/** @param {HTMLFormElement} form */
async function recordDonation(form) {
  const { to, txHash } = Object.fromEntries(new FormData(form));
  const answer = await call("POST", "/donations", { to, txHash });
  if (answer.status === "pending") {
    showMessage(
      "donation-message",
      "The transaction is not final yet. Record it again in a few seconds.",
    );
    return;
  }
  form.reset();
  await refresh();
  showMessage(
    "donation-message",
    `Recorded: ${answer.usdc} USDC, of which ${answer.countedUsdc} count.`,
    "good",
  );
}

/** @param {string} id @param {string} value */
function setValue(id, value) {
  byId(id, HTMLInputElement).value = value;
}

/** @param {string} id @param {string} message @param {() => Promise<void>} work */
function onClick(id, message, work) {
  const button = byId(id);
  button.addEventListener("click", () => attempt(button, message, work));
}

/** @param {string} id @param {string} message @param {(form: HTMLFormElement) => Promise<void>} work */
function onSubmit(id, message, work) {
  const form = byId(id, HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = /** @type {HTMLElement} */ (event.submitter ?? form);
    attempt(button, message, () => work(form));
  });
}
