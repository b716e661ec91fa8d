/** The tool `verify_attestation`: judges a signed score as the page in the browser does. */
import type { AttestationsDeps } from "../../services/attestations/attestations.ts";
import { describeAttesting } from "../../services/attestations/signers.ts";
import { Fault, invalidParameter } from "../../services/platform/fault.ts";
import { TIER_IDS, TIERS } from "../../services/model/score_terms_schema.ts";
import type { Tool } from "./tools.ts";

const TIER_LIST = TIER_IDS.map((tier) => ({ tier, label: TIERS[tier].label }));

/** Creates the tool. */
export function attestationTool(deps: AttestationsDeps): Tool {
  return {
    name: "verify_attestation",
    title: "Verify a signed score",
    description:
      "Verifies a signed score, the whole JSON answer of GET /api/v1/score/{address}/signed: signature, signer, contract and chain, issue time and expiry. Costs nothing and needs no key.",
    inputSchema: {
      type: "object",
      properties: {
        attestation: {
          description: "The signed score, as an object or as its JSON text",
          anyOf: [{ type: "object" }, { type: "string" }],
        },
      },
      required: ["attestation"],
      additionalProperties: false,
    },
    isKeyed: false,
    async call({ attestation }) {
      // The module's cryptography is loaded when it is first needed.
      const { judge, parseSigned } = await import(
        "../../static/attestation.js"
      );
      const signed = parse(parseSigned, attestation);
      const published = await describeAttesting(deps);
      const now = deps.now();
      const judged = judge(signed, {
        published,
        tiers: TIER_LIST,
        nowS: now.getTime() / 1000,
      });
      const { isValid, verdict, reason, checks, recovered } = judged;
      const { message } = signed;
      const body = {
        summary: `${verdict}: ${reason}.`,
        isValid,
        subject: message.subject.toLowerCase(),
        score: Number(message.score),
        tier: TIER_LIST[message.tier]?.tier ?? null,
        humanity: Number(message.humanity),
        verifiedHuman: message.verifiedHuman,
        issuedAt: instantOf(message.issuedAt),
        expiresAt: instantOf(message.expiresAt),
        signer: recovered,
        checks,
        checkedAt: now.toISOString(),
      };
      return { isError: false, body };
    },
  };
}

/** Parses the argument; a page of the browser words the same errors. */
function parse<Signed>(
  parseSigned: (text: string) => Signed,
  attestation: unknown,
): Signed {
  if (attestation === undefined) {
    throw new Fault(
      "Missing attestation: expected the answer of GET /api/v1/score/{address}/signed",
      { kind: "badInput", parameter: "attestation" },
    );
  }
  const text = typeof attestation === "string"
    ? attestation
    : JSON.stringify(attestation);
  try {
    return parseSigned(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "malformed";
    throw invalidParameter(
      "attestation",
      text,
      `the answer of GET /api/v1/score/{address}/signed (${reason})`,
    );
  }
}

/** Returns an instant in seconds as text; null beyond the calendar. */
function instantOf(seconds: string): string | null {
  const at = new Date(Number(seconds) * 1000);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
