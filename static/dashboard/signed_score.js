/** The wallet's own score, signed by a button: the session is the proof, and the plan pays. */
import { call } from "./api.js";
import { byId, make, timeOf } from "./elements.js";
import { copyButton } from "./new_key.js";
import { onClick, showMessage } from "./problems.js";

/** @import { SignedAnswer } from "../../services/attestations/attestations_schema.ts" */
/** @import { Owner } from "./keys.js" */

const MESSAGE = "signed-message";

/** @param {Owner} owner */
export function openSigned(owner) {
  onClick(byId("sign-score"), MESSAGE, async () => {
    /** @type {SignedAnswer} */
    const signed = await call("POST", "/score/signed");
    const text = JSON.stringify(signed, null, 2);
    const code = make("pre", { tabIndex: 0, textContent: text });
    code.ariaLabel = "The signed score";
    const place = byId("signed-score");
    place.replaceChildren(
      code,
      copyButton("Copy", text, "Signed score copied.", MESSAGE),
    );
    place.hidden = false;
    const { score, expiresAt } = signed.readable;
    showMessage(
      MESSAGE,
      `Signed: ${score}, valid until ${timeOf(expiresAt).textContent}.`,
      "good",
    );
    await owner.refresh();
  });
}
