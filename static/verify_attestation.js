/** The page that verifies signed scores: reads the form and shows the result. */
import { judge, parseSigned, readableOf } from "./attestation.js";
import { listFacts, make } from "./dashboard/elements.js";

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
  verdict.replaceChildren(
    make("p", { className: `notice ${kind}` }, [
      make("strong", { textContent: title }),
      `: ${text}.`,
    ]),
  );
}

/** Lists the checks. Of what this service did not sign, nothing is good. */
function checksOf({ checks, isSigned }) {
  const passed = isSigned ? ["badge-good", "Passed"] : ["", "Not signed"];
  return checks.flatMap(({ passes, text }) => {
    const [className, textContent] = passes ? passed : ["badge-bad", "Failed"];
    const outcome = { className: `badge ${className}`, textContent };
    return [
      make("dt", {}, [make("span", outcome)]),
      make("dd", { textContent: text }),
    ];
  });
}

/** Lists the fields that a signature covers and the recovered signer; other fields of the input are ignored. */
function factsOf({ domain, message }, { recovered, digest }) {
  const readable = readableOf({ message }, tiers);
  return listFacts(Object.entries({
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
  }));
}

function card(title, facts) {
  return make("section", { className: "card stack" }, [
    make("h2", { textContent: title }),
    make("dl", { className: "facts" }, facts),
  ]);
}
