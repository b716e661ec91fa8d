/** Account endpoints for payments: quotes, claims, and the list of payments. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { ACCOUNT } from "../http/paths.ts";
import { createRoute } from "@hono/zod-openapi";
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
import { readPayments } from "../../services/payments/entitlements.ts";
import { claimPayment } from "../../services/payments/payments.ts";
import { createQuote } from "../../services/payments/quotes.ts";
import { limitWallet } from "../../services/platform/rate_limit/wallet_limits.ts";
import { requireJson } from "../http/body.ts";
import { addressOf } from "../http/client_address.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  READ_ERRORS,
  SESSION,
  signedIn,
} from "../accounts/session.ts";
import { receipts } from "./receipt.ts";

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
