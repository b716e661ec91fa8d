/** API keys: their owner creates, rotates and revokes them by signed actions. */
import { createRoute } from "@hono/zod-openapi";
import {
  createApiKey,
  MAX_KEYS,
  revokeApiKey,
  rotateApiKey,
} from "../../services/accounts/api_keys.ts";
import { confirm } from "../../services/accounts/challenges.ts";
import { limitClient } from "../../services/platform/rate_limit/client_limits.ts";
import {
  CreatedKeyAnswer,
  CreateKeyBody,
  KeyPath,
  Proof,
  RotateKeyBody,
} from "../../services/accounts/account_schema.ts";
import { NoQuery } from "../../services/chain_data/metrics_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { requireJson } from "../middleware/body.ts";
import { clientOf } from "../middleware/client_address.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  PROOF_ERRORS,
  SESSION,
  signedIn,
} from "../middleware/session.ts";

const TOO_MANY_KEYS = {
  409: json(ErrorBody, `The wallet has ${MAX_KEYS} keys; revoke one first`),
};
const UNKNOWN_KEY = {
  404: json(ErrorBody, "The wallet has no such key"),
};

/** Serves the creation, rotation and revocation of keys. */
export function accountKeys(deps: AccountsDeps) {
  const postKey = createRoute({
    operationId: "postKey",
    description:
      "Takes a signed challenge for this action. Only the SHA-256 of the key is stored, so it cannot be shown again.",
    tags: ["API keys"],
    method: "post",
    path: "/keys",
    security: SESSION,
    summary: "Create a key; it is shown only once",
    middleware: [signedIn(deps, { isConfirmed: true }), requireJson] as const,
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
      "Takes a signed challenge for this action. Both keys work until the grace period ends, and they share the wallet's quota.",
    tags: ["API keys"],
    method: "post",
    path: "/keys/{id}/rotate",
    security: SESSION,
    summary: "Replace a key; the old one works for a grace period",
    middleware: [signedIn(deps, { isConfirmed: true }), requireJson] as const,
    request: { params: KeyPath, query: NoQuery, body: jsonBody(RotateKeyBody) },
    responses: {
      201: json(CreatedKeyAnswer, "The new key"),
      ...ACCOUNT_ERRORS,
      ...PROOF_ERRORS,
      ...TOO_MANY_KEYS,
      ...UNKNOWN_KEY,
    },
  });
  const deleteKey = createRoute({
    operationId: "deleteKey",
    description:
      "Takes a signed challenge for this action. The other keys of the wallet keep working.",
    tags: ["API keys"],
    method: "delete",
    path: "/keys/{id}",
    security: SESSION,
    summary: "Revoke a key; its next request is refused",
    middleware: [signedIn(deps, { isConfirmed: true }), requireJson] as const,
    request: { params: KeyPath, query: NoQuery, body: jsonBody(Proof) },
    responses: {
      204: { description: "The key is revoked" },
      ...ACCOUNT_ERRORS,
      ...PROOF_ERRORS,
      ...UNKNOWN_KEY,
    },
  });

  return newRouter<AccountEnv>()
    .openapi(postKey, async (c) => {
      const { keyName, kind, ...proof } = c.req.valid("json");
      const { wallet, requestId } = c.var;
      await limitClient(deps, "keyCreation", clientOf(deps, c));
      const action = "key.create";
      await confirm(deps, proof, { action, params: { keyName, kind }, wallet });
      const order = { wallet, name: keyName, kind, requestId };
      const created = await createApiKey(deps, order);
      if (created === null) throw tooManyKeys();
      return c.json(created, 201);
    })
    .openapi(postRotation, async (c) => {
      const { id: keyId } = c.req.valid("param");
      const { graceSeconds, ...proof } = c.req.valid("json");
      const { wallet, requestId } = c.var;
      const action = "key.rotate";
      const params = { keyId, graceSeconds };
      await confirm(deps, proof, { action, params, wallet });
      const order = { wallet, id: keyId, graceSeconds, requestId };
      const created = await rotateApiKey(deps, order);
      if (created === "unknown") throw unknownKey();
      if (created === "tooMany") throw tooManyKeys();
      return c.json(created, 201);
    })
    .openapi(deleteKey, async (c) => {
      const { id: keyId } = c.req.valid("param");
      const proof = c.req.valid("json");
      const { wallet, requestId } = c.var;
      const action = "key.revoke";
      await confirm(deps, proof, { action, params: { keyId }, wallet });
      const isRevoked = await revokeApiKey(deps, keyId, { wallet, requestId });
      if (!isRevoked) throw unknownKey();
      return c.body(null, 204);
    });
}

function tooManyKeys(): Fault {
  return new Fault(
    `Cannot create a key: the wallet has ${MAX_KEYS} keys, or ${MAX_KEYS} replaced ones that still work; revoke one first`,
    { kind: "tooManyKeys", maxKeys: MAX_KEYS },
  );
}

function unknownKey(): Fault {
  return new Fault("Cannot find the key: the wallet has no key of this id", {
    kind: "unknownKey",
  });
}
