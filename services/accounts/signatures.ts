/** Verifies message signatures of key pairs and smart accounts. */
import type { Hex } from "viem";
import type { AccountsDeps } from "./deps.ts";
import {
  changeRequester,
  readerCallOptions,
} from "../platform/rate_limit/call_budget.ts";

/** A message and its claimed signature, in hex. */
export interface Signed {
  readonly message: string;
  readonly signature: string;
}

/** Whose signature is checked, and from which network; null if unknown. */
interface ClaimedBy {
  readonly address: string;
  readonly hostname: string | null;
}

/** What a signature rests on: a key pair, or the state of a smart account's contract. */
type Signatory = "keyPair" | "contract";

/** Returns whether an address, lower-case, signed a message. Throws the upstream's fault if a node does not respond. */
export async function isSignedBy(
  deps: Pick<AccountsDeps, "upstream">,
  by: ClaimedBy,
  signed: Signed,
): Promise<boolean> {
  return await findSignatory(deps, by, signed) !== null;
}

/**
 * Returns what signed a message for an address, lower-case (EIP-191); null if the
 * address did not sign it. The signer of a key pair's signature, of 65 bytes or in
 * the compact form of ERC-2098, is recovered locally. Any other signature is checked by the account's contract (ERC-1271,
 * ERC-6492) on every node: a single node could sign in anybody. Throws the
 * upstream's fault if a node does not respond.
 */
export async function findSignatory(
  { upstream }: Pick<AccountsDeps, "upstream">,
  { address, hostname }: ClaimedBy,
  { message, signature }: Signed,
): Promise<Signatory | null> {
  const { hashMessage, recoverAddress } = await import("viem");
  const hash = hashMessage(message);
  const whole = await expand(signature as Hex);
  const signer = await recoverAddress({ hash, signature: whole })
    .catch(() => null);
  if (signer?.toLowerCase() === address) {
    return hasLowS(whole) ? "keyPair" : null;
  }
  const options = readerCallOptions(
    changeRequester({ wallet: address, hostname }),
  );
  const verdicts = await Promise.all(
    upstream.signatures.map((node) =>
      node.isSignatureValid({ address, hash, signature }, options)
    ),
  );
  return verdicts.every(({ body }) => body) ? "contract" : null;
}

/** Returns a compact signature (ERC-2098) as one of 65 bytes; any other unchanged. */
async function expand(signature: Hex): Promise<Hex> {
  if (signature.length !== COMPACT_CHARACTERS) return signature;
  const viem = await import("viem");
  try {
    return viem.serializeSignature(
      viem.compactSignatureToSignature(viem.parseCompactSignature(signature)),
    );
  } catch {
    return signature; // A smart account may accept it.
  }
}

/** Characters of a compact signature (ERC-2098): 64 bytes in hex. */
const COMPACT_CHARACTERS = 2 + 2 * 64;

/** Half the order of secp256k1. */
const HALF_ORDER =
  0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** EIP-2: of the two valid signatures, only the one with the lower s is accepted. */
function hasLowS(signature: string): boolean {
  return BigInt(`0x${signature.slice(66, 130)}`) <= HALF_ORDER;
}
