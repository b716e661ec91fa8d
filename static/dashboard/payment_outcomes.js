/** The state of a payment in words. */
import { showUsdc, timeOf } from "./elements.js";
import { settings } from "./settings.js";

/** @import { ClaimAnswer, PaymentsAnswer, PendingAnswer } from "../../services/payments/payments_schema.ts" */
/** @import { ProductName } from "../../services/payments/plans_schema.ts" */
/** @import { Problem } from "./problems.js" */

/** Polling interval. The service accepts one claim every three seconds. */
const POLL_MS = 3_500;

/** Errors that go away without action of the owner. */
export const TRANSIENT_CODES = [
  "TX_USED",
  "TX_NOT_FOUND",
  "UPSTREAM_UNAVAILABLE",
  "RATE_LIMITED",
  "CONTENDED",
  "UNREACHABLE",
];

/**
 * The state of a payment, in words and in confirmations.
 * @typedef {object} Outcome
 * @property {boolean} isFinal
 * @property {boolean} [isKept] true if polling resumes after signing in again
 * @property {"plain" | "good" | "bad"} tone
 * @property {readonly (Node | string)[]} words
 * @property {{ value: number, max: number } | null} blocks
 * @property {number} waitMs
 */

const FINAL = { isFinal: true, blocks: null, waitMs: 0 };

/**
 * Returns the outcome of a credited payment; null if it is not credited.
 * @param {PaymentsAnswer} answer
 * @param {{ quoteId: string, txHash: string | null }} claimed without a transaction if credit pays
 * @returns {Outcome | null}
 */
export function credited(
  { payments, next, ...entitlements },
  { quoteId, txHash },
) {
  const payment = payments.find((payment) =>
    payment.txHash === txHash && payment.revokedAt === null &&
    (txHash !== null || payment.quoteId === quoteId)
  );
  if (!payment) return null;
  const { product } = payment;
  const time = [entitlements, ...next].find(({ plan }) => plan === product);
  const endsAt = product === "premium"
    ? entitlements.premiumUntil
    : time?.paidUntil;
  if (product && endsAt) return isYours({ product, endsAt });
  // The payment may have been too small.
  if (product === "slug" && entitlements.slugs.length > 0) {
    return isYours({ product, endsAt: null });
  }
  const words = ["Your payment was credited. See your plan and credit above."];
  return { ...FINAL, tone: "plain", words };
}

/** @param {PendingAnswer} answer @returns {Outcome} */
export function pending({ confirmations, required }) {
  return {
    isFinal: false,
    tone: "plain",
    words: [
      `Sent. ${confirmations} of ${required} confirmations. ` +
      "This takes a few seconds.",
    ],
    blocks: { value: confirmations, max: required },
    waitMs: POLL_MS,
  };
}

/** @param {ClaimAnswer} answer @returns {Outcome} */
export function counted({ status, bought, missingDisplay }) {
  if (status === "active" && bought) return isYours(bought);
  const words = status === "short"
    ? `Your payment arrived, but ${
      showUsdc(missingDisplay)
    } are missing. It is ` +
      "kept as credit. Request the price again and pay the rest."
    : "Your payment arrived and is kept as credit.";
  return { ...FINAL, tone: "plain", words: [words] };
}

/** @param {{ product: ProductName, endsAt: string | null }} bought @returns {Outcome} */
function isYours({ product, endsAt }) {
  const label = settings.productLabels[product];
  const words = endsAt
    ? [`You have ${label} until `, timeOf(endsAt), "."]
    : ["The name is bought."];
  return { ...FINAL, tone: "good", words };
}

/** @param {Problem} problem @returns {Outcome} */
export function refused({ code = "", message, retryAfterMs = 0 }) {
  const isFinal = !TRANSIENT_CODES.includes(code);
  const words = code === "TX_NOT_FOUND"
    ? "Sent, but not visible on the network yet. If you replaced the transaction " +
      "in your wallet, stop here: we find the new one automatically."
    : message;
  return {
    isFinal,
    isKept: code === "SIGNED_OUT",
    tone: isFinal ? "bad" : "plain",
    words: [words],
    blocks: null,
    waitMs: Math.max(POLL_MS, retryAfterMs),
  };
}
