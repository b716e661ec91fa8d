/** Payments of an account: quotes, claims, and what was paid so far. */
import { createRoute } from "@hono/zod-openapi";
import { NoQuery } from "../../services/chain_data/metrics_schema.ts";
import {
  ClaimAnswer,
  ClaimBody,
  PaymentsAnswer,
  PendingAnswer,
  QuoteAnswer,
  QuoteBody,
} from "../../services/payments/payments_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { readPayments } from "../../services/payments/entitlements.ts";
import { claimPayment } from "../../services/payments/payments.ts";
import { createQuote } from "../../services/payments/quotes.ts";
import { requireJson } from "../middleware/body.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  READ_ERRORS,
  SESSION,
  signedIn,
} from "../middleware/session.ts";

const DISABLED = {
  501: json(ErrorBody, "This deployment takes no payments"),
};

/** Serves quotes, claims and payments. */
export function payments(deps: AccountsDeps) {
  const postQuote = createRoute({
    operationId: "postQuote",
    tags: ["Payments"],
    method: "post",
    path: "/quotes",
    security: SESSION,
    summary: "What a product costs the wallet now, and where to pay it",
    middleware: [signedIn(deps), requireJson] as const,
    request: { query: NoQuery, body: jsonBody(QuoteBody) },
    responses: {
      200: json(QuoteAnswer, "The quote; its amount holds for half an hour"),
      ...ACCOUNT_ERRORS,
      409: json(ErrorBody, "The wallet has it already"),
      429: json(ErrorBody, "Too many quotes; Retry-After says more"),
      ...DISABLED,
    },
  });
  const postClaim = createRoute({
    operationId: "postClaim",
    tags: ["Payments"],
    method: "post",
    path: "/claims",
    security: SESSION,
    summary: "Credits a transaction of the wallet to a quote, once it is final",
    middleware: [signedIn(deps), requireJson] as const,
    request: { query: NoQuery, body: jsonBody(ClaimBody) },
    responses: {
      200: json(ClaimAnswer, "Credited: what was bought, or what is missing"),
      202: json(PendingAnswer, "Not final yet; ask again in a few seconds"),
      ...ACCOUNT_ERRORS,
      404: json(ErrorBody, "The wallet has no such quote"),
      409: json(ErrorBody, "The transaction or the quote is used already"),
      422: json(ErrorBody, "The transaction is no payment; the code says why"),
      429: json(ErrorBody, "Too many claims; Retry-After says more"),
      ...DISABLED,
      503: json(ErrorBody, "A node is unreachable; nothing is lost, ask again"),
    },
  });
  const getPayments = createRoute({
    operationId: "getPayments",
    tags: ["Payments"],
    method: "get",
    path: "/payments",
    security: SESSION,
    summary: "What the wallet has paid, and what it has for that",
    middleware: [signedIn(deps)] as const,
    request: { query: NoQuery },
    responses: { 200: json(PaymentsAnswer, "The payments"), ...READ_ERRORS },
  });

  return newRouter<AccountEnv>()
    .openapi(postQuote, async (c) => {
      const quote = await createQuote(
        deps,
        c.get("wallet"),
        c.req.valid("json"),
      );
      return c.json(quote, 200);
    })
    .openapi(postClaim, async (c) => {
      const { quoteId, txHash } = c.req.valid("json");
      const requestId = c.get("requestId");
      const answer = await claimPayment(deps, c.get("wallet"), {
        quoteId,
        txHash,
        requestId,
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
