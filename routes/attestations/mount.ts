/** Mounts signed scores: the endpoint, the list of signers, the page that verifies. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AttestationsDeps } from "../../services/attestations/deps.ts";
import { SCORING } from "../http/paths.ts";
import { attestations, wellKnown } from "./attestations.ts";
import { verifyAttestation } from "./verify_attestation.ts";

/** Mounts the routers of signed scores on the app, after the check of keys. */
export function mountAttestations(
  app: OpenAPIHono,
  deps: AttestationsDeps,
): void {
  app.route(SCORING, attestations(deps));
  app.route("/.well-known", wellKnown(deps));
  app.route("/", verifyAttestation(deps));
}
