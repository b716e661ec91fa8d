/** How the values of a chart are drawn: parameters and their options. */
import { z } from "@hono/zod-openapi";
import { Day } from "../platform/wire_schema.ts";

/** What is drawn of the values. */
const VALUES = ["absolute", "index", "share", "total"] as const;
/** What is drawn of the values. */
export type Values = typeof VALUES[number];

/** The value axis. */
export const SCALES = ["linear", "log"] as const;
/** The value axis. */
type Scale = typeof SCALES[number];

/** Days of a moving average. */
export const AVERAGES = ["7", "30"] as const;
/** Days of a moving average. */
type Average = typeof AVERAGES[number];

/** Whether the lines share one plot, or each has its own. */
export const LAYOUTS = ["together", "panels"] as const;
/** Whether the lines share one plot, or each has its own. */
type Layout = typeof LAYOUTS[number];

/** The base that is the first active bucket of each line. */
export const FIRST_ACTIVE = "first";

/** The largest number of buckets whose mean is a base. */
const MAX_BASE_BUCKETS = 365;

const COUNT = /^[1-9]\d{0,2}$/;

/** Returns the number of first buckets whose mean is a base; null for another base. */
export function baseCountOf(base: string): number | null {
  if (base === FIRST_ACTIVE) return 1;
  return COUNT.test(base) ? Number(base) : null;
}

function isBase(base: string): boolean {
  const count = baseCountOf(base);
  if (count === null) return Day.safeParse(base).success;
  return base === FIRST_ACTIVE || (count >= 2 && count <= MAX_BASE_BUCKETS);
}

const BASE_WORDS =
  `${FIRST_ACTIVE}, a number of first buckets from 2 to ${MAX_BASE_BUCKETS}, or a day as YYYY-MM-DD`;

/** The parameters that say how a metric is drawn. */
export const viewParameters = {
  values: z.enum(VALUES).optional().meta({
    description:
      "What is drawn: the values, an index of 100 at each chain's base, each chain's share of the listed chains, or their total. Shares and totals exist for txCount and gasUsed. The default is absolute for one chain and index for several",
  }),
  base: z.string().refine(isBase, BASE_WORDS).optional().meta({
    description:
      `With values=index: the base of the index. ${FIRST_ACTIVE} is the first complete bucket above 0 of each chain, a number is the mean of that many first buckets, and a day is the bucket that holds it`,
    default: FIRST_ACTIVE,
    example: "2026-01-01",
  }),
  average: z.enum(AVERAGES).optional().meta({
    description:
      "Draws the mean of this many days up to each day, with interval=day. A day has none while one of them is missing or incomplete",
  }),
  scale: z.enum(SCALES).optional().meta({
    description: "The value axis; a log axis cannot show 0",
    default: "linear",
  }),
  layout: z.enum(LAYOUTS).optional().meta({
    description:
      "With several chains: one plot, or one for each chain. Absolute values of different magnitudes or tokens always have one plot each",
    default: "together",
  }),
};

/** The view parameters of a query. */
export interface GivenView {
  readonly values?: Values | undefined;
  readonly base?: string | undefined;
  readonly average?: Average | undefined;
  readonly scale?: Scale | undefined;
  readonly layout?: Layout | undefined;
}

/** How a chart is drawn. */
export interface ChartView {
  readonly values: Values;
  /** The base of the index; null unless the values are an index. */
  readonly base: string | null;
  readonly average: Average | null;
  readonly scale: Scale;
  readonly layout: Layout;
}

/** A chart of the values themselves. */
export const PLAIN_VIEW: ChartView = {
  values: "absolute",
  base: null,
  average: null,
  scale: "linear",
  layout: "together",
};
