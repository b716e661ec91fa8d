/** The current and former signers of attestations. */
import {
  type AttestationInfo,
  DOMAIN,
  type Domain,
  SCORE_TYPES,
  type SignerState,
} from "./attestations_schema.ts";
import { Fault } from "../platform/fault.ts";

/** A hex string, as viem types it. */
type Hex = `0x${string}`;

/** Signs digests; its private key is not readable. */
export interface Signer {
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
export interface Attesting {
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
export function domainOf(
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
