/**
 * Verifies signed scores without a request to the service.
 *
 * `recover` finds the address that signed: `recoverTypedDataAddress` of viem, or a
 * function of your own.
 *
 * @example
 * ```ts ignore
 * import { Firn } from "@firn/sdk";
 * import { verifyAttestation } from "@firn/sdk/attestation";
 * import { recoverTypedDataAddress as recover } from "viem";
 *
 * const signers = await new Firn({ baseUrl: "https://firn.example" }).signers();
 * const { isValid, problems } = await verifyAttestation(signed, { signers, subject, recover });
 * ```
 *
 * @module
 */
import type {
  Attestation,
  AttestationDomain,
  AttestationInfo,
  AttestationTypes,
  SignedAttestation,
} from "./api_types.ts";

/** Why an attestation is not valid. */
export type AttestationProblem =
  | "SIGNATURE_INVALID"
  | "SIGNER_UNKNOWN"
  | "SIGNER_REVOKED"
  | "NOT_VALID_YET"
  | "EXPIRED"
  | "OTHER_SUBJECT";

/** The EIP-712 statement that was signed. Its types are wide enough for viem. */
export interface Statement {
  /** The domain of the service, not the one that came with the score. */
  readonly domain: AttestationDomain & {
    /** The contract that verifies attestations on chain. */
    readonly verifyingContract: `0x${string}`;
  };
  /** The types of the service. */
  readonly types: AttestationTypes & {
    /** viem takes any types. */
    readonly [name: string]: AttestationTypes["ScoreAttestation"];
  };
  /** The primary type. */
  readonly primaryType: "ScoreAttestation";
  /** The signed message. */
  readonly message: Attestation & {
    /** viem takes any fields. */
    readonly [field: string]: unknown;
  };
  /** The signature, 65 bytes as hex. */
  readonly signature: `0x${string}`;
}

/** Recovers the address that signed a statement, as `recoverTypedDataAddress` of viem does. */
export type Recover = (statement: Statement) => Promise<string>;

/** What an attestation is verified with. */
export interface VerifyOptions {
  /** The signers of the service, from `Firn.signers()`. Read them at least daily. */
  readonly signers: AttestationInfo;
  /** The address that the attestation must be about. Without it, an attestation of anybody is valid. */
  readonly subject?: string | undefined;
  /** The instant to judge at. Default: now. */
  readonly now?: Date | undefined;
  /** Recovers the signer, as `recoverTypedDataAddress` of viem does. */
  readonly recover: Recover;
}

/** The result of a verification. */
export interface AttestationVerdict {
  /** Whether the attestation is genuine, current, and about the subject. */
  readonly isValid: boolean;
  /** Why it is not valid; empty if it is. */
  readonly problems: readonly AttestationProblem[];
  /** The address that signed it, lower-case; null if the signature is malformed. */
  readonly signer: string | null;
  /** The signed message. Use this, and not `readable`, which is not signed. */
  readonly message: Attestation;
}

/** Accepted difference between this clock and the signer's, in seconds. */
const CLOCK_SKEW_S = 60;

/** Half of the order of secp256k1. A larger `s` is a second form of the same signature (EIP-2). */
const MAX_S =
  0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Verifies a signed score: who signed it, that nothing was changed, that it is
 * current, and that it is about the subject. It makes no request.
 *
 * Throws an error without `recover`, or if the service signs nothing.
 */
export async function verifyAttestation(
  { message, signature, signer }: SignedAttestation,
  { signers, subject, now = new Date(), recover }: VerifyOptions,
): Promise<AttestationVerdict> {
  const { domain, types } = signers;
  if (domain === null) {
    throw new Error("Cannot verify an attestation: the service signs nothing");
  }
  // The input of a program without types.
  if (typeof recover !== "function") {
    throw new TypeError(
      "Missing recover: expected a function such as recoverTypedDataAddress of viem",
    );
  }
  const primaryType = "ScoreAttestation";
  const recovered = await recoverFrom(
    { domain, types, primaryType, message, signature } as Statement,
    recover,
  );
  const known = signers.signers.find(({ address }) => address === recovered);
  const seconds = now.getTime() / 1000;
  const checks: readonly [AttestationProblem, boolean][] = [
    ["SIGNATURE_INVALID", !isSame(recovered, signer)],
    ["SIGNER_UNKNOWN", !known && isSame(recovered, signer)],
    ["SIGNER_REVOKED", known?.status === "revoked"],
    ["NOT_VALID_YET", !(Number(message?.issuedAt) <= seconds + CLOCK_SKEW_S)],
    ["EXPIRED", !(Number(message?.expiresAt) > seconds)],
    [
      "OTHER_SUBJECT",
      subject !== undefined && !isSame(subject, message?.subject),
    ],
  ];
  const problems = checks.flatMap(([problem, fails]) => fails ? [problem] : []);
  return {
    isValid: problems.length === 0,
    problems,
    signer: recovered,
    message,
  };
}

/** The other address is of the input, so it may be anything. */
function isSame(one: string | null, other: unknown): boolean {
  return one?.toLowerCase() === String(other).toLowerCase();
}

async function recoverFrom(
  statement: Statement,
  recover: Recover,
): Promise<string | null> {
  const { signature } = statement;
  // viem also takes 0 and 1 for 27 and 28, as a third form of the same signature.
  if (!/^0x[0-9a-f]{128}1[bc]$/i.test(signature)) return null;
  if (BigInt(`0x${signature.slice(66, 130)}`) > MAX_S) return null;
  try {
    return (await recover(statement)).toLowerCase();
  } catch {
    return null; // no point of the curve, or a field that does not fit its type
  }
}
