/** Client that verifies signatures of smart accounts through their contracts. */
import type { Address, Hex, PublicClient } from "viem";
import { Fault } from "../platform/fault.ts";
import type { Http } from "../platform/http/http_client.ts";
import type { Sourced } from "../platform/http/upstream_answer.ts";
import { C_CHAIN_RPC, rpcClient } from "../platform/http/rpc_client.ts";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";

/** A hash and its claimed signature by an address, all in hex. */
interface SignedHash {
  readonly address: string;
  readonly hash: string;
  readonly signature: string;
}

/** Creates the client of one C-Chain node; the node must serve `chainId`. */
export function signatureNode(
  http: Http,
  url: string,
  { chainId }: { readonly chainId: number },
) {
  const { run } = rpcClient(http, { url, chainId, name: C_CHAIN_RPC });
  return {
    /** Returns whether an account's contract accepts a signature; false for an account without a contract. */
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
 * the contract to be deployed that the signature contains (ERC-6492). If the
 * account has code, its contract is called directly: the validator of ERC-6492
 * would first make a call that the signer chooses, which could change what the
 * contract accepts.
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
  if (code !== undefined) {
    return await acceptsSignature(client, { address, hash, signature });
  }
  if (!isErc6492Signature(signature as Hex)) return false;
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

const ERC_1271 = [
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
] as const;

/** What `isValidSignature` returns for a signature that it accepts (ERC-1271). */
const MAGIC_VALUE = "0x1626ba7e";

/** Returns whether a contract accepts a signature, without its ERC-6492 wrapper (ERC-1271). */
async function acceptsSignature(
  client: PublicClient,
  { address, hash, signature }: SignedHash,
): Promise<boolean> {
  const { parseAbi, parseErc6492Signature } = await import("viem");
  try {
    const inner = parseErc6492Signature(signature as Hex);
    const answer = await client.readContract({
      address: address as Address,
      abi: parseAbi(ERC_1271),
      functionName: "isValidSignature",
      args: [hash as Hex, inner.signature],
    });
    return answer === MAGIC_VALUE;
  } catch (error) {
    if (isFault(error)) throw error;
    return false; // The contract refused, or the wrapper is malformed.
  }
}

/** viem wraps the error of a call, so the causes are searched for a fault. */
function isFault(error: unknown): boolean {
  return error instanceof Error &&
    (error instanceof Fault || isFault(error.cause));
}
