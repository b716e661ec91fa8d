/** The payments and the audit trail. */
import {
  byId,
  fillTable,
  formatUsdc,
  groupDigits,
  make,
  showUsdc,
  timeOf,
} from "./elements.js";
import { settings } from "./settings.js";

/** @import { AccountAnswer, AuditItem } from "../../services/accounts/account_schema.ts" */
/** @import { PaymentsAnswer } from "../../services/payments/payments_schema.ts" */
/** @typedef {PaymentsAnswer["payments"][number]} Payment */

/**
 * Shows the payments.
 * @param {PaymentsAnswer} answer
 */
export function showPayments({ payments }) {
  byId("no-payments").hidden = payments.length > 0;
  byId("payments-scroll").hidden = payments.length === 0;
  fillTable(
    byId("payments", HTMLTableElement),
    ["When", "For", "USDC", "Receipt", "Transaction"],
    payments.map((payment) => [
      timeOf(payment.at),
      purposeOf(payment),
      groupDigits(payment.amountDisplay),
      receiptLink(payment, wordsOf(payment)),
      payment.txHash
        ? make("code", { className: "hash", textContent: payment.txHash })
        : "paid with credit",
    ]),
  );
}

/** @param {Payment} payment */
function purposeOf(payment) {
  const { revokedAt } = payment;
  return revokedAt
    ? make("span", {}, ["Revoked ", timeOf(revokedAt)])
    : wordsOf(payment);
}

/** @param {Payment} payment @returns {string} */
function wordsOf({ product, periods }) {
  if (!product) return "Credit";
  const label = settings.productLabels[product];
  return product === "slug"
    ? label
    : `${label}, ${
      periods > 0 ? `${periods * settings.periodDays} days` : "extended"
    }`;
}

/**
 * Shows the audit trail.
 * @param {AccountAnswer["audit"]} audit
 */
export function showAudit(audit) {
  fillTable(
    byId("audit", HTMLTableElement),
    ["When", "Event", "Request id"],
    audit.map((item) => [
      timeOf(item.at),
      describe(item),
      item.requestId
        ? make("code", { className: "hash", textContent: item.requestId })
        : "none (job or operator)",
    ]),
  );
}

/** @param {AuditItem} item */
function describe({ event, keyName, amount }) {
  const words = settings.auditEvents[event];
  if (keyName) return `${words}: ${keyName}`;
  return amount ? `${words}: ${showUsdc(formatUsdc(String(amount)))}` : words;
}

/**
 * Creates the link that downloads the receipt of a payment.
 * @param {PaymentsAnswer["payments"][number]} payment
 * @param {string} purpose
 */
function receiptLink(payment, purpose) {
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
