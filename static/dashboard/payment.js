/** A pending payment: polled until it is final, and remembered across reloads. */
import { call } from "./api.js";
import { byId, make } from "./elements.js";
import { counted, credited, pending, refused } from "./payment_outcomes.js";
import { isProblem } from "./problems.js";

/** @import { ClaimAnswer, PendingAnswer } from "../../services/payments/payments_schema.ts" */
/** @import { Outcome } from "./payment_outcomes.js" */
/** @import { Owner } from "./keys.js" */
/** @typedef {{ quoteId: string, txHash: string | null }} Payment */

/** Session storage key of the pending payment. */
const STORAGE_KEY = "firn-payment";

/**
 * Resumes the payment that was pending when the page was left.
 * @param {Pick<Owner, "wallet" | "refresh">} owner
 */
export async function resumePayment(owner) {
  const kept = sessionStorage.getItem(STORAGE_KEY);
  if (kept === null || !document.getElementById("payment")) return;
  const { wallet, ...payment } = JSON.parse(kept);
  if (wallet === owner.wallet) await followPayment(owner, payment);
}

/**
 * Polls a payment until its outcome is final, and shows the outcome in its panel.
 * @param {Pick<Owner, "wallet" | "refresh">} owner
 * @param {Payment} payment
 */
export async function followPayment(owner, payment) {
  const { wallet } = owner;
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ wallet, ...payment }));
  const panel = openPanel(payment);
  while (panel.isOpen()) {
    const outcome = await claim(payment);
    panel.show(outcome);
    if (outcome.isFinal) {
      // Another payment may have taken the panel and the memory meanwhile.
      if (!outcome.isKept && panel.isOpen()) {
        sessionStorage.removeItem(STORAGE_KEY);
      }
      await owner.refresh();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, outcome.waitMs));
  }
}

/** @param {Payment} payment @returns {Promise<Outcome>} */
async function claim(payment) {
  try {
    // The service also finds payments by itself, and the answer of an earlier claim
    // may have been lost, so check for that first.
    const found = credited(await call("GET", "/payments"), payment);
    if (found) return found;
    const { quoteId, txHash } = payment;
    const body = txHash === null ? { quoteId } : { quoteId, txHash };
    /** @type {ClaimAnswer | PendingAnswer} */
    const answer = await call("POST", "/claims", body);
    return answer.status === "pending" ? pending(answer) : counted(answer);
  } catch (error) {
    if (isProblem(error)) return refused(error);
    throw error;
  }
}

/** @param {Payment} payment */
function openPanel({ txHash }) {
  const panel = byId("payment");
  const words = make("p", { role: "status" });
  const progress = make("progress", { ariaLabel: "Confirmations" });
  const close = make("button", { type: "button", textContent: "Stop waiting" });
  close.addEventListener("click", () => {
    sessionStorage.removeItem(STORAGE_KEY);
    panel.hidden = true;
    panel.replaceChildren();
    panel.closest("section")?.querySelector("h2")?.focus();
  });
  panel.replaceChildren(
    make("h3", { id: "payment-title", textContent: "Your payment" }),
    ...txHash === null
      ? []
      : [make("p", { className: "small muted break-anywhere" }, [txHash])],
    progress,
    words,
    make("div", {}, [close]),
  );
  panel.hidden = false;
  panel.focus();
  return {
    isOpen: () => panel.contains(words),
    /** @param {Outcome} outcome */
    show(outcome) {
      const { isFinal, tone } = outcome;
      words.className = isFinal ? `notice notice-${tone}` : "";
      words.replaceChildren(...outcome.words);
      progress.hidden = isFinal;
      if (outcome.blocks) Object.assign(progress, outcome.blocks);
      if (isFinal) close.textContent = "Close";
    },
  };
}
