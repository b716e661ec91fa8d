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
      receiptLink(payment),
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
 * Creates the link to the receipt of a payment.
 * @param {Payment} payment
 */
function receiptLink({ at, amountDisplay, txHash, quoteId }) {
  return make("a", {
    href: `/dashboard/receipts/${txHash ?? quoteId}`,
    textContent: "Receipt",
    ariaLabel: `Receipt of the payment of ${at.slice(0, 10)}, ${
      showUsdc(amountDisplay)
    }`,
  });
}
