/** Names, queries and contents of charts. */
import { z } from "@hono/zod-openapi";
import {
  AsOfParameter,
  daysParameters,
  type Gap,
  type Range,
  type SeriesCheck,
  withDays,
} from "../chain_data/catalogue/fields_schema.ts";
import {
  C_CHAIN,
  type Fold,
  INTERVALS,
  type Metric,
  METRIC_NAMES,
  type MetricRule,
  METRICS,
  MetricsQuery,
} from "../chain_data/catalogue/metrics_schema.ts";
import type { Interval } from "../platform/days.ts";
import {
  BLOCK_WINDOWS,
  BlocksQuery,
  CHECKED_INTERVALS,
  type Checks,
  type DisputedDay,
  TotalsQuery,
} from "../chain_data/checks/checked_series_schema.ts";
import {
  CHECK_NAMES,
  CHECKS,
} from "../chain_data/catalogue/cross_checks_schema.ts";
import { Day, query } from "../platform/wire_schema.ts";
import type { NetworkUpgrade } from "./network_upgrades_schema.ts";

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
      `What is drawn: the values, an index of 100 at each chain's base, each chain's share of the listed chains, or their total. Shares and totals exist for ${
        METRIC_NAMES.filter((name) => METRICS[name].notAdditive === null)
          .join(", ")
      }. The default is absolute for one chain and index for several`,
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

/** The charts of the checked series. Each has the name of its endpoint. */
export const CHECKED_CHART_NAMES = CHECK_NAMES.map((name) =>
  CHECKS[name].endpoint
);
/** The chart of a checked series. */
export type CheckedChartName = typeof CHECKED_CHART_NAMES[number];

/** The names of all charts: the metrics, then the checked series. */
export const CHART_NAMES = [...METRIC_NAMES, ...CHECKED_CHART_NAMES] as const;
/** The name of a chart. */
export type ChartName = typeof CHART_NAMES[number];

/** A unit of pages and pictures, and its size in units of answers and files. */
interface ShownUnit {
  readonly name: string;
  readonly size: number;
  readonly meaning: string;
}

/** The units whose values have too many digits for a reader. */
const SHOWN_UNITS: Partial<Record<MetricRule["unit"], ShownUnit>> = {
  wei: {
    name: "gwei",
    size: 1e9,
    meaning: "gwei, billionths of the native token (nAVAX)",
  },
  gas: { name: "Ggas", size: 1e9, meaning: "Ggas, billions of units of gas" },
  "gas-per-second": {
    name: "Mgas/s",
    size: 1e6,
    meaning: "Mgas/s, millions of units of gas a second",
  },
};

/** Returns the unit in which pages and pictures show a metric; undefined if it is that of answers. */
export function shownUnitOf(
  { unit }: Pick<MetricRule, "unit">,
): ShownUnit | undefined {
  return SHOWN_UNITS[unit];
}

/** Returns a value as pages and pictures show it. */
export function shownValue(name: ChartName, value: number): number {
  return isChecked(name)
    ? value
    : value / (shownUnitOf(METRICS[name])?.size ?? 1);
}

/** Returns whether a chart shows a checked series. */
export function isChecked(name: ChartName): name is CheckedChartName {
  return (CHECKED_CHART_NAMES as readonly string[]).includes(name);
}

/** Whether something is drawn; the default is first. */
export const VISIBILITY = ["show", "hide"] as const;

/** The colours of a chart. The first one is the default, and follows the reader's preference. */
const THEMES = ["auto", "light", "dark"] as const;
/** The colours of a chart. */
export type Theme = typeof THEMES[number];

/** Widths of an SVG chart in pixels. */
const WIDTHS = { minimum: 320, maximum: 1600 } as const;
const WIDTH_TEXT = `a whole number from ${WIDTHS.minimum} to ${WIDTHS.maximum}`;

/** Pixels for each unit of a PNG of 1200 × 630. */
export const PictureDensity = z.enum(["1", "2"]).transform(Number).optional()
  .openapi({
    type: "string",
    enum: ["1", "2"],
    default: "1",
    description:
      "Density of the PNG: 1 for 1200 × 630 pixels, 2 for 2400 × 1260",
  });

/** Colours of a picture. */
export const PictureTheme = z.enum(THEMES).optional().meta({
  description:
    "Colours; auto follows the reader's preference, and is light in the PNG",
  default: "auto",
});

