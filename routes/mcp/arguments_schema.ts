/** Schemas of the arguments that no HTTP endpoint has. */
import { z } from "@hono/zod-openapi";
import { CHECK_NAMES } from "../../services/chain_data/catalogue/check_rules_schema.ts";
import { MetricsQuery } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { MAX_SEARCH } from "../../services/chain_data/overview/overview_schema.ts";
import { MAX_COMPARED_CHAINS } from "../../services/charts/charts_schema.ts";

/** Chains that one call may compare. */
export const COMPARED = { least: 2, most: MAX_COMPARED_CHAINS } as const;

const SEARCH = `a text of at most ${MAX_SEARCH} characters`;
const CHAIN_IDS =
  `an array of ${COMPARED.least} to ${COMPARED.most} different EVM chain ids`;

/** The chain id of a query. It has no default, and may be a number. */
const ChainId = z.preprocess(
  (id) => typeof id === "string" ? id : JSON.stringify(id),
  MetricsQuery.shape.chainId.unwrap(),
);

/** The search of `list_chains`. */
export const SearchArgument = z.object({
  search: z.string(SEARCH).max(MAX_SEARCH, SEARCH).default(""),
});

/** The chain of `get_chain_quality`. */
export const ChainArgument = z.object({ chainId: ChainId.optional() });

/** The chains of `compare_chains`. */
export const ChainsArgument = z.object({
  chainIds: z.array(ChainId, CHAIN_IDS)
    .min(COMPARED.least, CHAIN_IDS)
    .max(COMPARED.most, CHAIN_IDS)
    .refine((ids) => new Set(ids).size === ids.length, CHAIN_IDS),
});

/** The series of `get_checked_series`. */
export const SeriesArgument = z.object({ series: z.enum(CHECK_NAMES) });
