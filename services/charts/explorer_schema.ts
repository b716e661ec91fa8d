/** The query, state and contents of the explorer. */
import { z } from "@hono/zod-openapi";
import { INTERVALS } from "../chain_data/catalogue/metrics_schema.ts";
import type { Chain } from "../chain_data/catalogue/chains_schema.ts";
import type { Interval } from "../platform/days.ts";
import {
  type Chart,
  CHART_NAMES,
  type ChartName,
  type ChartView,
  MAX_COMPARED_CHAINS,
  RepeatedChainId,
  viewParameters,
  VISIBILITY,
} from "./charts_schema.ts";
import { BLOCK_WINDOWS } from "../chain_data/blocks/block_production_schema.ts";
import {
  type Range,
  RANGE_NAMES,
} from "../chain_data/catalogue/fields_schema.ts";
import { Day, InstantParameter } from "../platform/wire_schema.ts";

/** The `range` of the form that selects `from` and `to`. */
export const CUSTOM_DAYS = "days";

/** The `base` of the form that selects `baseDay`. */
export const CHOSEN_DAY = "day";

/** Returns whether a text is a day: rules run on invalid parts, too. */
const isDay = (text: string | undefined): text is string =>
  Day.safeParse(text).success;

/**
 * A part of the form that may be empty. It is not a union, because the issue of a union
 * does not say what its members accept.
 */
const EmptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => value === "" ? undefined : value,
    schema.optional(),
  ).optional();

/** Text that selects a chain: an id, a name or a part of a name. */
const ChainText = z.string().max(100, "at most 100 characters").optional();

const parts = {
  metric: z.enum(CHART_NAMES).default("txCount"),
  chainId: z.array(RepeatedChainId)
    .max(MAX_COMPARED_CHAINS, `at most ${MAX_COMPARED_CHAINS} chains`),
  /** Text of the form for the first chain and for another one. */
  chain: ChainText,
  compare: ChainText,
  range: z.enum([...RANGE_NAMES, CUSTOM_DAYS]).optional(),
  from: EmptyOr(Day),
  to: EmptyOr(Day),
  asOf: EmptyOr(InstantParameter),
  interval: z.enum(INTERVALS).optional(),
  window: z.enum(BLOCK_WINDOWS).optional(),
  unfinished: z.enum(VISIBILITY).optional(),
  upgrades: z.enum(VISIBILITY).optional(),
  revisions: z.enum(VISIBILITY).optional(),
  values: EmptyOr(viewParameters.values),
  base: EmptyOr(z.literal(CHOSEN_DAY).or(viewParameters.base.unwrap())),
  baseDay: EmptyOr(Day),
  average: EmptyOr(viewParameters.average),
  scale: EmptyOr(viewParameters.scale),
  layout: EmptyOr(viewParameters.layout),
};

/**
 * The query of the explorer. Unknown parameters are ignored, because sites add
 * tracking parameters to links.
 */
export const ExplorerQuery = z.object(parts).refine(
  ({ from, to }) => !(isDay(from) && isDay(to) && from > to),
  { path: ["from"], error: "a day on or before to" },
);
/** A checked query of the explorer. */
export type ExplorerQuery = z.infer<typeof ExplorerQuery>;

const { metric, chainId, ...others } = parts;

/** The valid parts of an invalid query. The form is filled with them. */
export const ValidParts = z.object({
  metric: metric.catch("txCount"),
  chainId: z.array(z.unknown()).transform((ids) =>
    ids.flatMap((id) => chainId.safeParse([id]).data ?? [])
  ),
  ...Object.fromEntries(
    Object.entries<z.ZodType>(others)
      .map(([name, part]) => [name, part.catch(undefined)]),
  ) as { [Name in keyof typeof others]: z.ZodCatch<typeof others[Name]> },
});

/** All that the explorer's URL holds. */
export interface ExplorerState {
  readonly metric: ChartName;
  /** The chains that are compared, or one; none for a checked series. */
  readonly chainIds: readonly number[];
  /** Null if days are given. */
  readonly range: Range | null;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The instant that all figures are frozen at; undefined if the chart is live. */
  readonly asOf?: string | undefined;
  readonly interval: Interval;
  /** Days of the trailing mean; null for charts without one. */
  readonly window: typeof BLOCK_WINDOWS[number] | null;
  /** Whether buckets that are still filling are drawn. */
  readonly unfinished: typeof VISIBILITY[number];
  /** Whether network upgrades are marked. */
  readonly upgrades: typeof VISIBILITY[number];
  /** Whether revised buckets are marked. */
  readonly revisions: typeof VISIBILITY[number];
  readonly view: ChartView;
}

/** What the explorer shows. */
export interface ExplorerView {
  readonly state: ExplorerState;
  readonly chart: Chart;
}

/** A tracked chain, as the explorer lists it. */
export type ListedChain = Pick<Chain, "chainId" | "chainName">;
