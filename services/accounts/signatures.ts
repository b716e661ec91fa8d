/** Whether an address signed a message: as a key pair, or as a smart account. */
import type { Hex } from "viem";
import type { AccountsDeps } from "./deps.ts";
import { readerCallOptions } from "../platform/cache/read_through.ts";

/** A message and what is said to be its signature, in hex. */
export interface Signed {
  readonly message: string;
  readonly signature: string;
}

/**
 * Returns whether an address, lower-case, signed a message (EIP-191). A key
 * pair's signature is recovered here; any other is for the account's contract
 * to judge (ERC-1271, ERC-6492), for which every node is asked: one alone could
 * sign in anybody. Throws the upstream's fault where one does not answer.
 */
export async function isSignedBy(
  { upstream }: Pick<AccountsDeps, "upstream">,
  address: string,
  { message, signature }: Signed,
): Promise<boolean> {
  const { hashMessage, recoverAddress } = await import("viem");
  const hash = hashMessage(message);
  const signer = await recoverAddress({ hash, signature: signature as Hex })
    .catch(() => null);
  if (signer?.toLowerCase() === address) return hasLowS(signature);
  const verdicts = await Promise.all(
    upstream.signatures.map((node) =>
      node.isSignatureValid({ address, hash, signature }, readerCallOptions())
    ),
  );
  return verdicts.every(({ body }) => body);
}

/** Half the order of secp256k1. */
const HALF_ORDER =
  0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** EIP-2: of the two signatures that fit, the one with the lower s is the signer's. */
function hasLowS(signature: string): boolean {
  return BigInt(`0x${signature.slice(66, 130)}`) <= HALF_ORDER;
}
