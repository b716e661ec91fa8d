/** Charts of the checked series. */
import type { z } from "@hono/zod-openapi";
import { readBlockProduction } from "../chain_data/blocks/block_production.ts";
import {
  readFees,
  readTransactions,
} from "../chain_data/checks/checked_totals.ts";
import { C_CHAIN } from "../chain_data/catalogue/metrics_schema.ts";
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
  startOfBucket,
} from "../platform/days.ts";
import {
  type Chart,
  type ChartLine,
  type ChartPoint,
  type CHECKED_CHART_QUERIES,
  type CheckedChartName,
  type GivenView,
  PLAIN_VIEW,
  UNMARKED,
} from "./charts_schema.ts";
import type {
  CheckedTail,
  DisputedDay,
} from "../chain_data/checks/checked_series_schema.ts";
import type { CacheableAnswer, FreshnessOptions } from "../platform/cache.ts";
import type { ChainDataDeps } from "../chain_data/checks/deps.ts";
import { compareOnDay } from "../chain_data/checks/comparison.ts";
import { joinAxes } from "./value_axis.ts";
import { upgradesWithin } from "./network_upgrades_schema.ts";
import { readValidators } from "../chain_data/validators/validators.ts";
import type { ReadDeps } from "../chain_data/series/deps.ts";

/** Dependencies of charts. */
export type ChartDeps = ReadDeps<ChainDataDeps>;

/** The query of the chart of a checked series. */
export type CheckedChartQuery<Name extends CheckedChartName> = z.infer<
  (typeof CHECKED_CHART_QUERIES)[Name]
>;

/** Readers of the charts of checked series. */
export const CHECKED_CHARTS: {
  readonly [Name in CheckedChartName]: (
    deps: ChartDeps,
    query: CheckedChartQuery<Name>,
    freshness: FreshnessOptions,
  ) => Promise<CacheableAnswer<Chart>>;
} = {
  "monthly-transactions": async (deps, query, freshness) => {
    const { answer, ...dates } = await readTransactions(
      deps,
      { ...query, format: "json" },
      freshness,
    );
    const points = answer.series.map((item) => ({
      ...item,
      value: item.txCount,
      crossCheckValue: item.crossCheckTxCount,
      further: answer.interval === "day" ? {} : {
        monthOverMonthPct: item.monthOverMonthPct,
        yearOverYearPct: item.yearOverYearPct,
      },
    }));
    const head = { name: "monthly-transactions", ...answer } as const;
    return { answer: checkedChart(head, points, query), ...dates };
  },
  "transaction-fees": async (deps, query, freshness) => {
    const { answer, ...dates } = await readFees(
      deps,
      { ...query, format: "json" },
      freshness,
    );
    const points = answer.series.map((item) => ({
      ...item,
      value: item.feesPaid,
      crossCheckValue: item.crossCheckFeesPaid,
      further: {},
    }));
    const head = { name: "transaction-fees", ...answer } as const;
    return { answer: checkedChart(head, points, query), ...dates };
  },
  "block-production": async (deps, query) => {
    const { answer, ...dates } = await readBlockProduction(
      deps,
      { ...query, format: "json" },
    );
    const sampled = new Map(
      answer.samples.map((sample) => [sample.day, sample]),
    );
    const points = answer.series.map((item) => {
      const sample = sampled.get(item.day);
      const compared = sample && sample.agrees !== null
        ? {
          crossCheckValue: sample.rpcBlocks,
          ...compareOnDay("blocks", item.blocks, sample.rpcBlocks),
        }
        : { crossCheckValue: null, differencePct: null, agrees: null };
      return {
        ...item,
        value: item.blocks,
        ...compared,
        further: { meanBlockTimeSeconds: item.meanBlockTimeSeconds },
      };
    });
    const head = {
      name: "block-production",
      interval: "day",
      ...answer,
    } as const;
    return { answer: checkedChart(head, points, query), ...dates };
  },
  "validators": async (deps, query, freshness) => {
    const { answer, ...dates } = await readValidators(
      deps,
      { ...query, format: "json" },
      freshness,
    );
    const points = answer.series.map((item) => ({
      ...item,
      value: item.totalStake,
      crossCheckValue: item.agrees === null ? null : item.snapshot!.totalStake,
      further: {
        validators: item.validators,
        delegators: item.delegators,
        validatorStake: item.validatorStake,
        delegatorStake: item.delegatorStake,
      },
    }));
    const head = { name: "validators", interval: "day", ...answer } as const;
    return { answer: checkedChart(head, points, query), ...dates };
  },
};

/** Groups disputed days by the first day of their bucket. */
export function disputesByBucket(
  disputedDays: readonly DisputedDay[],
  interval: Interval,
): Map<string, DisputedDay[]> {
  return Map.groupBy(
    disputedDays,
    ({ day }) => formatDay(startOfBucket(parseDay(day), interval)),
  );
}

interface CheckedHead extends CheckedTail {
  readonly name: CheckedChartName;
  readonly interval: Interval;
  readonly chainName: string;
  readonly unit: string;
  readonly token: string;
}

/** A bucket. Daily buckets have no `comparedDayCount`. */
type CheckedPoint =
  & Pick<ChartPoint, "day" | "value" | "complete">
  & Pick<ChartPoint, "crossCheckValue" | "differencePct" | "agrees" | "further">
  & Partial<Pick<ChartPoint, "comparedDayCount">>
  & {
    readonly disputed?: "withdrawn" | undefined;
    readonly revisedAt?: string | undefined;
  };

function checkedChart(
  head: CheckedHead,
  points: readonly CheckedPoint[],
  { scale = PLAIN_VIEW.scale }: Pick<GivenView, "scale">,
): Chart {
  const { name, interval, unit, checks, recentAgreementPct } = head;
  const disputed = disputesByBucket(checks.disputedDays, interval);
  const { chainName, token, gaps, dataThrough, fetchedAt, source } = head;
  const line: ChartLine = {
    chainId: name === "validators" ? null : C_CHAIN,
    chainName,
    token,
    points: points.map((point) => ({
      ...UNMARKED,
      day: point.day,
      value: point.value,
      complete: point.complete,
      withdrawn: point.disputed !== undefined,
      revisedAt: point.revisedAt ?? null,
      crossCheckValue: point.crossCheckValue,
      differencePct: point.differencePct,
      comparedDayCount: partlyComparedDays(point, interval),
      agrees: point.agrees,
      disputedDays: disputed.get(point.day) ?? [],
      further: point.further,
    })),
    gaps,
    dataThrough,
    fetchedAt,
    source,
    base: null,
    changes: null,
    drawn: points.map(({ value }) => value),
  };
  const axis = joinAxes([line.points], interval);
  return {
    name,
    unit,
    interval,
    axis,
    upgrades: upgradesWithin(axis, interval),
    lines: [line],
    view: { ...PLAIN_VIEW, scale },
    chainNames: [chainName],
    checks,
    recentAgreementPct,
  };
}

/** Returns the number of compared days; null if it is 0 or the whole bucket. */
function partlyComparedDays(
  { day, comparedDayCount = null }: CheckedPoint,
  interval: Interval,
): number | null {
  const start = parseDay(day);
  const all = endOfBucket(start, interval) - start + 1;
  return comparedDayCount === all ? null : comparedDayCount || null;
}
