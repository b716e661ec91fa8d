/** Linked accounts: GitHub, a domain whose record is checked while the page is open, and the number that rests on them. */
import { activateCopyButtons } from "../copy.js";
import { call } from "../dashboard/api.js";
import { byId, make, timeOf } from "../dashboard/elements.js";
import {
  attempt,
  isProblem,
  onClick,
  onSubmit,
  showMessage,
} from "../dashboard/problems.js";

/** @import { DomainAnswer, OwnProfile } from "../../services/profiles/profiles_schema.ts" */
/** @import { Steps } from "./own_profile.js" */

const KINDS = /** @type {const} */ (["github", "domain"]);

/** Time between two checks of a record. The service accepts ten a minute. */
const CHECK_MS = 15_000;

/** Errors of a check that may end by themselves: the record is not visible yet, or a server is busy. */
const WAITING_CODES = [
  "RECORD_NOT_FOUND",
  "UPSTREAM_UNAVAILABLE",
  "RATE_LIMITED",
  "CONTENDED",
  "UNREACHABLE",
];

/** The conditions of a Verified Human number, in words. */
const CONDITIONS = /** @type {const} */ ({
  profile: "A claimed profile",
  evidence:
    "A proof of a unique human on another chain (World ID, Coinbase, Human Passport), or three linked accounts of different kinds that are old, used and earned no other number",
  walletHistory: "A wallet with a history of some months",
});

/** The texts of the cards of accounts that are not linked. */
const HINTS = new Map(
  KINDS.map((kind) => [kind, byId(`${kind}-state`).textContent]),
);

/** The next check of a record; undefined before the first. @type {ReturnType<typeof setTimeout> | undefined} */
let nextCheck;

/** @param {Steps} steps */
export function openLinks({ refresh }) {
  onClick(byId("link-github"), "github-message", async () => {
    const { url } = await call("POST", "/socials/github");
    location.assign(url);
  });
  for (const kind of KINDS) {
    onClick(byId(`unlink-${kind}`), `${kind}-message`, async () => {
      await call("DELETE", `/socials/${kind}`);
      showMessage(`${kind}-message`, `Unlinked. ${await refresh()}`, "good");
    });
  }
  const form = byId("domain-form", HTMLFormElement);
  onSubmit(form, "domain-message", async () => {
    const domain = String(new FormData(form).get("domain")).trim();
    /** @type {DomainAnswer} */
    const answer = await call("POST", "/socials/domain", { domain });
    showRecord(answer, async () => {
      await call("POST", "/socials/domain/verify", { domain });
      const change = await refresh();
      showMessage("domain-message", `${domain} is linked. ${change}`, "good");
    });
  });
}

/** @param {OwnProfile} profile */
export function showLinks({ socials, claimedAt, ...profile }) {
  for (const kind of KINDS) {
    const linked = socials.find((social) => social.kind === kind);
    byId(`unlink-${kind}`).hidden = !linked;
    if (linked) {
      byId(`${kind}-state`).replaceChildren(
        make("strong", { textContent: linked.handle }),
        " has been linked since ",
        timeOf(linked.verifiedAt),
        ".",
      );
    } else {
      const hint = HINTS.get(kind) ?? "";
      const isOff = kind === "github" &&
        byId("link-github").dataset.off !== undefined;
      const first = claimedAt === null && !isOff
        ? " Claim the profile first."
        : "";
      byId(`${kind}-state`).textContent = `${hint}${first}`;
    }
    const offer = byId(kind === "github" ? "link-github" : "domain-form");
    const isOffered = kind === "domain" || offer.dataset.off === undefined;
    offer.hidden = Boolean(linked) || claimedAt === null || !isOffered;
    if (linked && kind === "domain") hideRecord();
  }
  showHuman(profile);
}

/** @param {Pick<OwnProfile, "verifiedHuman" | "verifiedHumanMissing">} profile */
function showHuman({ verifiedHuman, verifiedHumanMissing: missing }) {
  byId("human-state").textContent = verifiedHuman !== null
    ? `Your number is #${verifiedHuman}, for good.`
    : missing.length > 0
    ? "A permanent number for profiles that a person stands behind. It needs:"
    : "You have everything. The number comes with the next score.";
  byId("human-steps").replaceChildren(
    ...verifiedHuman !== null ? [] : Object.entries(CONDITIONS).map(
      ([name, words]) => {
        const isMissing = missing.some((one) => one === name);
        return make("li", {}, [
          make("span", {
            className: isMissing ? "badge" : "badge badge-good",
            textContent: isMissing ? "Missing" : "Done",
          }),
          make("span", { textContent: ` ${words}` }),
        ]);
      },
    ),
  );
}

/**
 * Shows a record with the steps to publish it, and checks it until it is found.
 * @param {DomainAnswer} answer
 * @param {() => Promise<void>} verify
 */
function showRecord({ domain, record, expiresAt }, verify) {
  const now = make("button", {
    type: "button",
    className: "button-primary",
    textContent: "Check now",
  });
  const state = make("p", { className: "small muted break-anywhere" });
  state.role = "status";
  const check = () =>
    attempt(now, "domain-message", async () => {
      clearTimeout(nextCheck);
      try {
        await verify();
      } catch (error) {
        if (!isProblem(error) || !WAITING_CODES.includes(error.code ?? "")) {
          throw error;
        }
        const at = new Date().toLocaleTimeString("en-GB");
        const found = error.code === "RECORD_NOT_FOUND"
          ? "The record is not visible yet. A change of DNS can take an hour"
          : error.message;
        state.textContent = `${at}: ${found}. The next check follows in ${
          CHECK_MS / 1_000
        } seconds.`;
        checkLater();
      }
    });
  const checkLater = () => {
    nextCheck = setTimeout(
      () => document.hidden ? checkLater() : check(),
      CHECK_MS,
    );
  };
  now.addEventListener("click", check);
  const panel = byId("domain-record");
  panel.replaceChildren(
    make("ol", { className: "steps" }, [
      make("li", { textContent: `Open the DNS settings of ${domain}.` }),
      make("li", {}, [
        `Add a ${record.type} record with this name and text:`,
        ...copied("Name", record.name),
        ...copied("Text", record.value),
      ]),
      make("li", {}, [
        "Leave this page open: it checks the record every few seconds. Or come back with the same domain before ",
        timeOf(expiresAt),
        ".",
      ]),
    ]),
    make("div", {}, [now]),
    state,
  );
  panel.hidden = false;
  clearTimeout(nextCheck);
  checkLater();
}

function hideRecord() {
  clearTimeout(nextCheck);
  byId("domain-record").hidden = true;
}

/** Creates a text with a button that copies it. @param {string} label @param {string} text */
function copied(label, text) {
  const copy = make("button", {
    type: "button",
    className: "copy",
    textContent: "Copy",
    ariaLabel: `Copy the ${label.toLowerCase()}`,
  });
  const shown = make("pre", { tabIndex: 0, textContent: text });
  shown.ariaLabel = label;
  const block = make("div", { className: "code-block wraps" }, [shown, copy]);
  activateCopyButtons(block);
  return [block];
}
