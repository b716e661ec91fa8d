/** The account: signing in by a one-time message, and what its owner sees. */
import { createRoute } from "@hono/zod-openapi";
import { readAccount, readCalls } from "../../services/accounts/account.ts";
import {
  confirm,
  createChallenge,
} from "../../services/accounts/challenges.ts";
import { limitFreeAction } from "../../services/platform/rate_limit/change_limits.ts";
import {
  AccountAnswer,
  CallsAnswer,
  ChallengeAnswer,
  ChallengeBody,
  Proof,
  SessionAnswer,
} from "../../services/accounts/account_schema.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { endSession, startSession } from "../../services/accounts/sessions.ts";
import { requireJson } from "../http/body.ts";
import { addressOf, clientOf } from "../http/client_address.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  CHANGE_ERRORS,
  deleteSessionCookie,
  ofWallet,
  PROOF_ERRORS,
  READ_ERRORS,
  readSessionToken,
  requireShown,
  writeSessionCookie,
} from "./session.ts";

const postChallenge = createRoute({
  operationId: "postChallenge",
  description:
    "The message names the action, the domain, the chain and a nonce (EIP-4361). It is valid for ten minutes and for one use.",
  tags: ["Account"],
  method: "post",
  path: "/challenges",
  summary: "Create a one-time message whose signature confirms an action",
  middleware: [requireJson] as const,
  request: { query: NoQuery, body: jsonBody(ChallengeBody) },
  responses: {
    200: json(ChallengeAnswer, "The message, valid once and for ten minutes"),
    ...CHANGE_ERRORS,
    429: json(
      ErrorBody,
      "Too many requests from one network; wait as long as Retry-After says",
    ),
  },
});

const postSession = createRoute({
  operationId: "postSession",
  description:
    "Takes a signed challenge. Smart accounts sign by ERC-1271 or ERC-6492. The session lasts twelve hours.",
  tags: ["Account"],
  method: "post",
  path: "/session",
  summary: "Sign a wallet in; the session is a cookie",
  middleware: [requireJson] as const,
  request: { query: NoQuery, body: jsonBody(Proof) },
  responses: {
    200: json(SessionAnswer, "The wallet is signed in"),
    ...ACCOUNT_ERRORS,
    ...PROOF_ERRORS,
  },
});

const deleteSession = createRoute({
  operationId: "deleteSession",
  description:
    "Ends the session of the cookie. Other sessions of the wallet stay.",
  tags: ["Account"],
  method: "delete",
  path: "/session",
  summary: "Sign the wallet out",
  request: { query: NoQuery },
  responses: {
    204: { description: "The wallet is signed out" },
    ...CHANGE_ERRORS,
    401: json(ErrorBody, "Signed in with another wallet than the page shows"),
  },
});

/** Serves challenges, sessions and the account itself. */
export function account(deps: AccountsDeps) {
  const getAccount = createRoute({
    operationId: "getAccount",
    description:
      "Keys are listed without their secret part. The audit trail is newest first.",
    ...ofWallet(deps),
    method: "get",
    path: "/",
    summary: "Read the plan, keys, usage and audit trail of the wallet",
    request: { query: NoQuery },
    responses: { 200: json(AccountAnswer, "The account"), ...READ_ERRORS },
  });

  const getCalls = createRoute({
    operationId: "getCalls",
    description:
      "The last 100 calls with the wallet's keys in 30 days, and the scores that its session has signed. They contain route patterns, but neither scored addresses nor addresses of clients. A call appears after some seconds, or after minutes under load, because each process adds its calls in batches. A killed process loses the calls that it has not added; their units are counted all the same.",
    ...ofWallet(deps),
    method: "get",
    path: "/calls",
    summary: "List the last calls with the keys of the wallet",
    request: { query: NoQuery },
    responses: { 200: json(CallsAnswer, "The calls"), ...READ_ERRORS },
  });

  return newRouter<AccountEnv>()
    .openapi(postChallenge, async (c) => {
      await limitFreeAction(deps, "challenge", clientOf(deps, c));
      return c.json(await createChallenge(deps, c.req.valid("json")), 200);
    })
    .openapi(postSession, async (c) => {
      const confirmation = await confirm(deps, c.req.valid("json"), {
        action: "session",
        params: {},
        hostname: addressOf(deps, c.req.raw, c.env),
      });
      const { wallet } = confirmation;
      const session = await startSession(deps, confirmation, {
        replaces: readSessionToken(deps, c),
        requestId: c.get("requestId"),
      });
      writeSessionCookie(deps, c, session);
      const expiresAt = new Date(session.expiresAt).toISOString();
      return c.json({ wallet, expiresAt }, 200);
    })
    .openapi(deleteSession, async (c) => {
      const token = readSessionToken(deps, c);
      if (token !== undefined) {
        await endSession(
          deps,
          token,
          c.get("requestId"),
          (wallet) => requireShown(c, wallet),
        );
      }
      deleteSessionCookie(deps, c);
      return c.body(null, 204);
    })
    .openapi(
      getAccount,
      async (c) => c.json(await readAccount(deps, c.get("wallet")), 200),
    )
    .openapi(
      getCalls,
      async (c) => c.json(await readCalls(deps, c.get("wallet")), 200),
    );
}
