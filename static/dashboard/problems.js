/** Problems in words, and the messages that show them. */
import { byId, make } from "./elements.js";

/** @typedef {Error & { isProblem: true, code?: string | undefined, retryAfterMs?: number | undefined }} Problem */

/**
 * Creates an error whose message can be shown to the user.
 * @param {string} message
 * @param {{ code?: string | undefined, retryAfterMs?: number | undefined }} [facts]
 * @returns {Problem}
 */
export function problem(message, facts = {}) {
  return Object.assign(new Error(message), {
    isProblem: /** @type {const} */ (true),
    ...facts,
  });
}

/** @param {unknown} error @returns {error is Problem} */
export function isProblem(error) {
  return error instanceof Error && "isProblem" in error;
}

/**
 * Shows a message in a live region. An empty text clears it.
 * @param {string} id
 * @param {string} text
 * @param {"plain" | "good" | "bad"} [tone]
 */
export function showMessage(id, text, tone = "plain") {
  const place = byId(id);
  place.textContent = text;
  place.className = text === "" ? "message" : `message notice notice-${tone}`;
}

/**
 * Runs work and shows its problem, if any. Returns whether it succeeded.
 * @param {string} messageId
 * @param {() => Promise<void>} work
 */
export async function reportProblem(messageId, work) {
  showMessage(messageId, "");
  try {
    await work();
    return true;
  } catch (error) {
    if (!isProblem(error)) {
      showMessage(
        messageId,
        "Something went wrong. Please reload the page.",
        "bad",
      );
      throw error;
    }
    showMessage(messageId, error.message, "bad");
    return false;
  }
}

/**
 * Adds a button to a message that loads the page again.
 * @param {string} id
 */
export function offerReload(id) {
  const again = make("button", { type: "button", textContent: "Try again" });
  again.addEventListener("click", () => location.reload());
  byId(id).append(" ", again);
}

/**
 * Runs the work of a button, one run at a time, and shows its problem.
 * @param {HTMLElement} button
 * @param {string} messageId
 * @param {() => Promise<void>} work
 */
export async function attempt(button, messageId, work) {
  if (button.ariaDisabled === "true") return;
  // `disabled` would remove the focus.
  button.ariaDisabled = "true";
  try {
    const done = await reportProblem(messageId, work);
    // An open form can lie between the button and the message.
    if (!done) byId(messageId).scrollIntoView({ block: "nearest" });
  } finally {
    button.ariaDisabled = null;
  }
}

/**
 * Runs work at each click of a button, as `attempt` does.
 * @param {HTMLElement} button
 * @param {string} messageId
 * @param {() => Promise<void>} work
 */
export function onClick(button, messageId, work) {
  button.addEventListener("click", () => attempt(button, messageId, work));
}

/**
 * Runs work when a form is sent, as `attempt` does with the button that sent it.
 * @param {HTMLFormElement} form
 * @param {string} messageId
 * @param {(submitter: HTMLElement | null) => Promise<void>} work
 */
export function onSubmit(form, messageId, work) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    attempt(submitter ?? form, messageId, () => work(submitter));
  });
}

/** Meanings of wallet error codes (EIP-1193, EIP-1474, EIP-3326). */
const WALLET_CODES = new Map([
  [4001, "You declined in your wallet. Nothing was signed or sent."],
  [5000, "You declined in your wallet. Nothing was signed or sent."],
  [
    -32002,
    "Your wallet has an open request. Finish or close it first.",
  ],
  [
    4100,
    "Your wallet does not allow this page to use the account. Connect the account in your wallet and try again.",
  ],
  [4200, "Your wallet does not support this. Please try another one."],
  [4900, "Your wallet is offline. Check its connection and try again."],
  [4901, "Your wallet lost its network. Select the network again and retry."],
  [4902, "Your wallet does not know the network. Add it and try again."],
]);

/**
 * Converts the rejection of a wallet to a problem.
 * @param {unknown} error
 */
export function walletProblem(error) {
  const { code: outer, data, message } = Object(error);
  // Some wallets wrap the original error.
  const code = data?.originalError?.code ?? outer;
  const words = WALLET_CODES.get(Number(code)) ??
    `Your wallet refused: ${message || "no reason given"}`;
  return problem(words, { code: String(code) });
}
