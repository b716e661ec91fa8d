/** A tracked chain, and the answer of `GET /chains`. */
import { z } from "@hono/zod-openapi";
import {
  AgreementPct,
  ChainId,
  ChainName,
  FetchedAt,
  METRICS_SOURCE,
  NativeToken,
} from "./fields_schema.ts";
import { type Proof, PROOFS } from "./cross_checks_schema.ts";
import { Day } from "../../platform/wire_schema.ts";

/** A tracked chain. */
export const Chain = z.object({
  chainId: ChainId,
  chainName: ChainName,
  token: NativeToken,
  blockchainId: z.string().meta({
    description: "Id of the blockchain on the P-Chain",
    example: "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
  }),
  subnetId: z.string().meta({
    description: "Id of the chain's subnet on the P-Chain",
    example: "11111111111111111111111111111111LpoYY",
  }),
}).meta({ id: "Chain" });
/** A tracked chain. */
export type Chain = z.infer<typeof Chain>;

/** What the source has of a chain, the most urgent first, in the same terms on every surface. */
export const COVERAGE = {
  stopped: {
    term: "source stopped",
    meaning:
      "the source publishes no traffic since then, neither days nor more than zeroes, though the second source or the chain's own node has some",
  },
  notIndexed: {
    term: "not indexed by the source",
    meaning:
      "the source has no traffic of the chain, though the second source or the chain's own node has some, or a public list names the chain as active and the source does not list it",
  },
  late: {
    term: "late",
    meaning: "the source has not published the newest day of the chain yet",
  },
  served: {
    term: "served",
    meaning: "the source has the newest published day, or the chain is idle",
  },
  unread: {
    term: "not read yet",
    meaning:
      "the chain, or the C-Chain, which shows what is published, was not read yet",
  },
} as const satisfies Record<string, { term: string; meaning: string }>;
/** The state of a chain's coverage. */
export type CoverageState = keyof typeof COVERAGE;
/** The states in their order. */
export const COVERAGE_STATES = Object.keys(COVERAGE) as CoverageState[];

/** Lists the values of a field with their meanings in one line. */
function meaningsOf(
  table: Readonly<Record<string, { readonly meaning: string }>>,
): string {
  return Object.entries(table)
    .map(([name, { meaning }]) => `${name}: ${meaning}`).join("; ");
}

/** Whether a chain is served, and why not. */
export const Coverage = z.object({
  state: z.enum(COVERAGE_STATES as [CoverageState]).meta({
    description: `What the source has of the chain. ${meaningsOf(COVERAGE)}`,
    example: "served",
  }),
  reason: z.string().nullable().meta({
    description: "Why it is not served; null if it is",
    example: null,
  }),
  since: Day.nullable().meta({
    description: "The first day that is missing; null if none is known",
    example: null,
  }),
}).meta({ id: "Coverage" });
/** Whether a chain is served, and why not. */
export type Coverage = z.infer<typeof Coverage>;

/** Returns the coverage of a chain in a state since a day. */
export function coverageOf(
  state: CoverageState,
  since: string | null = null,
): Coverage {
  const reason = state === "served" ? null : COVERAGE[state].meaning;
  return { state, reason, since };
}

/** How well the transactions of a chain are backed. */
export const ChainProof = z.object({
  proof: z.enum(Object.keys(PROOFS) as [Proof]).meta({
    description: `How well its transactions are backed. ${meaningsOf(PROOFS)}`,
    example: "agree",
  }),
  agreementPct: AgreementPct,
});

/** A tracked chain with its coverage. */
const CoveredChain = z.object({
  ...Chain.shape,
  coverage: Coverage,
  ...ChainProof.shape,
}).meta({ id: "CoveredChain" });

/** A chain that is not tracked. */
const UntrackedChain = z.object({
  chainId: ChainId.nullable().meta({
    description: "EVM chain id; null if the list has none",
    example: 80000,
  }),
  blockchainId: z.string().nullable().meta({
    description:
      "Id of the blockchain on the P-Chain; null if chainId is known",
    example: null,
  }),
  chainName: ChainName.meta({ example: "AIB Mainnet" }),
  coverage: Coverage,
}).meta({ id: "UntrackedChain" });
/** A chain that is not tracked. */
export type UntrackedChain = z.infer<typeof UntrackedChain>;

/** The chains that are not tracked. */
export const UntrackedChains = z.array(UntrackedChain).meta({
  description:
    "Mainnet chains that the public list of ava-labs/builders-hub named as active on 2026-08-20, and the source does not list",
  example: [],
});

/** The answer of `GET /chains`. */
export const ChainsAnswer = z.object({
  count: z.int().meta({
    description: "Number of tracked chains",
    example: 30,
  }),
  chains: z.array(CoveredChain).meta({
    description: "The tracked mainnet chains, ordered by chainId",
  }),
  untracked: UntrackedChains,
  fetchedAt: FetchedAt,
  source: z.string().meta({
    description: "Source that the list was read from",
    example: METRICS_SOURCE,
  }),
}).meta({ id: "Chains" });
/** The answer of `GET /chains`. */
export type ChainsAnswer = z.infer<typeof ChainsAnswer>;
