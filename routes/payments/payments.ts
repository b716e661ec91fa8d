/**
 * Account endpoints for payments: quotes, claims, and the list of payments. A receipt,
 * `GET /dashboard/receipts/{id}`, is to print or to keep as a file; only its wallet sees
 * it.
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { ACCOUNT } from "../http/paths.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import {
  ClaimAnswer,
  ClaimBody,
  PaymentsAnswer,
  PendingAnswer,
  QuoteAnswer,
  QuoteBody,
} from "../../services/payments/payments_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import {
  readPayments,
  readReceipt,
  type Receipt,
} from "../../services/payments/entitlements.ts";
import { claimPayment } from "../../services/payments/payments.ts";
import { createQuote } from "../../services/payments/quotes.ts";
import { limitWallet } from "../../services/platform/rate_limit/change_limits.ts";
import { requireJson } from "../http/body.ts";
import { addressOf } from "../http/client_address.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  findWallet,
  READ_ERRORS,
  SESSION,
  signedIn,
} from "../accounts/session.ts";
import { html } from "hono/html";
import { PERIOD_DAYS, PRODUCTS } from "../../services/payments/plans_schema.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { OWN_PAGE, ownedPage, SIGN_IN } from "../accounts/wallet_page.ts";
import { dayWords, showUsdc } from "../pages/dates.ts";
import { type Html, type Page, simulatedWords } from "../pages/layout.ts";
import { answerPage } from "../pages/page.ts";

const DISABLED = {
  501: json(ErrorBody, "Payments are disabled on this deployment"),
};

/** Mounts the payments of an account, and their receipts, on the app. */
export function mountPayments(app: OpenAPIHono, deps: AccountsDeps): void {
  app.route(ACCOUNT, payments(deps));
  app.route("/dashboard", receipts(deps));
}

/** Serves quotes, claims and payments. */
function payments(deps: AccountsDeps) {
  const postQuote = createRoute({
    operationId: "postQuote",
    description:
      "The quote fixes the amount and the treasury address until it expires. `uri` is a link that wallets open (EIP-681). Credit of the wallet is deducted.",
    tags: ["Payments"],
    method: "post",
    path: "/quotes",
    security: SESSION,
    summary: "Quote the price of a product for the wallet",
    middleware: [signedIn(deps), requireJson] as const,
    request: { query: NoQuery, body: jsonBody(QuoteBody) },
    responses: {
      200: json(
        QuoteAnswer,
        "The quote; its amount is guaranteed for half an hour",
      ),
      ...ACCOUNT_ERRORS,
      409: json(
        ErrorBody,
        "The wallet bought this slug already, or the sources cannot serve the plan",
      ),
      429: json(ErrorBody, "Too many quotes; wait as long as Retry-After says"),
      ...DISABLED,
    },
  });
  const postClaim = createRoute({
    operationId: "postClaim",
    description:
      "Takes the hash of a transaction that pays the quote in USDC. Every configured node must agree on it. A job also finds payments that nobody claims.",
    tags: ["Payments"],
    method: "post",
    path: "/claims",
    security: SESSION,
    summary: "Credit a transaction to a quote",
    middleware: [signedIn(deps, { isPayment: true }), requireJson] as const,
    request: { query: NoQuery, body: jsonBody(ClaimBody) },
    responses: {
      200: json(ClaimAnswer, "Credited: the purchase, or the missing amount"),
      202: json(
        PendingAnswer,
        "The transaction is not final yet; retry in a few seconds",
      ),
      ...ACCOUNT_ERRORS,
      404: json(ErrorBody, "The wallet has no such quote"),
      409: json(ErrorBody, "The transaction or the quote is used already"),
      422: json(
        ErrorBody,
        "The transaction is not a valid payment; see the code",
      ),
      429: json(ErrorBody, "Too many claims; wait as long as Retry-After says"),
      ...DISABLED,
      503: json(ErrorBody, "A node is unreachable; retry later"),
    },
  });
  const getPayments = createRoute({
    operationId: "getPayments",
    description:
      "Payments with their products, newest first, and the wallet's entitlements with their end times.",
    tags: ["Payments"],
    method: "get",
    path: "/payments",
    security: SESSION,
    summary: "List the payments and entitlements of the wallet",
    middleware: [signedIn(deps)] as const,
    request: { query: NoQuery },
    responses: { 200: json(PaymentsAnswer, "The payments"), ...READ_ERRORS },
  });

  return newRouter<AccountEnv>()
    .openapi(postQuote, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "quote", wallet);
      return c.json(await createQuote(deps, wallet, c.req.valid("json")), 200);
    })
    .openapi(postClaim, async (c) => {
      const { wallet, requestId } = c.var;
      const answer = await claimPayment(deps, wallet, {
        ...c.req.valid("json"),
        requestId,
        hostname: addressOf(deps, c.req.raw, c.env),
      });
      return answer.status === "pending"
        ? c.json(answer, 202)
        : c.json(answer, 200);
    })
    .openapi(
      getPayments,
      async (c) => c.json(await readPayments(deps, c.get("wallet")), 200),
    );
}

