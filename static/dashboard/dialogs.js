/** Modal dialogs. Closing one without a choice counts as no. */
import { byId, make } from "./elements.js";
import { call } from "./api.js";
import { requestWallet } from "./wallets.js";

/**
 * Asks a question. Returns the form if the answer is yes, else null.
 * @param {{ title: string, content: readonly (Node | string)[], yes: Node | string, isDanger?: boolean }} question
 * @returns {Promise<HTMLFormElement | null>}
 */
export async function askToConfirm({ title, content, yes, isDanger = false }) {
  const className = isDanger ? "button-danger" : "button-primary";
  const agree = make("button", { value: "yes", className }, [yes]);
  return await open(title, content, [agree]);
}

/**
 * Asks for one of several choices. Returns null if none was chosen.
 * @template T
 * @param {string} title
 * @param {readonly { label: string, icon?: Node | null, value: T }[]} choices
 * @returns {Promise<T | null>}
 */
export async function choose(title, choices) {
  /** @type {T | null} */
  let chosen = null;
  const list = choices.map(({ label, icon, value }) => {
    const button = make("button", { value: "yes", className: "wallet" }, [
      ...icon ? [icon] : [],
      label,
    ]);
    button.addEventListener("click", () => chosen = value);
    return make("li", {}, [button]);
  });
  await open(title, [make("ul", { className: "grid wallets" }, list)], []);
  return chosen;
}

/** The answer to the last question. */
let last = /** @type {Promise<HTMLFormElement | null>} */ (
  Promise.resolve(null)
);

/**
 * Opens the dialog when the previous one is closed: an answer belongs to one question.
 * @param {string} title
 * @param {readonly (Node | string)[]} content
 * @param {readonly Node[]} buttons in addition to the one that cancels
 * @returns {Promise<HTMLFormElement | null>}
 */
async function open(title, content, buttons) {
  last = last.then(() => show(title, content, buttons));
  return await last;
}

/** @type {typeof open} */
async function show(title, content, buttons) {
  const dialog = byId("dialog", HTMLDialogElement);
  // It does not submit the form: Enter in a field must not cancel, and an invalid field must not keep the dialog open.
  const cancel = make("button", { type: "button", textContent: "Cancel" });
  cancel.addEventListener("click", () => dialog.close());
  const form = make("form", { method: "dialog", className: "stack" }, [
    make("h2", { id: "dialog-title", textContent: title }),
    ...content,
    make("div", { className: "cluster dialog-buttons" }, [cancel, ...buttons]),
  ]);
  dialog.replaceChildren(form);
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((resolve) =>
    dialog.addEventListener("close", resolve, { once: true })
  );
  return dialog.returnValue === "yes" ? form : null;
}

/** @import { ActionName, ChallengeAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { Wallet } from "./wallets.js" */

/**
 * Confirms an action with a signature of the wallet.
 * @param {Wallet} wallet
 * @param {string} address
 * @param {{ action: ActionName } & Readonly<Record<string, unknown>>} action with its parameters
 */
export async function confirm(wallet, address, action) {
  /** @type {ChallengeAnswer} */
  const { nonce, message } = await call("POST", "/challenges", {
    address,
    ...action,
  });
  const params = [toHex(message), address];
  const signature = await requestWallet(wallet, "personal_sign", params);
  return { nonce, signature };
}

/** Encodes a text as wallets expect it: its bytes as hexadecimal digits. @param {string} text */
function toHex(text) {
  const bytes = [...new TextEncoder().encode(text)];
  return `0x${
    bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")
  }`;
}
