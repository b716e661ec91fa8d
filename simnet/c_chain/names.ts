/** The simulated contracts of Avvy Domains: names of each kind. */
import {
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbi,
  toHex,
} from "viem";
import { exampleOf } from "../accounts.ts";

const ABI = parseAbi([
  "function resolveStandard(string name, uint256 key) view returns (string)",
  "function getDomainExpiry(uint256 name) view returns (uint256)",
  "function isSuspended(uint256 name) view returns (bool)",
  "function poseidon(uint256[3] input) pure returns (uint256)",
]);

/** The contracts, with the functions that each has. */
const CONTRACTS: Readonly<Record<string, readonly string[]>> = {
  "0x5bbd3a8e215b1fc30595fd1aba4f3fcdbb614078": ["resolveStandard"],
  "0x797ac669a1908ca68cd9854994345f570495541a": [
    "getDomainExpiry",
    "isSuspended",
  ],
  "0x6e03620156860584870b6415447770bbc7d6eb0e": ["poseidon"],
};

/** The hash of `avax`, which every name of two labels begins with. */
const AVAX =
  4272832630669137235923015693490068373911885005413996126751674003559469537065n;

interface Name {
  /** Epoch seconds. */
  readonly expiry: number;
  readonly isSuspended?: boolean;
  /** Null if its holder set no resolver. */
  readonly record: string | null;
}

const LONG_FROM_NOW = 4_102_444_800;

/** The registered names by their label. */
const NAMES: Readonly<Record<string, Name>> = {
  avvydomains: { expiry: LONG_FROM_NOW, record: exampleOf("heavy") },
  alice: { expiry: LONG_FROM_NOW, record: exampleOf("ordinary") },
  // Its record is still there.
  lapsed: { expiry: 1_735_689_600, record: exampleOf("heavy") },
  seized: {
    expiry: LONG_FROM_NOW,
    isSuspended: true,
    record: exampleOf("heavy"),
  },
  empty: { expiry: LONG_FROM_NOW, record: null },
  // Anything may stand in a record.
  wrong: { expiry: LONG_FROM_NOW, record: "<script>" },
};

/** The names by the hash that the simulated Poseidon contract gives them. */
const BY_HASH = new Map(
  Object.entries(NAMES).map(([label, name]) => [hashOf(label), name]),
);

/** A hash of the label. The real one is Poseidon; what reads it treats it as opaque. */
function hashOf(label: string): bigint {
  return BigInt(keccak256(toHex(`${label}.avax`))) >> 8n;
}

/** Answers a call of a contract of Avvy Domains: undefined for another contract, null if it reverts. */
export function answerNameCall(to: string, data: Hex): Hex | null | undefined {
  const functions = CONTRACTS[to];
  if (functions === undefined) return undefined;
  const { functionName, args } = decodeFunctionData({ abi: ABI, data });
  if (!functions.includes(functionName)) return null;
  const answer = (type: string, value: unknown) =>
    encodeAbiParameters([{ type }], [value]);
  switch (functionName) {
    case "poseidon": {
      const [[parent, ...numbers]] = args;
      const label = labelOf(numbers);
      return answer(
        "uint256",
        parent === AVAX
          ? hashOf(label)
          : parent === 0n && label === "avax"
          ? AVAX
          : 0n,
      );
    }
    case "getDomainExpiry":
      return answer("uint256", BigInt(BY_HASH.get(args[0])?.expiry ?? 0));
    case "isSuspended":
      return answer("bool", BY_HASH.get(args[0])?.isSuspended ?? false);
    case "resolveStandard": {
      const [name, key] = args;
      const record = NAMES[name.replace(/\.avax$/, "")]?.record ?? null;
      return record === null || key !== 3n ? null : answer("string", record);
    }
  }
}

/** Returns the label of its numbers, whose lowest byte is the first character. */
function labelOf(numbers: readonly bigint[]): string {
  return numbers.map((number) => {
    let text = "";
    for (let rest = number; rest > 0n; rest >>= 8n) {
      text += String.fromCharCode(Number(rest & 255n));
    }
    return text;
  }).join("");
}
