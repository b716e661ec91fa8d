/** C-Chain addresses in requests and answers. */
import { z } from "@hono/zod-openapi";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** An address in any case. */
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Chain id of the C-Chain (EIP-155), which prefixes of addresses name. */
const CHAIN_ID = "43114";

/**
 * An address as wallets write it: bare, or with its chain by name (EIP-3770), by id
 * (CAIP-10), or in a link (EIP-681, in which the chain is optional).
 */
const WRITTEN =
  /^(?:([a-z0-9-]{1,32})(?::(\d{1,32}))?:)?(0x[0-9a-fA-F]{40})(?:@(\d{1,32}))?$/;

/** What is accepted, as a pattern that every engine compiles. */
const PATTERN =
  `^(avax:|eip155:${CHAIN_ID}:|ethereum:)?0x[0-9a-fA-F]{40}(@${CHAIN_ID})?$`;

const EXPECTED = "a C-Chain address: 0x and 40 hexadecimal digits";
const CHECKSUM =
  "a C-Chain address whose upper and lower case are its checksum (EIP-55); compare it with its source, for it has a typing error";

/** An address, lower-case, or what was expected of the text. */
type ReadAddress =
  | { readonly address: string }
  | { readonly expected: string };

/**
 * Reads an address as wallets write it. One with both cases must have a valid checksum;
 * an address in one case has none. Prefixes of the C-Chain are removed.
 */
export function readAddress(text: string): ReadAddress {
  const [, name, id, address, linked] = WRITTEN.exec(text) ?? [];
  if (address === undefined) return { expected: EXPECTED };
  const isLink = name === "ethereum";
  const chain = [
    name === "avax" || isLink ? undefined : name,
    id,
    isLink && linked === CHAIN_ID ? undefined : linked,
  ].join(" ").trim();
  if (chain !== "" && chain !== `eip155 ${CHAIN_ID}`) {
    return {
      expected:
        `an address of the C-Chain (avax, eip155:${CHAIN_ID}), not of another chain`,
    };
  }
  return hasChecksum(address)
    ? { address: address.toLowerCase() }
    : { expected: CHECKSUM };
}

/** Returns whether the case of an address is its checksum (EIP-55), or says nothing since there is only one. */
export function hasChecksum(address: string): boolean {
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak_256(new TextEncoder().encode(lower)).toHex();
  return digits === lower.replace(
    /[a-f]/g,
    (digit, at) => parseInt(hash[at]!, 16) >= 8 ? digit.toUpperCase() : digit,
  );
}

/** A C-Chain address in a request, as wallets write it. The checked value is lower-case. */
export const Address = z.string(EXPECTED).transform((text, { issues }) => {
  const read = readAddress(text);
  if ("address" in read) return read.address;
  issues.push({ code: "custom", message: read.expected, input: text });
  return z.NEVER;
}).openapi({
  type: "string",
  pattern: PATTERN,
  description:
    "A C-Chain address. One in both cases must have a valid checksum (EIP-55); the prefixes avax:, eip155:43114: and ethereum: are accepted",
  example: "0x52908400098527886E0F7030069857D2E4169EE7",
});

/** The path parameters of the endpoints for one address. */
export const AddressPath = z.object({
  address: Address.openapi({
    param: { name: "address", in: "path" },
  }),
});

/** A C-Chain address in an answer. */
export const LowerCaseAddress = z.string().regex(/^0x[0-9a-f]{40}$/).meta({
  description: "A C-Chain address, lower-case",
  example: "0x52908400098527886e0f7030069857d2e4169ee7",
});
