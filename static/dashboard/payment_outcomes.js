/** How far a payment has come, in words for its owner. */
import { timeOf } from "./elements.js";
import { settings } from "./settings.js";

/** @import { ClaimAnswer, PaymentsAnswer, PendingAnswer } from "../../services/payments/payments_schema.ts" */
/** @import { ProductName } from "../../services/payments/products_schema.ts" */
/** @import { Problem } from "./problems.js" */

/** A claim may be looked at every three seconds. */
const POLL_MS = 3_500;

/** What changes by itself: credited meanwhile, not heard of yet, or out of reach. */
const PASSING = [
  "TX_USED",
  "TX_NOT_FOUND",
  "UPSTREAM_UNAVAILABLE",
  "RATE_LIMITED",
  "CONTENDED",
  "UNREACHABLE",
];

/**
 * How far a payment has come: in words, and in blocks on top of its own.
 * @typedef {object} Outcome
 * @property {boolean} isFinal
 * @property {boolean} [isKept] true where it goes on once its owner has signed in again
 * @property {"plain" | "good" | "bad"} tone
 * @property {readonly (Node | string)[]} words
 * @property {{ value: number, max: number } | null} blocks
 * @property {number} waitMs
 */

const FINAL = { isFinal: true, blocks: null, waitMs: 0 };

/**
 * Looks for a payment among those that count; null where it is not there.
 * @param {PaymentsAnswer} answer
 * @param {string} txHash
 * @returns {Outcome | null}
 */
export function credited({ payments, next, ...holdings }, txHash) {
  const payment = payments.find((payment) =>
    payment.txHash === txHash && payment.revokedAt === null
  );
  if (!payment) return null;
  const { product } = payment;
  const time = [holdings, ...next].find(({ plan }) => plan === product);
  const endsAt = product === "premium"
    ? holdings.premiumUntil
    : time?.paidUntil;
  if (product && endsAt) return isYours({ product, endsAt });
  const words = ["Your payment is credited: plan and credit above show it."];
  return { ...FINAL, tone: "plain", words };
}

/** @param {PendingAnswer} answer @returns {Outcome} */
export function pending({ confirmations, required }) {
  return {
    isFinal: false,
    tone: "plain",
    words: [
      `Sent. ${confirmations} of ${required} blocks are on top of it; ` +
      "this takes some seconds.",
    ],
    blocks: { value: confirmations, max: required },
    waitMs: POLL_MS,
  };
}

/** @param {ClaimAnswer} answer @returns {Outcome} */
export function counted({ status, bought, missingDisplay }) {
  if (status === "active" && bought) return isYours(bought);
  const words = status === "short"
    ? `Your payment arrived, and ${missingDisplay} USDC are missing. It is ` +
      "kept as credit: ask what it costs again, and pay the rest."
    : "Your payment arrived and is kept as credit.";
  return { ...FINAL, tone: "plain", words: [words] };
}

/** @param {{ product: ProductName, endsAt: string | null }} bought @returns {Outcome} */
function isYours({ product, endsAt }) {
  const label = settings.productLabels[product];
  const words = endsAt
    ? [`${label} is yours until `, timeOf(endsAt), "."]
    : [`${label} is yours.`];
  return { ...FINAL, tone: "good", words };
}

/** @param {Problem} problem @returns {Outcome} */
export function refused({ code = "", message, retryAfterMs = 0 }) {
  const isFinal = !PASSING.includes(code);
  const words = code === "TX_NOT_FOUND"
    ? "Sent. The network does not show it yet. If you replaced it in the " +
      "wallet by another, stop here: that one is found by itself."
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
