/** Signed scores: EIP-712 statements that can be verified offline. */
import { tablesHashOf } from "../model/model.ts";
import type { Address, Hex } from "viem";
import {
  type Attesting,
  domainOf,
  requireSigning,
  type Signer,
} from "./signers.ts";
import {
  type Attestation,
  type Domain,
  PRIMARY_TYPE,
  SCORE_TYPES,
  type SignedAnswer,
} from "./attestations_schema.ts";
import type { ScoreRead } from "../model/scores_schema.ts";
import { TIERS } from "../model/score_terms_schema.ts";
import type { Requester } from "../platform/rate_limit/call_budget.ts";
import {
  isHumanNow,
  readScore,
  type ScoreReadDeps,
  type ScoresDeps,
} from "../scores/scores.ts";
import type { attestationNonceStore } from "./nonces_store.ts";

/** Dependencies of attestations. */
export interface AttestationsDeps extends ScoresDeps {
  readonly attesting: Attesting;
  readonly store: ScoresDeps["store"] & {
    readonly attestationNonces: ReturnType<typeof attestationNonceStore>;
  };
}

type SignDeps =
  & ScoreReadDeps
  & Pick<AttestationsDeps, "attesting" | "chainId" | "store">;

/**
 * Scores an address, lower-case, and signs its headline; it expires `ttlS` seconds
 * from now. The score is read for the requester.
 */
export async function signScore(
  deps: SignDeps,
  address: string,
  ttlS: number,
  requester: Requester,
): Promise<SignedAnswer> {
  const { signer, contract } = requireSigning(deps);
  const { nonce, score } = await deps.store.attestationNonces.takeWith(
    address,
    () => readScore(deps, address, { requester }),
    () => deps.now().getTime(),
  );
  const issuedAt = Date.parse(score.fetchedAt) / 1000;
  const expiresAt = issuedAt + ttlS;
  const domain = domainOf(deps, contract);
  const term = { issuedAt, expiresAt, nonce };
  const { message, readable } = statementOf(score, term);
  return {
    domain,
    types: { ScoreAttestation: [...SCORE_TYPES.ScoreAttestation] },
    primaryType: PRIMARY_TYPE,
    message,
    ...await sign(signer, domain, message),
    readable: { ...readable, modelTables: tablesOf(deps, score) },
    model: score.model,
  };
}

/** Validity of a statement, in epoch seconds, and its nonce. */
interface Term {
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly nonce: number;
}

/** Returns the statement of a score, as it is signed and in readable form. */
function statementOf(score: ScoreRead, { issuedAt, expiresAt, nonce }: Term): {
  readonly message: Attestation;
  readonly readable: Omit<SignedAnswer["readable"], "modelTables">;
} {
  const { address: subject, headline, s4, verifiedHuman } = score;
  const humanity = Math.round(s4.humanity);
  const isHuman = isHumanNow(score);
  const { index, label: tierLabel } = TIERS[headline.tier];
  return {
    message: {
      subject,
      score: String(headline.score),
      humanity: String(humanity),
      tier: index,
      verifiedHuman: isHuman,
      issuedAt: String(issuedAt),
      expiresAt: String(expiresAt),
      nonce: String(nonce),
    },
    readable: {
      subject,
      score: headline.score,
      humanity,
      tier: headline.tier,
      tierLabel,
      verifiedHuman: isHuman ? verifiedHuman : null,
      issuedAt: new Date(issuedAt * 1000).toISOString(),
      expiresAt: new Date(expiresAt * 1000).toISOString(),
      nonce: String(nonce),
    },
  };
}

/** Returns the SHA-256 of the tables of a score's model. */
function tablesOf(
  { modelSchedule }: Pick<SignDeps, "modelSchedule">,
  score: ScoreRead,
): string {
  const used = modelSchedule.find(({ model }) => model.id === score.model);
  return tablesHashOf(used!.model);
}

/** Signs a statement and verifies the signature before it is sent. */
async function sign(
  signer: Signer,
  domain: Domain,
  message: Attestation,
): Promise<Pick<SignedAnswer, "digest" | "signature" | "signer">> {
  const { hashTypedData, recoverTypedDataAddress } = await import("viem");
  const statement = {
    domain: {
      ...domain,
      verifyingContract: domain.verifyingContract as Address,
    },
    types: SCORE_TYPES,
    primaryType: PRIMARY_TYPE,
    message: {
      subject: message.subject as Address,
      score: BigInt(message.score),
      humanity: BigInt(message.humanity),
      tier: message.tier,
      verifiedHuman: message.verifiedHuman,
      issuedAt: BigInt(message.issuedAt),
      expiresAt: BigInt(message.expiresAt),
      nonce: BigInt(message.nonce),
    },
  } as const;
  const digest: Hex = hashTypedData(statement);
  const signature = await signer.sign(digest);
  const recovered = await recoverTypedDataAddress({ ...statement, signature });
  const address = await signer.address();
  if (recovered.toLowerCase() !== address) {
    throw new Error("Cannot sign the score: the signature is not the signer's");
  }
  return { digest, signature, signer: address };
}
