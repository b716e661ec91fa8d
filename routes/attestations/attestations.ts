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
import { meter, requesterOf } from "../../services/scores/charge_and_refund.ts";
import {
  answerKeyed,
  type CallerEnv,
  requireAccess,
} from "../accounts/caller.ts";
import { BAD_QUERY, json, KEYED_ERRORS, newRouter } from "../http/router.ts";
import { anyOrigin } from "../http/cors.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { SCORING } from "../http/paths.ts";
import { verifyAttestation } from "./verify_attestation.ts";

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
  app.route("/.well-known", wellKnown(deps));
  app.route("/", verifyAttestation(deps));
}
