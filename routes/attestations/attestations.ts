/** Signed scores, and who signs them. */
import { createRoute } from "@hono/zod-openapi";
import {
  type AttestationsDeps,
  signScore,
} from "../../services/attestations/attestations.ts";
import {
  describeAttesting,
  requireSigning,
} from "../../services/attestations/signers.ts";
import { AddressPath } from "../../services/platform/address_schema.ts";
import {
  AttestationInfo,
  SignedAnswer,
  SignedQuery,
} from "../../services/attestations/attestations_schema.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import { refuseFixtureSigned } from "../../services/scores/test_key_answers.ts";
import {
  meter,
  requesterOf,
  type SessionRequest,
} from "../../services/scores/charge_and_refund.ts";
import { SESSION_KEY, sessionCaller } from "../../services/accounts/access.ts";
import { limitWallet } from "../../services/platform/rate_limit/wallet_limits.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  SESSION,
  signedIn,
} from "../accounts/session.ts";
import { addressOf } from "../http/client_address.ts";
import {
  answerKeyed,
  type CallerEnv,
  requireAccess,
} from "../accounts/caller.ts";
import { BAD_QUERY, json, KEYED_ERRORS, newRouter } from "../http/router.ts";
import { anyOrigin } from "../http/cors.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { ACCOUNT, SCORING } from "../http/paths.ts";
import { verifyAttestation } from "./verify_attestation.ts";

/** The route of the log of calls. */
const OWN_SIGNED = "/score/signed";

/** Serves the signed score of the signed-in wallet, without a key. */
function ownSigned(deps: AttestationsDeps) {
  const postOwnSigned = createRoute({
    operationId: "postOwnSigned",
    description:
      "Spends one unit of the wallet's plan, from Growth on, and signs the score of this wallet only. The session is the proof: no key is needed or made. Nothing is charged if it fails.",
    tags: ["Account"],
    method: "post",
    path: OWN_SIGNED,
    security: SESSION,
    summary: "Sign your own score (EIP-712)",
    middleware: [signedIn(deps)] as const,
    request: { query: SignedQuery },
    responses: {
      200: json(SignedAnswer, "The attestation"),
      ...KEYED_ERRORS,
      ...ACCOUNT_ERRORS,
      501: json(ErrorBody, "Signing is disabled on this deployment"),
    },
  });
  return newRouter<AccountEnv>().openapi(postOwnSigned, async (c) => {
    const { wallet, requestId } = c.var;
    const { ttl } = c.req.valid("query");
    requireSigning(deps);
    await limitWallet(deps, "signature", wallet);
    const request: SessionRequest = {
      caller: await sessionCaller(deps, wallet),
      endpoint: "signed",
      unverified: null,
      quotaStatus: null,
      units: 0,
      hostname: addressOf(deps, c.req.raw, c.env),
    };
    const answer = await meter(deps, request, {
      endpoint: "signed",
      units: 1,
      work: () => signScore(deps, wallet, ttl, requesterOf(request)),
      fixture: refuseFixtureSigned,
    });
    deps.callLog.note(wallet, {
      at: deps.now().getTime(),
      endpoint: `POST ${ACCOUNT}${OWN_SIGNED}`,
      keyId: SESSION_KEY,
      status: 200,
      units: request.units,
      requestId,
    });
    return c.json(answer, 200);
  });
}

/** Serves signed scores. Mount behind `keyed`. */
function attestations(deps: AttestationsDeps) {
  const getSigned = createRoute({
    operationId: "getSigned",
    description:
      "Spends one unit. The answer holds the typed data as it was signed, so that a contract or a page can verify it without asking the service.",
    tags: ["Attestations"],
    method: "get",
    security: [{ ApiKey: [] }],
    path: "/score/{address}/signed",
    summary:
      "Read the live score of one address as a signed attestation (EIP-712)",
    middleware: [requireAccess(deps, "signed")] as const,
    request: { params: AddressPath, query: SignedQuery },
    responses: {
      200: json(SignedAnswer, "The attestation"),
      ...KEYED_ERRORS,
      501: json(ErrorBody, "Signing is disabled on this deployment"),
    },
  });
  return newRouter<CallerEnv>().openapi(getSigned, async (c) => {
    const { address } = c.req.valid("param");
    const { ttl } = c.req.valid("query");
    requireSigning(deps);
    const keyed = c.get("keyed");
    const requester = requesterOf(keyed);
    const work = () => signScore(deps, address, ttl, requester);
    const fixture = refuseFixtureSigned;
    const call = { endpoint: "signed", units: 1, work, fixture } as const;
    return answerKeyed(await meter(deps, keyed, call));
  });
}

const getSigners = createRoute({
  operationId: "getSigners",
  description:
    "The current signer, the former ones with their state, and the EIP-712 type and domain.",
  tags: ["Attestations"],
  method: "get",
  path: "/score-attestation.json",
  summary: "Show the signers of attestations, and the signed type",
  request: { query: NoQuery },
  responses: {
    200: json(AttestationInfo, "Signers, domain and types"),
    ...BAD_QUERY,
  },
});

/** Serves what those who verify attestations need to know, under the well-known paths (RFC 8615). */
function wellKnown(deps: AttestationsDeps) {
  const router = newRouter();
  router.use("/score-attestation.json", anyOrigin());
  return router.openapi(getSigners, async (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return c.json(await describeAttesting(deps), 200);
  });
}

/** Mounts the routers of signed scores on the app, after the check of keys. */
export function mountAttestations(
  app: OpenAPIHono,
  deps: AttestationsDeps,
): void {
  app.route(SCORING, attestations(deps));
  app.route(ACCOUNT, ownSigned(deps));
  app.route("/.well-known", wellKnown(deps));
  app.route("/", verifyAttestation(deps));
}
