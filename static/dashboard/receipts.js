/** Receipts of payments as text files. */
import { make } from "./elements.js";
import { showUsdc } from "./money.js";
import { settings } from "./settings.js";

/** @import { PaymentsAnswer } from "../../services/payments/payments_schema.ts" */

/**
 * Creates the link that downloads the receipt of a payment.
 * @param {PaymentsAnswer["payments"][number]} payment
 * @param {string} purpose
 */
export function receiptLink(payment, purpose) {
  const { at, amountDisplay, txHash, blockNumber, revokedAt } = payment;
  /** @type {[string, string][]} */
  const lines = [
    ["Receipt of", location.origin],
    [
      "Wallet",
      settings.wallet ?? document.getElementById("wallet")?.textContent ?? "",
    ],
    ["Paid at", at],
    ["For", purpose],
    ["Amount", showUsdc(amountDisplay)],
    ["Chain", `${settings.chainName} (chain id ${settings.chainId})`],
    ["Transaction", txHash ?? "none: paid with credit"],
    ["Block", blockNumber === null ? "none" : String(blockNumber)],
    ...revokedAt
      ? [/** @type {[string, string]} */ (["Revoked at", revokedAt])]
      : [],
  ];
  const text = lines.map(([term, value]) =>
    `${`${term}:`.padEnd(14)}${value}\n`
  )
    .join("");
  const day = at.slice(0, 10);
  return make("a", {
    href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`,
    download: `firn-receipt-${day}-${txHash?.slice(2, 10) ?? "credit"}.txt`,
    textContent: "Receipt",
    ariaLabel: `Receipt of the payment of ${day}, ${showUsdc(amountDisplay)}`,
  });
}
