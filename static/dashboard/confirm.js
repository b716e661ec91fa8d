/** One-time messages: fetched, signed by the wallet, sent back as a proof. */
import { call } from "./api.js";
import { askWallet } from "./wallets.js";

/** @import { ActionName, ChallengeAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { Wallet } from "./wallets.js" */

/**
 * Has an action confirmed by a signature.
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
  const signature = await askWallet(wallet, "personal_sign", params);
  return { nonce, signature };
}

/** Wallets take the bytes of a text as hexadecimal digits. @param {string} text */
function toHex(text) {
  const bytes = [...new TextEncoder().encode(text)];
  return `0x${
    bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")
  }`;
}
