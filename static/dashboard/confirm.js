/** One-time messages: fetched from the service and signed by the wallet. */
import { call } from "./api.js";
import { requestWallet } from "./wallets.js";

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
