/** The page that verifies signed scores. */
import { describeAttesting } from "../../services/attestations/signers.ts";
import type { AttestationsDeps } from "../../services/attestations/deps.ts";
import { answerPage } from "../pages/page.ts";
import { newRouter } from "../http/router.ts";
import {
  VERIFY_PATH,
  verifyAttestationPage,
} from "./verify_attestation_page.ts";

/** Serves the page. */
export function verifyAttestation(deps: AttestationsDeps) {
  return newRouter().get(VERIFY_PATH, async (c) => {
    const published = await describeAttesting(deps);
    const { publicUrl } = deps;
    return answerPage(c, verifyAttestationPage({ published, publicUrl }));
  });
}
