/** The explorer: what its URL says, and what it shows. */
import { z } from "@hono/zod-openapi";
import {
  type Chain,
  INTERVALS,
  MetricsQuery,
} from "../chain_data/metrics_schema.ts";
import { type Interval } from "../platform/days.ts";
import { type Chart, CHART_NAMES, type ChartName } from "./charts_schema.ts";
import { BLOCK_WINDOWS } from "../chain_data/blocks/block_production_schema.ts";
import { type Range, RANGE_NAMES } from "../chain_data/day_query_schema.ts";
import { Day } from "../platform/wire_schema.ts";

/** How many chains can stand beside each other. */
export const MAX_COMPARED_CHAINS = 6;

/** The choice of days in place of a range. */
export const CUSTOM_DAYS = "days";

const EmptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => undefined), schema]).optional();

/** Longest text by which a chain is looked for. */
const ChainText = z.string().max(100, "at most 100 characters").optional();

const parts = {
  metric: z.enum(CHART_NAMES).default("txCount"),
  chainId: z.array(MetricsQuery.shape.chainId)
    .max(MAX_COMPARED_CHAINS, `at most ${MAX_COMPARED_CHAINS} chains`),
  /** The first chain, and one more, as somebody wrote them. */
  chain: ChainText,
  compare: ChainText,
  range: z.enum([...RANGE_NAMES, CUSTOM_DAYS]).optional(),
  from: EmptyOr(Day),
  to: EmptyOr(Day),
  interval: z.enum(INTERVALS).optional(),
  window: z.enum(BLOCK_WINDOWS).optional(),
};

/**
 * The query of the explorer, as its form or anybody sends it. What it does not
 * know is left out, since links collect parameters on their way.
 */
export const ExplorerQuery = z.object(parts).refine(
  ({ from, to }) => !(from && to && from > to),
  { path: ["from"], error: "a day on or before to" },
);
/** A checked query of the explorer. */
export type ExplorerQuery = z.infer<typeof ExplorerQuery>;

/** What of a refused query is good by itself: its form goes on from that. */
export const ValidParts = z.object({
  metric: parts.metric.catch("txCount"),
  chainId: z.array(z.unknown()).transform((ids) =>
    ids.flatMap((id) => parts.chainId.safeParse([id]).data ?? [])
  ),
  chain: parts.chain.catch(undefined),
  compare: parts.compare.catch(undefined),
  range: parts.range.catch(undefined),
  from: parts.from.catch(undefined),
  to: parts.to.catch(undefined),
  interval: parts.interval.catch(undefined),
  window: parts.window.catch(undefined),
});

/** All that the explorer's URL holds. */
export interface ExplorerState {
  readonly metric: ChartName;
  /** The chains that are compared, or one; none for a checked series. */
  readonly chainIds: readonly number[];
  /** Null where days are given. */
  readonly range: Range | null;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly interval: Interval;
  /** Null where there is no mean over a trailing window. */
  readonly window: typeof BLOCK_WINDOWS[number] | null;
}

/** What the explorer shows. */
export interface ExplorerView {
  readonly state: ExplorerState;
  readonly chart: Chart;
}

/** A tracked chain, as the explorer lists it. */
export type ListedChain = Pick<Chain, "chainId" | "chainName">;
