/** The dashboard: signs a wallet in and shows its account. */
import { call, callFor } from "./api.js";
import { settings } from "./settings.js";
import { openBilling, selectPlan } from "./billing.js";
import { showCalls, showKeyDays, showNotices } from "./calls.js";
import { byId } from "./elements.js";
import { showAudit, showPayments } from "./history.js";
import { openKeys } from "./keys.js";
import { openSigned } from "./signed_score.js";
import { resumePayment } from "./payment.js";
import { showPlan } from "./plan.js";
import { offerReload, onClick, reportProblem } from "./problems.js";
import { offerWallets } from "./sign_in.js";
import { showUsage } from "./usage.js";

/** @import { AccountAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { CallsAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { PaymentsAnswer } from "../../services/payments/payments_schema.ts" */
/** @import { Owner } from "./keys.js" */

const ACCOUNT_MESSAGE = "account-message";

offerWallets(settings, async (wallet) => {
  const owner = await openAccount(wallet);
  byId("top").focus();
  if (owner) resume(owner);
});
if (settings.wallet !== null) {
  const owner = await openAccount(settings.wallet);
  if (owner) await resume(owner);
}

/**
 * Shows the account of a wallet. Returns null if it cannot be read.
 * @param {string} wallet
 * @returns {Promise<Owner | null>}
 */
async function openAccount(wallet) {
  callFor(wallet);
  byId("sign-in").hidden = true;
  byId("plans").hidden = true;
  byId("loading").hidden = false;
  byId("wallet").textContent = wallet;
  const owner = { wallet, refresh };
  const showKeys = openKeys(owner);
  openBilling(owner);
  openSigned(owner);
  onClick(byId("sign-out"), ACCOUNT_MESSAGE, async () => {
    await call("DELETE", "/session");
    // Reloading clears everything that the page showed.
    location.reload();
  });

  let asked = 0;
  let shown = 0;
  async function refresh() {
    const nth = ++asked;
    /** @type {[AccountAnswer, PaymentsAnswer, CallsAnswer]} */
    const [account, payments, calls] = await Promise.all([
      call("GET", ""),
      call("GET", "/payments"),
      call("GET", "/calls"),
    ]);
    // The answers to a later call are shown already.
    if (nth < shown) return;
    shown = nth;
    showNotices(account.usage.notices);
    showPlan(account, payments);
    selectPlan(account);
    showUsage(account.usage);
    showKeys(account);
    showKeyDays(account.keys);
    showCalls(calls);
    showPayments(payments);
    showAudit(account.audit);
  }

  const isRead = await reportProblem(ACCOUNT_MESSAGE, refresh);
  byId("loading").hidden = true;
  byId("account").hidden = !isRead;
  if (!isRead) {
    offerReload(ACCOUNT_MESSAGE);
    return null;
  }
  // The first thing that a new owner needs.
  if (!byId("no-keys").hidden) byId("overview").before(byId("keys-section"));
  // The section was hidden when the browser looked for it.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
  return owner;
}

/** Resumes a payment that is under way. @param {Owner} owner */
async function resume(owner) {
  await reportProblem(ACCOUNT_MESSAGE, () => resumePayment(owner));
}
