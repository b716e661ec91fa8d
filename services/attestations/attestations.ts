/** Signed scores: EIP-712 statements that can be verified offline, and the current and former signers of them. */
import { tablesHashOf } from "../model/model.ts";
import type { Address, Hex } from "viem";
import {
  type Attestation,
  type AttestationInfo,
  DOMAIN,
  type Domain,
  PRIMARY_TYPE,
  SCORE_TYPES,
  type SignedAnswer,
  type SignerState,
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
import { Fault } from "../platform/fault.ts";

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
  const used = deps.modelSchedule.find(({ model }) => model.id === score.model);
  const term = { issuedAt, expiresAt, nonce };
  const { message, readable } = statementOf(score, term);
  return {
    domain,
    types: { ScoreAttestation: [...SCORE_TYPES.ScoreAttestation] },
    primaryType: PRIMARY_TYPE,
    message,
    ...await sign(signer, domain, message),
    readable: { ...readable, modelTables: tablesHashOf(used!.model) },
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

/** Signs digests; its private key is not readable. */
interface Signer {
  /** Returns its address, lower-case. */
  address(): Promise<string>;
  /** Signs 32 bytes: r, s in the lower half of the order (EIP-2), v of 27 or 28. */
  sign(digest: Hex): Promise<Hex>;
}

/** An address that no longer signs. */
export interface FormerSigner {
  /** Lower-case. */
  readonly address: string;
  readonly status: Exclude<SignerState, "active">;
}

/** The signing configuration. */
interface Attesting {
  /** Null if signing is disabled; the contract's address is lower-case. */
  readonly signing: {
    readonly signer: Signer;
    readonly contract: string;
  } | null;
  readonly formerSigners: readonly FormerSigner[];
}

interface AttestingDeps {
  readonly attesting: Attesting;
  readonly chainId: number;
}

/**
 * Creates a signer from a private key: 0x and 64 hexadecimal digits. Its first use
 * throws if its address is one of the former signers.
 */
export function localSigner(
  privateKey: Hex,
  formerSigners: readonly FormerSigner[] = [],
): Signer {
  // Loaded at first use: a process that signs nothing starts faster and is smaller.
  let loading: ReturnType<typeof load> | undefined;
  async function load() {
    const { privateKeyToAccount } = await import("viem/accounts");
    const account = privateKeyToAccount(privateKey);
    const address = account.address.toLowerCase();
    if (formerSigners.some((former) => former.address === address)) {
      throw new Error(
        "Cannot sign: ATTESTATION_SIGNERS lists the signer itself",
      );
    }
    return account;
  }
  const account = () => loading ??= load();
  return {
    address: async () => (await account()).address.toLowerCase(),
    sign: async (digest) => (await account()).sign({ hash: digest }),
  };
}

/** Returns the signer and the contract; throws a fault if signing is disabled. */
export function requireSigning(
  { attesting }: AttestingDeps,
): NonNullable<Attesting["signing"]> {
  if (attesting.signing !== null) return attesting.signing;
  throw new Fault(
    "Cannot sign the score: signing is not enabled on this deployment",
    { kind: "signingDisabled" },
  );
}

/** Returns the EIP-712 domain of a contract. */
function domainOf(
  { chainId }: AttestingDeps,
  contract: string,
): Domain {
  return { ...DOMAIN, chainId, verifyingContract: contract };
}

/** Describes signers, domain and types; the active signer comes first. */
export async function describeAttesting(
  deps: AttestingDeps,
): Promise<AttestationInfo> {
  const { signing, formerSigners } = deps.attesting;
  const signer = signing && await signing.signer.address();
  const contract = signing && signing.contract;
  return {
    enabled: signing !== null,
    signer,
    contract,
    chainId: deps.chainId,
    domain: contract === null ? null : domainOf(deps, contract),
    types: { ScoreAttestation: [...SCORE_TYPES.ScoreAttestation] },
    signers: [
      ...(signer === null
        ? []
        : [{ address: signer, status: "active" as const }]),
      ...formerSigners,
    ],
  };
}