/** Parameters of the drawing. The data endpoints do not have them. */
const drawing = {
  theme: PictureTheme,
  width: z.string().regex(/^\d{3,4}$/, WIDTH_TEXT).transform(Number)
    .refine(
      (width) => width >= WIDTHS.minimum && width <= WIDTHS.maximum,
      WIDTH_TEXT,
    )
    .optional().openapi({
      type: "integer",
      ...WIDTHS,
      default: 800,
      description: "Width of the SVG in pixels",
    }),
  density: PictureDensity,
  unfinished: z.enum(VISIBILITY).optional().meta({
    description:
      "Whether to draw, as a hollow point apart from the line, a bucket that is still filling or lacks days",
    default: "show",
  }),
  upgrades: z.enum(VISIBILITY).optional().meta({
    description:
      "Whether to mark upgrades of the Avalanche network, on charts with the C-Chain or the Primary Network",
    default: "show",
  }),
  revisions: z.enum(VISIBILITY).optional().meta({
    description:
      "Whether to mark buckets in which the source changed a value of a complete day",
    default: "show",
  }),
};

/** The parameters of a drawing; undefined where they are invalid. The image of an error is drawn with them. */
export const ValidLook = z.object({
  theme: drawing.theme.catch(undefined),
  width: drawing.width.catch(undefined),
});

/** What a reader can hide of a chart. */
export type Hidden = Pick<
  MetricChartQuery,
  "unfinished" | "upgrades" | "revisions"
>;

/** Maximum number of chains in one chart. */
export const MAX_COMPARED_CHAINS = 10;

/** One chain of a chart. A list in one parameter is refused with the way to write it. */
export const RepeatedChainId = z.string()
  .refine(
    (text) => !text.includes(","),
    `one chain in each parameter, such as chainId=${C_CHAIN}&chainId=4337`,
  )
  .pipe(MetricsQuery.shape.chainId.unwrap());

/** The chains of a chart: one, or several that it compares. */
const ChainIds = z.preprocess(
  (given) => given === undefined || Array.isArray(given) ? given : [given],
  z.array(RepeatedChainId)
    .max(MAX_COMPARED_CHAINS, `at most ${MAX_COMPARED_CHAINS} chains`)
    .refine((ids) => new Set(ids).size === ids.length, "each chain once")
    .default([C_CHAIN]),
).openapi({
  type: "array",
  items: { type: "integer", minimum: 1 },
  maxItems: MAX_COMPARED_CHAINS,
  uniqueItems: true,
  default: [C_CHAIN],
  description:
    "EVM chain id of a tracked mainnet chain; repeat the parameter to compare several",
});

/** The query of a metric chart: that of `GET /metrics` for one or several chains, and how they are drawn. */
export const MetricChartQuery = withDays(
  query({
    ...daysParameters("1y"),
    ...drawing,
    asOf: AsOfParameter,
    interval: MetricsQuery.shape.interval,
    chainId: ChainIds,
    ...viewParameters,
  }),
  "1y",
);
/** A checked query of a metric chart. */
export type MetricChartQuery = z.infer<typeof MetricChartQuery>;

const days = {
  ...daysParameters("all"),
  ...drawing,
  scale: viewParameters.scale,
  asOf: AsOfParameter,
};

const TotalsChartQuery = withDays(
  query({ interval: TotalsQuery.shape.interval, ...days }),
  "all",
);

/** The queries of charts of checked series: those of their endpoints without format. */
export const CHECKED_CHART_QUERIES = {
  "monthly-transactions": TotalsChartQuery,
  "transaction-fees": TotalsChartQuery,
  "block-production": withDays(
    query({ window: BlocksQuery.shape.window, ...days }),
    "all",
  ),
  "validators": withDays(query(days), "all"),
} as const satisfies Record<CheckedChartName, z.ZodType>;

/** The options of a chart. */
interface ChartChoices {
  /** Widths of a bucket, the default first. */
  readonly intervals: readonly Interval[];
  readonly usualRange: Range;
  /** Trailing windows of the mean; empty without a mean. */
  readonly windows: readonly (typeof BLOCK_WINDOWS[number])[];
}

const METRIC_CHOICES: ChartChoices = {
  intervals: INTERVALS,
  usualRange: "1y",
  windows: [],
};
const TOTALS_CHOICES: ChartChoices = {
  intervals: CHECKED_INTERVALS,
  usualRange: "all",
  windows: [],
};
const DAILY_CHOICES: ChartChoices = { ...TOTALS_CHOICES, intervals: ["day"] };

const CHECKED_CHOICES: Record<CheckedChartName, ChartChoices> = {
  "monthly-transactions": TOTALS_CHOICES,
  "transaction-fees": TOTALS_CHOICES,
  "block-production": { ...DAILY_CHOICES, windows: BLOCK_WINDOWS },
  "validators": DAILY_CHOICES,
};

