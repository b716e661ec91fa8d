/** Buying: the quote, and the ways to pay it. */
import { call } from "./api.js";
import { settings } from "./settings.js";
import { byId, draw, listFacts, make, showUsdc, timeOf } from "./elements.js";
import { ensureNetwork } from "./network.js";
import { followPayment } from "./payment.js";
import { onClick, onSubmit, problem, showMessage } from "./problems.js";
import { requestWallet, walletOf } from "./wallets.js";

/** @import { AccountAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { QuoteAnswer } from "../../services/payments/payments_schema.ts" */
/** @import { Fact } from "./elements.js" */
/** @import { Owner } from "./keys.js" */

const MESSAGE = "order-message";

/** Whether the wallet has a payment that it has not answered: a page cannot take it back. */
let isAsked = false;

/** Changes when a quote is asked for or hidden: an answer that comes later is not shown. */
let asked = 0;

/**
 * Activates the order form, if the page has one.
 * @param {Owner} owner
 */
export function openBilling(owner) {
  if (!document.getElementById("order")) return;
  const form = byId("order", HTMLFormElement);
  form.addEventListener("change", () => {
    matchProduct(form);
    hideQuote();
  });
  onSubmit(form, MESSAGE, () => orderFrom(owner, form));
  matchProduct(form);
}

/**
 * Selects the current plan when it is first shown and when it has changed, so that
 * ordering again renews it. A free plan is not sold and changes nothing.
 * @param {Pick<AccountAnswer, "plan">} account
 */
export function selectPlan({ plan }) {
  if (!document.getElementById("order")) return;
  const form = byId("order", HTMLFormElement);
  const renewal = form.querySelector(`input[name=product][value=${plan}]`);
  if (form.dataset.plan === plan || renewal === null) return;
  form.dataset.plan = plan;
  /** @type {HTMLInputElement} */ (renewal).checked = true;
  matchProduct(form);
}

/** A name is bought where it is chosen, on the profile page. @param {HTMLFormElement} form */
function matchProduct(form) {
  const isOnce = form.querySelector("input[data-once]:checked") !== null;
  byId("order-line").hidden = isOnce;
  byId("name-hint").hidden = !isOnce;
}

/** @param {Owner} owner @param {HTMLFormElement} form */
async function orderFrom(owner, form) {
  const fields = new FormData(form);
  await requestQuote(owner, {
    product: fields.get("product"),
    periods: Number(fields.get("periods")),
  });
}

/**
 * Asks for the price of an order, and shows it with the ways to pay.
 * @param {Pick<Owner, "wallet" | "refresh">} owner
 * @param {Readonly<Record<string, unknown>>} order the body of `POST /quotes`
 */
export async function requestQuote(owner, order) {
  // Takes its room at the click, so that nothing moves when the price arrives.
  hideQuote();
  const nth = asked;
  const panel = byId("quote");
  panel.replaceChildren(
    make("p", { id: "quote-title", textContent: "Reading the price…" }),
  );
  panel.hidden = false;
  try {
    const [quote, paid] = await Promise.all([
      call("POST", "/quotes", order),
      readPaid(),
    ]);
    const content = await describeQuote(owner, quote, paid);
    // Another order was made meanwhile, or this one was changed.
    if (nth !== asked) return;
    panel.replaceChildren(...content);
    panel.focus();
  } catch (error) {
    if (nth === asked) hideQuote();
    throw error;
  }
}

/** Hides the quote, also one that has not arrived. */
export function hideQuote() {
  asked++;
  byId("quote").hidden = true;
  byId("quote").replaceChildren();
}

/** Reads what the wallet has paid for, and its credit: the amount of a quote depends on them. */
async function readPaid() {
  return JSON.stringify(await call("GET", "/payments"));
}

/**
 * @param {Pick<Owner, "wallet" | "refresh">} owner
 * @param {QuoteAnswer} quote
 * @param {string} paid as it was read with the quote
 */
async function describeQuote(owner, quote, paid) {
  const { amountDisplay, uri } = quote;
  const isValid = () => Date.now() < Date.parse(quote.expiresAt);
  // If a new price has already expired, this clock is wrong.
  const isTimed = isValid();
  const follow = async (/** @type {string | null} */ txHash) => {
    hideQuote();
    await followPayment(owner, { quoteId: quote.quoteId, txHash });
  };
  const pay = make("button", {
    type: "button",
    className: "button-primary",
    textContent: uri === null
      ? "Pay with credit"
      : `Pay ${showUsdc(amountDisplay)} with your wallet`,
  });
  onClick(pay, MESSAGE, async () => {
    if (isTimed && !isValid()) throw outdated("This price has expired.");
    if (await readPaid() !== paid) {
      throw outdated("Your plan or your credit has changed since this price.");
    }
    const txHash = uri === null ? null : await payFrom(owner, quote);
    await follow(txHash);
  });
  return [
    make("h3", { id: "quote-title", textContent: titleOf(quote) }),
    make("dl", { className: "facts" }, listFacts(factsOf(quote))),
    make("div", { className: "cluster" }, [pay]),
    ...uri === null ? [] : [await describeOtherWays(uri, follow)],
  ];
}

