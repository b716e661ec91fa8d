/** Signatures of smart accounts: the account's own contract says whether one is good. */
import type { Address, Hex, PublicClient } from "viem";
import { Fault } from "../platform/fault.ts";
import type { Http } from "../platform/http/http_client.ts";
import type { Sourced } from "../platform/http/source.ts";
import { C_CHAIN_RPC, rpcClient } from "../platform/http/viem_client.ts";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";

/** A hash and what is said to be an address's signature of it, all in hex. */
export interface SignedHash {
  readonly address: string;
  readonly hash: string;
  readonly signature: string;
}

/** Signatures at a node of the C-Chain; `chainId` is the chain that the node must serve. */
export function signatureNode(
  http: Http,
  url: string,
  { chainId }: { readonly chainId: number },
) {
  const run = rpcClient(http, { url, chainId, name: C_CHAIN_RPC });
  return {
    /** Returns whether an account's contract accepts a signature; false for an account without one. */
    isSignatureValid(
      signed: SignedHash,
      options: CallOptions,
    ): Promise<Sourced<boolean>> {
      return run(options, (client) => verifyByContract(client, signed));
    },
  };
}

/** The client of smart accounts' signatures. */
export type SignatureNode = ReturnType<typeof signatureNode>;

/**
 * Returns whether the contract at an address accepts a signature (ERC-1271), or
 * the contract that the signature itself brings along would (ERC-6492). The
 * check is made by the validator of ERC-6492 in one `eth_call`.
 */
async function verifyByContract(
  client: PublicClient,
  { address, hash, signature }: SignedHash,
): Promise<boolean> {
  const {
    encodeDeployData,
    erc6492SignatureValidatorAbi: abi,
    erc6492SignatureValidatorByteCode: bytecode,
    isErc6492Signature,
  } = await import("viem");
  const code = await client.getCode({ address: address as Address });
  if (code === undefined && !isErc6492Signature(signature as Hex)) return false;
  const args = [address as Address, hash as Hex, signature as Hex] as const;
  const data = encodeDeployData({ abi, args, bytecode });
  try {
    const answer = await client.call({ data });
    return answer.data !== undefined && BigInt(answer.data) === 1n;
  } catch (error) {
    if (isFault(error)) throw error;
    return false; // The contract refused.
  }
}

/** viem wraps what a call failed with, so the fault is looked for inside. */
function isFault(error: unknown): boolean {
  return error instanceof Error &&
    (error instanceof Fault || isFault(error.cause));
}