/** Returns the options of a chart. */
export function choicesOf(name: ChartName): ChartChoices {
  return isChecked(name) ? CHECKED_CHOICES[name] : METRIC_CHOICES;
}

/** The checked series that compares a metric of the C-Chain with a second source. */
export const CHECKED_SERIES_OF: Partial<
  Record<Metric, "monthly-transactions" | "transaction-fees">
> = {
  txCount: "monthly-transactions",
  feesPaid: "transaction-fees",
};

/** One bucket of a line. */
export interface ChartPoint {
  readonly day: string;
  readonly value: number;
  readonly complete: boolean;
  /** Whether a day of the bucket is inferred: the source publishes no more days of the chain. */
  readonly inferred: boolean;
  /** Whether the source withdraws a day of the bucket; its last value is shown. */
  readonly withdrawn: boolean;
  /** When a day of the bucket was last revised; null if none was. */
  readonly revisedAt: string | null;
  /** Earlier values of a day, the last one first. Weeks and months have none. */
  readonly earlierValues: readonly (number | null)[];
  /** Value of the second source; null if the bucket is not compared. */
  readonly crossCheckValue: number | null;
  readonly differencePct: number | null;
  /** Number of compared days if it is smaller than the bucket; null otherwise. */
  readonly comparedDayCount: number | null;
  readonly agrees: boolean | null;
  /** Disputed days in the bucket. */
  readonly disputedDays: readonly DisputedDay[];
  /** Other fields of the bucket in the endpoint's answer. */
  readonly further: Readonly<Record<string, number | null>>;
}

/** What a bucket says that has no mark and was not compared. */
export const UNMARKED: Omit<ChartPoint, "day" | "value" | "complete"> = {
  inferred: false,
  withdrawn: false,
  revisedAt: null,
  earlierValues: [],
  crossCheckValue: null,
  differencePct: null,
  comparedDayCount: null,
  agrees: null,
  disputedDays: [],
  further: {},
};

/** What a line is indexed to. */
export interface ChartBase {
  /** The first bucket. */
  readonly day: string;
  /** The value of the bucket, or the mean of the buckets. */
  readonly value: number;
  readonly bucketCount: number;
  /** Whether it is so small that the index exaggerates changes. */
  readonly isSmall: boolean;
}

/** A line of a chart: a series of one chain. */
export interface ChartLine {
  /** Null if the series does not belong to one chain. */
  readonly chainId: number | null;
  readonly chainName: string;
  readonly token: string | null;
  readonly points: readonly ChartPoint[];
  /** The drawn value of each point; null for a point that is not drawn. */
  readonly drawn: readonly (number | null)[];
  readonly gaps: readonly Gap[];
  readonly dataThrough: string | null;
  readonly fetchedAt: string;
  readonly source: string;
  /** How the line compares with its second source; absent for a checked series. */
  readonly check?: SeriesCheck;
  /** The base of the index; null if there is none or the chart is not indexed. */
  readonly base: ChartBase | null;
  /** The change against earlier windows; null without a complete day, and for checked series. */
  readonly changes: LineChanges | null;
}

/** A chart. */
export interface Chart {
  readonly name: ChartName;
  readonly unit: string;
  readonly interval: Interval;
  /** First days of all buckets of all lines, with or without a point. */
  readonly axis: readonly string[];
  readonly lines: readonly ChartLine[];
  readonly view: ChartView;
  /** The chains of the chart, also if it draws their total. */
  readonly chainNames: readonly string[];
  /** The network upgrades in these days; none for charts of L1s, which choose when they adopt one. */
  readonly upgrades: readonly NetworkUpgrade[];
  /** The comparison of the line that has a second source; null without one. */
  readonly checks: Checks | null;
  readonly recentAgreementPct: number | null;
}

/** The value of a window of days. */
export interface LineChanges {
  readonly from: string;
  /** The newest complete day. */
  readonly to: string;
  readonly fold: Fold;
  /** The complete days, folded; null if a day that it needs is missing. */
  readonly value: number | null;
  /** Days of the window without a complete value. */
  readonly missingDays: number;
  /**
   * The change against the same number of days directly before; null for a
   * window of about a year, or if those days precede the series.
   */
  readonly before: Change | null;
  /**
   * The change against the same days 365 days earlier; null for longer windows,
   * or if those days precede the series.
   */
  readonly yearBefore: Change | null;
}

/** The change against an earlier window of the same length. */
export interface Change {
  readonly from: string;
  readonly to: string;
  /** Null if a day of either window is missing, or the earlier value is 0. */
  readonly changePct: number | null;
  readonly missingDays: number;
}
