/** The dashboard: signs a wallet in and shows its account. */
import { call } from "./api.js";
import { openBilling } from "./billing.js";
import { confirm } from "./confirm.js";
import { byId, make } from "./elements.js";
import { showAudit, showPayments } from "./history.js";
import { openKeys } from "./keys.js";
import { ensureNetwork } from "./network.js";
import { resumePayment } from "./payment.js";
import { showPlan } from "./plan.js";
import { attempt, reportProblem, showMessage } from "./problems.js";
import { settings } from "./settings.js";
import { showUsage } from "./usage.js";
import { connect, iconOf, watchWallets } from "./wallets.js";

/** @import { AccountAnswer, SessionAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { PaymentsAnswer } from "../../services/payments/payments_schema.ts" */
/** @import { Owner } from "./keys.js" */
/** @import { Wallet } from "./wallets.js" */

const SIGN_IN_MESSAGE = "sign-in-message";
const ACCOUNT_MESSAGE = "account-message";

watchWallets(showWallets);
if (settings.wallet !== null) {
  const owner = await openAccount(settings.wallet);
  if (owner) await resume(owner);
}

/** @param {readonly Wallet[]} wallets */
function showWallets(wallets) {
  byId("no-wallet").hidden = wallets.length > 0;
  byId("wallets").replaceChildren(...wallets.map((wallet) => {
    const icon = iconOf(wallet);
    const button = make("button", { type: "button", className: "wallet" }, [
      ...icon ? [icon] : [],
      `Sign in with ${wallet.name}`,
    ]);
    button.addEventListener(
      "click",
      () => attempt(button, SIGN_IN_MESSAGE, () => signIn(wallet)),
    );
    return make("li", {}, [button]);
  }));
}

/** @param {Wallet} wallet */
async function signIn(wallet) {
  showMessage(SIGN_IN_MESSAGE, `Choose an account in ${wallet.name}.`);
  const address = await connect(wallet);
  await ensureNetwork(wallet, settings);
  showMessage(
    SIGN_IN_MESSAGE,
    `Sign the message in ${wallet.name}. Signing is free.`,
  );
  const proof = await confirm(wallet, address, { action: "session" });
  /** @type {SessionAnswer} */
  const session = await call("POST", "/session", proof);
  const owner = await openAccount(session.wallet);
  byId("top").focus();
  if (owner) resume(owner);
}

/**
 * Shows the account of a wallet. Returns null if it cannot be read.
 * @param {string} wallet
 * @returns {Promise<Owner | null>}
 */
async function openAccount(wallet) {
  byId("sign-in").hidden = true;
  byId("plans").hidden = true;
  byId("loading").hidden = false;
  byId("wallet").textContent = wallet;
  const owner = { wallet, refresh };
  const showKeys = openKeys(owner);
  openBilling(owner);
  const signOut = byId("sign-out");
  signOut.addEventListener(
    "click",
    () =>
      attempt(signOut, ACCOUNT_MESSAGE, async () => {
        await call("DELETE", "/session");
        // Reloading clears everything that the page showed.
        location.reload();
      }),
  );

  async function refresh() {
    /** @type {[AccountAnswer, PaymentsAnswer]} */
    const [account, payments] = await Promise.all([
      call("GET", ""),
      call("GET", "/payments"),
    ]);
    showPlan(account, payments);
    showUsage(account.usage);
    showKeys(account);
    showPayments(payments);
    showAudit(account.audit);
  }

  const isRead = await reportProblem(ACCOUNT_MESSAGE, refresh);
  byId("loading").hidden = true;
  byId("account").hidden = !isRead;
  return isRead ? owner : null;
}

/** Resumes a payment that is under way. @param {Owner} owner */
async function resume(owner) {
  await reportProblem(ACCOUNT_MESSAGE, () => resumePayment(owner));
}
