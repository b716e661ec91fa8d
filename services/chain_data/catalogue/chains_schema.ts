/** A tracked chain, and the answer of `GET /chains`. */
import { z } from "@hono/zod-openapi";
import {
  ChainId,
  ChainName,
  FetchedAt,
  METRICS_SOURCE,
  NativeToken,
} from "./answer_fields_schema.ts";

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

/** The answer of `GET /chains`. */
export const ChainsAnswer = z.object({
  count: z.int().meta({
    description: "Number of tracked chains",
    example: 30,
  }),
  chains: z.array(Chain).meta({
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
