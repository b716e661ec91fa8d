/** Assumptions about the registries of unique humans on other chains. */
import { z } from "zod";
import {
  PROOF_CHAINS,
  type ProofChainName,
} from "../../model/human_proofs_schema.ts";
import {
  encodeCall,
  PROOF_CONTRACTS,
  VERIFIED_ACCOUNT,
} from "../../profiles/human_proofs_client.ts";
import { type Assumption, hasShape, type Observation } from "./assumption.ts";
import { result } from "./node_assumptions.ts";

/** An address that nobody has the key of. */
const NOBODY = "0x6669726e20646f63746f7220756e75736564000c";

const DAY_SECONDS = 86_400;

const CLIENT = "services/profiles/human_proofs_client.ts";

/** A result of one word, or of a structure. */
const Words = result(
  z.string().regex(/^0x([0-9a-f]{64})+$/i, "not words of 32 bytes"),
).transform((data) =>
  data.slice(2).match(/.{64}/g)!.map((word) => BigInt(`0x${word}`))
);

/** Returns the assumption that a node serves its chain. */
function serves(chain: ProofChainName): Assumption {
  const { name, chainId, setting } = PROOF_CHAINS[chain];
  return {
    source: `${name} node`,
    text: `the node serves chain ${chainId}`,
    look: setting,
    examine: async (sources) =>
      hasShape(
        await sources.proofNode(chain, "eth_chainId", []),
        result(z.string().startsWith("0x").transform(Number)),
        (served) => ({ holds: served === chainId, seen: `chain ${served}` }),
      ),
  };
}

/** Returns an assumption about what a function of a contract answers. */
function answers(
  chain: ProofChainName,
  text: string,
  { to, ...call }: Parameters<typeof encodeCall>[0] & { readonly to: string },
  judge: (words: readonly bigint[]) => Observation,
): Assumption {
  return {
    source: `${PROOF_CHAINS[chain].name} node`,
    text,
    look: `${PROOF_CHAINS[chain].setting}, ${CLIENT}`,
    async examine(sources) {
      const params = [{ to, data: await encodeCall(call) }, "latest"];
      return hasShape(
        await sources.proofNode(chain, "eth_call", params),
        Words,
        judge,
      );
    },
  };
}

/** Judges one word of a result. */
const is =
  (wanted: bigint, at = 0) => (words: readonly bigint[]): Observation => ({
    holds: words[at] === wanted,
    seen: hex(words[at]),
  });

const hex = (word = 0n) => `0x${word.toString(16)}`;

const days =
  (wanted: number) => ([seconds]: readonly bigint[]): Observation => ({
    holds: Number(seconds) === wanted * DAY_SECONDS,
    seen: `${Number(seconds) / DAY_SECONDS} days`,
  });

/** Returns the assumptions about a decoder of Human Passport. */
function passport(chain: ProofChainName, to: string): Assumption[] {
  return [
    answers(
      chain,
      "Human Passport calls a score of 20.0000 and more a human",
      { to, function: "threshold()" },
      ([value]) => ({ holds: value === 200_000n, seen: `${value}` }),
    ),
    answers(
      chain,
      "a score of Human Passport ends after 90 days",
      { to, function: "maxScoreAge()" },
      days(90),
    ),
    answers(
      chain,
      "Human Passport names the contract that holds the times of scores",
      { to, function: "gitcoinResolver()" },
      ([value]) => ({ holds: value! > 0n, seen: hex(value) }),
    ),
  ];
}

const {
  worldAddressBook,
  coinbaseIndexer,
  coinbaseAttester,
  attestations,
  schemas,
} = PROOF_CONTRACTS;

/** What the code assumes of the registries, by chain. */
export const PROOF_ASSUMPTIONS: Readonly<
  Record<ProofChainName, readonly Assumption[]>
> = {
  worldChain: [
    serves("worldChain"),
    answers(
      "worldChain",
      "an address that nobody verified has no World ID",
      {
        to: worldAddressBook,
        function: "addressVerifiedUntil(address)",
        args: [NOBODY],
      },
      is(0n),
    ),
    answers(
      "worldChain",
      "a World ID is verified for 168 days",
      { to: worldAddressBook, function: "verificationLength()" },
      days(168),
    ),
  ],
  base: [
    serves("base"),
    answers(
      "base",
      "an address that nobody attested has no Coinbase account",
      {
        to: coinbaseIndexer,
        function: "getAttestationUid(address,bytes32)",
        args: [NOBODY, VERIFIED_ACCOUNT],
      },
      is(0n),
    ),
    {
      source: "Base node",
      text: "the attester of Coinbase is a contract",
      look: `BASE_RPC_URL, ${CLIENT}`,
      examine: async (sources) =>
        hasShape(
          await sources.proofNode("base", "eth_getCode", [
            coinbaseAttester,
            "latest",
          ]),
          result(z.string().startsWith("0x")),
          (code) => ({
            holds: code.length > 2,
            seen: `${code.length / 2 - 1} bytes`,
          }),
        ),
    },
    answers(
      "base",
      "the attestation service takes its schemas from the registry of schemas",
      { to: attestations, function: "getSchemaRegistry()" },
      is(BigInt(schemas)),
    ),
    answers(
      "base",
      'the schema "Verified Account" of Coinbase is registered',
      { to: schemas, function: "getSchema(bytes32)", args: [VERIFIED_ACCOUNT] },
      // A structure begins with its offset.
      is(BigInt(VERIFIED_ACCOUNT), 1),
    ),
    ...passport("base", PROOF_CONTRACTS.passportBase),
  ],
  optimism: [
    serves("optimism"),
    ...passport("optimism", PROOF_CONTRACTS.passportOptimism),
  ],
};
