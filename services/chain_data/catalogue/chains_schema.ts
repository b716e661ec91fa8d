/** A tracked chain, and the answer of `GET /chains`. */
import { z } from "@hono/zod-openapi";
import {
  ChainId,
  ChainName,
  FetchedAt,
  METRICS_SOURCE,
  NativeToken,
} from "./answer_fields_schema.ts";
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

/** What the sources have of a chain, by the state of its transactions. */
const COVERAGE = {
  served: "the source has the newest published day, or the chain is idle",
  late: "the source has not published the newest day of the chain yet",
  notIndexed:
    "the source has no traffic of the chain, though the second source has",
  stopped:
    "the source publishes no traffic since then, neither days nor more than zeroes, though the second source has some",
  unread: "the chain was not read yet",
} as const;
/** The state of a chain's coverage. */
type CoverageState = keyof typeof COVERAGE;

/** Whether a chain is served, and why not. */
export const Coverage = z.object({
  state: z.enum(Object.keys(COVERAGE) as [CoverageState]).meta({
    description: `What the sources have of the chain. ${
      Object.entries(COVERAGE).map(([state, meaning]) => `${state}: ${meaning}`)
        .join("; ")
    }`,
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
  return { state, reason: state === "served" ? null : COVERAGE[state], since };
}

/** A tracked chain with its coverage. */
const CoveredChain = z.object({
  ...Chain.shape,
  coverage: Coverage,
}).meta({ id: "CoveredChain" });

/** The answer of `GET /chains`. */
export const ChainsAnswer = z.object({
  count: z.int().meta({
    description: "Number of tracked chains",
    example: 30,
  }),
  chains: z.array(CoveredChain).meta({
    description: "The tracked mainnet chains, ordered by chainId",
  }),
  fetchedAt: FetchedAt,
  source: z.string().meta({
    description: "Source that the list was read from",
    example: METRICS_SOURCE,
  }),
}).meta({ id: "Chains" });
/** The answer of `GET /chains`. */
export type ChainsAnswer = z.infer<typeof ChainsAnswer>;
