/** API keys: their owner creates, rotates and revokes them by signed actions. */
import { createRoute } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import {
  createApiKey,
  limitApiKey,
  MAX_WALLET_KEYS,
  revokeApiKey,
  rotateApiKey,
} from "../../services/accounts/api_keys.ts";
import { confirm } from "../../services/accounts/challenges.ts";
import { limitFreeAction } from "../../services/platform/rate_limit/change_limits.ts";
import {
  CreatedKeyAnswer,
  CreateKeyBody,
  KeyPath,
  KeySummary,
  LimitKeyBody,
  Proof,
  RotateKeyBody,
} from "../../services/accounts/account_schema.ts";
import { limitsOf } from "../../services/accounts/key_limits.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { requireJson } from "../http/body.ts";
import { addressOf, clientOf } from "../http/client_address.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  PROOF_ERRORS,
  requireSession,
  SESSION,
  signedIn,
} from "./session.ts";

const TOO_MANY_KEYS = {
  409: json(
    ErrorBody,
    `The wallet has ${MAX_WALLET_KEYS} keys; revoke one first`,
  ),
};
const UNKNOWN_KEY = {
  404: json(ErrorBody, "The wallet has no such key"),
};

/** Serves the creation, rotation and revocation of keys. */
export function accountKeys(deps: AccountsDeps) {
  const ofKeys = {
    tags: ["API keys"],
    security: SESSION,
    middleware: [signedIn(deps), requireJson] as [
      MiddlewareHandler<AccountEnv>,
      MiddlewareHandler,
    ],
  };
  const postKey = createRoute({
    operationId: "postKey",
    description:
      "Takes a signed challenge for this action. Only the SHA-256 of the key is stored, so it cannot be shown again.",
    ...ofKeys,
    method: "post",
    path: "/keys",
    summary: "Create a key; it is shown only once",
    request: { query: NoQuery, body: jsonBody(CreateKeyBody) },
    responses: {
      201: json(CreatedKeyAnswer, "The key"),
      ...ACCOUNT_ERRORS,
      ...PROOF_ERRORS,
      ...TOO_MANY_KEYS,
      429: json(
        ErrorBody,
        "Too many requests from one network; wait as long as Retry-After says",
      ),
    },
  });
  const postRotation = createRoute({
    operationId: "postRotation",
    description:
      "Takes a signed challenge for this action. Both keys work until the grace period ends, and they share the wallet's quota and the cap. The new key has the limits of the old one.",
    ...ofKeys,
    method: "post",
    path: "/keys/{id}/rotate",
    summary: "Replace a key; the old one works for a grace period",
    request: { params: KeyPath, query: NoQuery, body: jsonBody(RotateKeyBody) },
    responses: {
      201: json(CreatedKeyAnswer, "The new key"),
      ...ACCOUNT_ERRORS,
      ...PROOF_ERRORS,
      ...TOO_MANY_KEYS,
      ...UNKNOWN_KEY,
    },
  });
  const putLimits = createRoute({
    operationId: "putKeyLimits",
    description:
      "Takes a signed challenge for this action. The limits replace those of the key, from its next request on; a limit that is left out is lifted.",
    ...ofKeys,
    method: "put",
    path: "/keys/{id}/limits",
    summary: "Change the scopes, networks, expiry, cap and note of a key",
    request: { params: KeyPath, query: NoQuery, body: jsonBody(LimitKeyBody) },
    responses: {
      200: json(KeySummary, "The key with its limits"),
      ...ACCOUNT_ERRORS,
      ...PROOF_ERRORS,
      ...UNKNOWN_KEY,
    },
  });
  const deleteKey = createRoute({
    operationId: "deleteKey",
    description:
      "Takes a signed challenge for this action. The other keys of the wallet keep working.",
    ...ofKeys,
    method: "delete",
    path: "/keys/{id}",
    summary: "Revoke a key; its next request is refused",
    request: { params: KeyPath, query: NoQuery, body: jsonBody(Proof) },
    responses: {
      204: { description: "The key is revoked" },
      ...ACCOUNT_ERRORS,
      ...PROOF_ERRORS,
      ...UNKNOWN_KEY,
    },
  });

  /** The contract of a smart account must confirm its session before a signed action. */
  const checksOf = (c: Context) => ({
    hostname: addressOf(deps, c.req.raw, c.env),
    lastCheck: () => requireSession(deps, c, { mustConfirm: true }),
  });

  return newRouter<AccountEnv>()
    .openapi(postKey, async (c) => {
      const { keyName, kind, limits, ...proof } = c.req.valid("json");
      const { wallet, requestId } = c.var;
      await limitFreeAction(deps, "keyCreation", clientOf(deps, c));
      const action = "key.create";
      const params = { keyName, kind, limits };
      await confirm(deps, proof, { action, params, wallet, ...checksOf(c) });
      const created = await createApiKey(deps, {
        wallet,
        name: keyName,
        kind,
        limits: limitsOf(limits),
        requestId,
      });
      if (created === null) throw tooManyKeys();
      return c.json(created, 201);
    })
    .openapi(postRotation, async (c) => {
      const { id: keyId } = c.req.valid("param");
      const { graceSeconds, ...proof } = c.req.valid("json");
      const { wallet, requestId } = c.var;
      const action = "key.rotate";
      const params = { keyId, graceSeconds };
      await confirm(deps, proof, { action, params, wallet, ...checksOf(c) });
      const order = { wallet, id: keyId, graceSeconds, requestId };
      const created = await rotateApiKey(deps, order);
      if (created === "unknown") throw unknownKey();
      if (created === "tooMany") throw tooManyKeys();
      return c.json(created, 201);
    })
    .openapi(putLimits, async (c) => {
      const { id: keyId } = c.req.valid("param");
      const { limits, ...proof } = c.req.valid("json");
      const { wallet, requestId } = c.var;
      const action = "key.limit";
      const params = { keyId, limits };
      await confirm(deps, proof, { action, params, wallet, ...checksOf(c) });
      const order = { wallet, id: keyId, limits: limitsOf(limits), requestId };
      const limited = await limitApiKey(deps, order);
      if (limited === null) throw unknownKey();
      return c.json(limited, 200);
    })
    .openapi(deleteKey, async (c) => {
      const { id: keyId } = c.req.valid("param");
      const proof = c.req.valid("json");
      const { wallet, requestId } = c.var;
      const action = "key.revoke";
      const params = { keyId };
      await confirm(deps, proof, { action, params, wallet, ...checksOf(c) });
      const isRevoked = await revokeApiKey(deps, keyId, { wallet, requestId });
      if (!isRevoked) throw unknownKey();
      return c.body(null, 204);
    });
}

function tooManyKeys(): Fault {
  return new Fault(
    `Cannot create a key: the wallet has ${MAX_WALLET_KEYS} keys, or ${MAX_WALLET_KEYS} replaced ones that still work; revoke one first`,
    { kind: "tooManyKeys", maxKeys: MAX_WALLET_KEYS },
  );
}

function unknownKey(): Fault {
  return new Fault("Cannot find the key: the wallet has no key of this id", {
    kind: "unknownKey",
  });
}
