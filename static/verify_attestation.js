/** The page that verifies signed scores: reads the form and shows the result. */
import { judge, parseSigned, readableOf } from "./attestation.js";

const form = document.querySelector("#verify");
const input = document.querySelector("#signed");
const verdict = document.querySelector("#verdict");
const findings = document.querySelector("#findings");

const published = JSON.parse(form.dataset.published);
const tiers = JSON.parse(form.dataset.tiers);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  try {
    show(parseSigned(input.value));
  } catch (error) {
    notify("notice-bad", "Cannot verify this", error.message);
    findings.hidden = true;
  }
});

form.addEventListener("reset", () => {
  verdict.replaceChildren();
  findings.hidden = true;
});

function show(signed) {
  const nowS = Date.now() / 1000;
  const judged = judge(signed, { published, tiers, nowS });
  notify(
    judged.isValid ? "notice-good" : "notice-bad",
    judged.verdict,
    judged.reason,
  );
  findings.replaceChildren(
    card("Checks", checksOf(judged)),
    card(
      judged.isSigned
        ? "Signed fields"
        : "Pasted fields, not signed by this service",
      factsOf(signed, judged),
    ),
  );
  findings.hidden = false;
}

function notify(kind, title, text) {
  const notice = element("p", { className: `notice ${kind}` });
  notice.append(element("strong", { textContent: title }), `: ${text}.`);
  verdict.replaceChildren(notice);
}

/** Lists the checks. Of what this service did not sign, nothing is good. */
function checksOf({ checks, isSigned }) {
  const list = element("dl", { className: "facts" });
  for (const { passes, text } of checks) {
    const outcome = element("dt", {});
    const passed = isSigned ? ["badge-good", "Passed"] : ["", "Not signed"];
    const [className, textContent] = passes ? passed : ["badge-bad", "Failed"];
    outcome.append(
      element("span", { className: `badge ${className}`, textContent }),
    );
    list.append(outcome, element("dd", { textContent: text }));
  }
  return list;
}

/** Lists the fields that a signature covers and the recovered signer; other fields of the input are ignored. */
function factsOf({ domain, message }, { recovered, digest }) {
  const readable = readableOf({ message }, tiers);
  const facts = {
    "Subject": readable.subject,
    "Score": readable.score,
    "Tier": readable.tierLabel ?? `${message.tier} (unknown)`,
    "Humanity": readable.humanity,
    "Verified Human": message.verifiedHuman ? "yes" : "no",
    "Issued": readable.issuedAt,
    "Expires": readable.expiresAt,
    "Nonce": readable.nonce,
    "Contract": domain.verifyingContract,
    "Chain": domain.chainId,
    "Signed by": recovered ?? "unknown",
    "Digest": digest,
  };
  const list = element("dl", { className: "facts" });
  for (const [name, value] of Object.entries(facts)) {
    list.append(
      element("dt", { textContent: name }),
      element("dd", { textContent: String(value) }),
    );
  }
  return list;
}

function card(title, content) {
  const section = element("section", { className: "card stack" });
  section.append(element("h2", { textContent: title }), content);
  return section;
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}