/** The amount of an outdated price may be too little, and would buy nothing. @param {string} reason */
function outdated(reason) {
  return problem(`${reason} Show the price again. Nothing was sent.`);
}

/** @param {QuoteAnswer} quote */
function factsOf({ uri, payTo, startsAt, endsAt, expiresAt, ...quote }) {
  const amount = showUsdc(quote.amountDisplay);
  /** @type {Fact[]} */
  const facts = [["Amount", make("strong", { textContent: amount })]];
  if (quote.credit !== "0") {
    facts.push(["Deducted", showUsdc(quote.creditDisplay)]);
  }
  facts.push(["Starts", timeOf(startsAt)]);
  if (endsAt) facts.push(["Ends", timeOf(endsAt)]);
  facts.push(["Price valid until", timeOf(expiresAt)]);
  if (uri) facts.push(["Pay to", make("code", { textContent: payTo })]);
  return facts;
}

/** @param {QuoteAnswer} quote */
function titleOf({ product, periods, endsAt }) {
  const label = settings.productLabels[product];
  return endsAt === null
    ? label
    : `${label} for ${periods * settings.periodDays} days`;
}

/**
 * Sends the payment and returns its transaction hash.
 * @param {Pick<Owner, "wallet">} owner
 * @param {QuoteAnswer} quote
 * @returns {Promise<string>}
 */
async function payFrom({ wallet: from }, { transaction, amountDisplay }) {
  if (isAsked) {
    throw problem(
      "Your wallet has not answered the payment before this one. Reject or confirm it there, " +
        "or reload the page if the wallet no longer shows it.",
    );
  }
  isAsked = true;
  try {
    const wallet = await walletOf(from);
    await ensureNetwork(wallet, settings);
    showMessage(
      MESSAGE,
      `Confirm the payment of ${showUsdc(amountDisplay)} in ${wallet.name}.`,
    );
    const params = [{ from, ...transaction }];
    const txHash = await requestWallet(wallet, "eth_sendTransaction", params);
    showMessage(MESSAGE, "");
    return txHash;
  } finally {
    isAsked = false;
  }
}

/** Quiet zone of a QR code in modules (ISO/IEC 18004, 9.1). */
const QUIET = 4;

/**
 * Describes the other ways to pay.
 * @param {string} uri EIP-681
 * @param {(txHash: string) => Promise<void>} follow
 */
async function describeOtherWays(uri, follow) {
  const form = make("form", { className: "cluster cluster-end" }, [
    make("div", { className: "field grow" }, [
      make("label", {
        htmlFor: "tx-hash",
        textContent: "Already paid? Enter the transaction hash",
      }),
      make("input", {
        id: "tx-hash",
        name: "txHash",
        required: true,
        pattern: "0x[0-9a-fA-F]{64}",
        placeholder: "0x…",
        title: "0x and 64 hexadecimal digits",
        autocomplete: "off",
        spellcheck: false,
      }),
    ]),
    make("button", { textContent: "Check it" }),
  ]);
  onSubmit(form, MESSAGE, async () => {
    await follow(byId("tx-hash", HTMLInputElement).value.toLowerCase());
  });
  return make("details", {}, [
    make("summary", { textContent: "Pay from a phone or another app" }),
    make("div", { className: "stack" }, [
      make("p", {
        textContent:
          "Pay from the same wallet address: only its payments count for this account. " +
          "We find your payment within a few minutes, even if you close this page.",
      }),
      make("div", { className: "cluster other-ways" }, [
        await drawCode(uri),
        make("p", {}, [
          make("a", { href: uri, className: "button" }, ["Open a wallet app"]),
        ]),
      ]),
      form,
    ]),
  ]);
}

/** @param {string} uri */
async function drawCode(uri) {
  // Loaded only when a quote is shown.
  const { encodeQR } = await import("../vendor/qr.js");
  const rows = encodeQR(uri, "raw", { border: QUIET });
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? [`M${x} ${y}h1v1h-1z`] : [])
  );
  return draw("svg", {
    class: "qr",
    viewBox: `0 0 ${rows.length} ${rows.length}`,
    role: "img",
    "aria-label": "The payment as a QR code",
    "shape-rendering": "crispEdges",
  }, [draw("path", { d: dark.join("") })]);
}
