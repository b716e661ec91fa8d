/** What goes wrong in words for the owner of a wallet, and where it is said. */
import { byId } from "./elements.js";

/** @typedef {Error & { isProblem: true, code?: string | undefined, retryAfterMs?: number | undefined }} Problem */

/**
 * Makes an error whose message can be shown as it is.
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
 * Says something in a place of the page that is read out; nothing clears it.
 * @param {string} id
 * @param {string} text
 * @param {"plain" | "good" | "bad"} [tone]
 */
export function say(id, text, tone = "plain") {
  const place = byId(id);
  place.textContent = text;
  place.className = text === "" ? "message" : `message notice notice-${tone}`;
}

/**
 * Does something, and says what goes wrong; returns whether nothing did.
 * @param {string} messageId
 * @param {() => Promise<void>} work
 */
export async function saying(messageId, work) {
  say(messageId, "");
  try {
    await work();
    return true;
  } catch (error) {
    if (!isProblem(error)) {
      say(messageId, "This page has stumbled: please load it again.", "bad");
      throw error;
    }
    say(messageId, error.message, "bad");
    return false;
  }
}

/**
 * Does what a button asks for, once at a time, and says what goes wrong.
 * @param {HTMLElement} button
 * @param {string} messageId
 * @param {() => Promise<void>} work
 */
export async function attempt(button, messageId, work) {
  if (button.ariaDisabled === "true") return;
  // Not `disabled`, which would take the focus away.
  button.ariaDisabled = "true";
  try {
    await saying(messageId, work);
  } finally {
    button.ariaDisabled = null;
  }
}

/** What wallets mean by their codes (EIP-1193, EIP-1474, EIP-3326). */
const WALLET_CODES = new Map([
  [4001, "You declined in the wallet: nothing was signed or sent."],
  [5000, "You declined in the wallet: nothing was signed or sent."],
  [
    -32002,
    "The wallet already waits for an answer of yours: open it and finish or close that request first.",
  ],
  [
    4100,
    "The wallet does not let this page use the account: connect it in the wallet and try again.",
  ],
  [4200, "The wallet cannot do this: please try another one."],
  [4900, "The wallet is offline: check its connection and try again."],
  [4901, "The wallet has lost its network: choose it anew and try again."],
  [4902, "The wallet does not know the network: add it there and try again."],
]);

/**
 * Makes a problem of what a wallet rejected with.
 * @param {unknown} error
 */
export function walletProblem(error) {
  const { code: outer, data, message } = Object(error);
  // Some wrap the error that says what happened.
  const code = data?.originalError?.code ?? outer;
  const words = WALLET_CODES.get(Number(code)) ??
    `The wallet refused: ${message || "it gave no reason"}`;
  return problem(words, { code: String(code) });
}