/** Where a transaction of the C-Chain can be looked up. Other chains and the demo have no link. */
const EXPLORER = "https://snowtrace.io/tx/";

/** Serves the receipts of a wallet to its owner; to others each is not found. */
function receipts(deps: AccountsDeps) {
  return newRouter().get("/receipts/:id", async (c) => {
    const wallet = await findWallet(deps, c);
    if (wallet === null) return c.redirect(SIGN_IN, 302);
    const receipt = await readReceipt(deps, wallet, c.req.param("id"));
    if (receipt === null) return c.notFound();
    const page = receiptPage(receipt, { ...deps, wallet });
    return answerPage(c, page, { headers: OWN_PAGE });
  });
}

/** Renders a receipt. */
function receiptPage(
  receipt: Receipt,
  { wallet, publicUrl, chainId, payment }:
    & Pick<AccountsDeps, "chainId" | "payment" | "publicUrl">
    & { readonly wallet: string },
): Page {
  const { amountDisplay, creditedAt, transaction } = receipt;
  const chain = chainId === C_CHAIN
    ? html`Avalanche <span class="nowrap">C-Chain</span> (${chainId})`
    : `chain ${chainId}`;
  return ownedPage({
    title: "Receipt",
    lede:
      html`Paid to Firn at <span class="break-anywhere">${publicUrl}</span>`,
    wallet,
    section: "payments",
    modules: ["print.js"],
    content: html`
      <section class="card stack receipt" aria-labelledby="amount">
        <h2 id="amount">${showUsdc(Number(amountDisplay))}</h2>
        ${receipt.revokedAt === null ? "" : html`
          <p
            class="notice notice-bad">Revoked on ${time(
              receipt.revokedAt,
            )}: a reorganisation of the chain removed the block. This payment counts no more.</p>
        `}
        <dl class="facts">
          ${fact("For", purposeOf(receipt))}
          ${receipt.from === null ? "" : fact(
            "Period",
            html`${time(receipt.from)} to ${
              receipt.until === null ? "no end" : time(receipt.until)
            }`,
          )}
          ${fact("Paid by", html`<code>${wallet}</code>`)}
          ${transaction === null
            ? fact("Transaction", "none: paid with credit")
            : html`${
              fact(
                "Paid to",
                transaction.treasury === null
                  ? "see the transaction"
                  : html`<code>${transaction.treasury}</code>`,
              )
            }
            ${fact("Token", html`USDC, <code>${payment.token}</code>`)}
            ${fact("Chain", chain)}
            ${fact("Transaction", transactionOf(transaction.txHash, chainId))}
            ${fact("Block", String(transaction.blockNumber))}
            ${fact("Block time", time(transaction.paidAt))}`}
          ${fact("Credited", time(creditedAt))}
        </dl>
        <p class="cluster"><button type="button" id="print" hidden>Print or save as PDF</button></p>
      </section>
    `,
  });
}

function purposeOf({ product, periods }: Receipt): string {
  if (product === null) return "Credit towards the next purchase";
  const { label, kind } = PRODUCTS[product];
  if (kind === "slug") return label;
  return periods === 0
    ? `${label}, extended`
    : `${label}, ${periods * PERIOD_DAYS} days`;
}

function transactionOf(txHash: string, chainId: number): Html {
  return chainId === C_CHAIN && simulatedWords() === ""
    ? html`<a href="${EXPLORER}${txHash}" rel="noreferrer"><code>${txHash}</code></a>`
    : html`<code>${txHash}</code>`;
}

const fact = (term: string, value: Html | string): Html =>
  html`
    <dt>${term}</dt>
    <dd>${value}</dd>
  `;

/** Renders an instant to the second: a bookkeeper compares it with the block. */
const time = (iso: string): Html =>
  html`<time datetime="${iso}">${dayWords(iso)}, ${
    iso.slice(11, 19)
  } UTC</time>`;
