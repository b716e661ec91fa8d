/**
 * One day of a series: what each source says of it, everything that happened to it, and
 * the calls by which anybody repeats the comparison.
 */
import { z } from "zod";
import { findChain } from "../catalogue/chains.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
  INDEX_METRICS,
  type Proof,
  proofOf,
} from "../catalogue/cross_checks_schema.ts";
import {
  C_CHAIN,
  derivationOf,
  type Metric,
  METRIC_NAMES,
  METRICS,
  MetricsQuery,
} from "../catalogue/metrics_schema.ts";
import type { ChainDataDeps } from "./deps.ts";
import { readMetrics } from "../series/read_metrics.ts";
import type { FreshnessOptions } from "../../platform/cache.ts";
import { readRevisions } from "../series/revisions.ts";
import {
  MAX_REVISIONS,
  type RevisionsAnswer,
} from "../series/revisions_schema.ts";
import { dayAt, formatDay, parseDay, startOfDay } from "../../platform/days.ts";
import { invalidParameter } from "../../platform/fault.ts";
import { GENESIS_DAY } from "../catalogue/fields_schema.ts";
import { Day } from "../../platform/wire_schema.ts";
import { compareOnDay, isAwaited } from "./comparison.ts";
import { compareStored, readDisputes } from "./disputes.ts";
import { readStoredDay, type StoredDay } from "./index_checks.ts";
import { storedIdOf } from "../catalogue/series_id.ts";
import type { ReadDeps } from "../series/deps.ts";
import { findTxCount } from "../series/series_reader.ts";
import { isEmpty } from "../series/series.ts";

/** The checked series of the C-Chain that are no metric. */
const OTHER_SERIES = ["blocks", "stake"] as const;

/** A series whose days have addresses: a metric, or a checked series that is none. */
export type DaySeries = Metric | typeof OTHER_SERIES[number];

/** The path of a day: series, chain and day. */
export const DayPath = z.object({
  series: z.enum([...METRIC_NAMES, ...OTHER_SERIES]),
  chainId: MetricsQuery.shape.chainId.unwrap(),
  day: Day,
});
/** The series, chain and day of a path. */
export type DayPath = z.infer<typeof DayPath>;

/** The days of a checked series have the addresses of the metric that it checks. */
const DAYS_OF: Readonly<Record<CheckName, DaySeries>> = {
  transactions: "txCount",
  fees: "feesPaid",
  blocks: "blocks",
  stake: "stake",
};

/** Returns the series of a day's address, by the name or the endpoint of its series. */
export function daySeriesOf(
  series: CheckName | Metric | (typeof CHECKS)[CheckName]["endpoint"],
): DaySeries {
  const name = CHECK_NAMES.find((name) =>
    name === series || CHECKS[name].endpoint === series
  );
  return name === undefined ? series as Metric : DAYS_OF[name];
}

/** A day of a series in both sources, with its history. */
export interface DayProof extends Omit<StoredDay, "check" | "firstDay"> {
  readonly series: DaySeries;
  readonly chainId: number;
  readonly chainName: string;
  readonly token: string | null;
  readonly unit: string;
  readonly day: string;
  /** Null while the source has not published the day, and before the series begins. */
  readonly proof: Proof | null;
  /** What begins after the day, and when (YYYY-MM-DD); null if the series has begun. */
  readonly before:
    | { readonly of: "chain" | "series"; readonly day: string }
    | null;
  /** Why the day is not compared; null if it is, or if its series is. */
  readonly reason: StoredDay["check"]["reason"];
  /** Accepted difference in percent; null if the series is not compared. */
  readonly tolerancePct: number | null;
  /** When the service first found that the sources differ; null unless they do. */
  readonly foundAt: string | null;
  /** The last seen first. */
  readonly revisions: RevisionsAnswer["revisions"];
}

/**
 * Reads a day. A metric that was never read is read first, as for an answer of the API;
 * another series is null then. Throws a fault for an unknown chain, and for a day that
 * no series can have.
 */
export async function readDayProof(
  deps: ReadDeps<ChainDataDeps>,
  { series, chainId, day }: DayPath,
  freshness: FreshnessOptions,
): Promise<DayProof | null> {
  const today = formatDay(dayAt(deps.now().getTime()));
  if (day < GENESIS_DAY || day > today) {
    throw invalidParameter("day", day, `a day from ${GENESIS_DAY} to ${today}`);
  }
  const { chainName, token } = await findChain(deps, chainId);
  const isMetric = series !== "blocks" && series !== "stake";
  const found = isMetric
    ? await readMetricDay(deps, { series, chainId, day }, freshness)
    : await readCheckedDay(deps, series, parseDay(day));
  if (found === null || !isMetric && chainId !== C_CHAIN) return null;
  const { check, firstDay, ...values } = found;
  const isBefore = firstDay !== null && parseDay(day) < firstDay;
  const [before, revisions, foundAt] = await Promise.all([
    isBefore ? findBeginning(deps, { chainId, day, firstDay }) : null,
    isMetric ? listRevisions(deps, { series, chainId, day }) : [],
    values.agrees === false
      ? findFoundAt(deps, { series, chainId, day })
      : null,
  ]);
  return {
    series,
    chainId,
    chainName,
    token,
    unit: isMetric ? METRICS[series].unit : CHECKS[series].unit,
    day,
    ...values,
    before,
    proof: values.isAwaited || isBefore
      ? null
      : values.value === null
      ? "gap"
      : proofOf(check),
    reason: check.reason,
    tolerancePct: check.tolerancePct,
    foundAt,
    revisions,
  };
}

/** Finds what begins after a day that its series does not have: the chain, unless it has earlier transactions. */
async function findBeginning(
  deps: ReadDeps<ChainDataDeps>,
  { chainId, day, firstDay }: Pick<DayPath, "chainId" | "day"> & {
    readonly firstDay: number;
  },
): Promise<DayProof["before"]> {
  const txCount = await findTxCount(deps, chainId);
  const first = txCount === null || isEmpty(txCount)
    ? firstDay
    : Math.min(firstDay, txCount.firstDay);
  return parseDay(day) < first
    ? { of: "chain", day: formatDay(first) }
    : { of: "series", day: formatDay(firstDay) };
}

/** A day of a metric. */
interface MetricDay extends Omit<DayPath, "series"> {
  readonly series: Metric;
}

async function readMetricDay(
  deps: ReadDeps<ChainDataDeps>,
  { series: metric, chainId, day }: MetricDay,
  freshness: FreshnessOptions,
): Promise<StoredDay | null> {
  const id = { chainId, metric };
  const read = () => readStoredDay(deps, id, parseDay(day));
  const stored = await read();
  if (stored !== null) return stored;
  const query = {
    ...id,
    interval: "day",
    range: "30d",
    format: "json",
  } as const;
  await readMetrics(deps, {
    ...query,
    asOf: undefined,
    updatedAfter: undefined,
  }, freshness);
  return await read();
}

/** Reads a day of a checked series that is no metric. */
async function readCheckedDay(
  deps: ReadDeps<ChainDataDeps>,
  name: typeof OTHER_SERIES[number],
  day: number,
): Promise<Omit<StoredDay, "check"> & { check: DayCheck } | null> {
  const stored = await compareStored(deps, name);
  if (stored === null) return null;
  const { pairs, tail } = stored.comparison;
  const { value = null, crossCheckValue = null } =
    pairs.find((pair) => pair.day === day) ?? {};
  const { differencePct, agrees } = value === null || crossCheckValue === null
    ? { differencePct: null, agrees: null }
    : compareOnDay(name, value, crossCheckValue);
  return {
    value,
    isAwaited: isAwaited(pairs, day),
    firstDay: pairs[0]?.day ?? null,
    source: tail.source,
    crossCheckValue,
    crossCheckSource: tail.checks.source,
    differencePct,
    agrees,
    check: {
      agreementPct: agrees === null ? null : agrees ? 100 : 0,
      reason: null,
      tolerancePct: CHECKS[name].tolerancePct.day,
    },
  };
}

type DayCheck = Pick<
  StoredDay["check"],
  "agreementPct" | "reason" | "tolerancePct"
>;

async function listRevisions(
  deps: ReadDeps<ChainDataDeps>,
  { series, chainId, day }: MetricDay,
): Promise<DayProof["revisions"]> {
  const { answer } = await readRevisions(deps, {
    chainId,
    metric: series,
    from: day,
    to: day,
    limit: MAX_REVISIONS,
    format: "json",
  });
  return answer.revisions;
}

async function findFoundAt(
  deps: ReadDeps<ChainDataDeps>,
  { series, chainId, day }: DayPath,
): Promise<string | null> {
  const { answer: { disputes } } = await readDisputes(deps);
  return disputes.find((dispute) =>
    daySeriesOf(dispute.series) === series && dispute.chainId === chainId &&
    dispute.day === day
  )?.foundAt ?? null;
}

/** A call: what it answers, and its URL. */
export interface RedoCall {
  readonly answers: string;
  readonly url: string;
}

/** Daily statistics of the explorer index. */
const ACTIONS: Partial<Record<Metric, string>> = {
  txCount: "dailytx",
  feesPaid: "dailytxnfee",
};

/**
 * Lists the calls: first those of this service, then those of both sources.
 */
export function redoCalls(
  { series, chainId, day }: DayPath,
  { publicUrl, upstream }: Pick<ChainDataDeps, "publicUrl" | "upstream">,
): RedoCall[] {
  const api = `${publicUrl}/api/chain-data`;
  if (series === "blocks" || series === "stake") {
    const { endpoint } = CHECKS[series];
    return [{
      answers: series === "blocks"
        ? "both values, and the four calls of a node that count the blocks"
        : "both values, ours and that of our own snapshot",
      url: `${api}/${endpoint}?from=${day}&to=${day}`,
    }];
  }
  const days = `metric=${series}&chainId=${chainId}`;
  const stored = storedIdOf({ chainId, metric: series }).metric;
  // A derived day is the difference of two totals, and one of them is its own.
  const derived = derivationOf(series);
  const from = parseDay(day) - (derived ? 1 - derived.includedAfterDays : 0);
  const [start, end] = [from, from + (derived ? 1 : 0)]
    .map((day) => startOfDay(day) / 1000);
  const second = secondUrl({ series, chainId, day }, upstream);
  return [
    {
      answers: "the value and how it compares",
      url: `${api}/metrics?${days}&from=${day}&to=${day}`,
    },
    {
      answers: "what changed afterwards",
      url: `${api}/revisions?${days}&from=${day}&to=${day}`,
    },
    {
      answers: "the first source",
      url: `${
        upstream.metrics.baseUrlOf({ subject: chainId }).replace(/\/$/, "")
      }/v2/chains/${chainId}/metrics/${stored}?timeInterval=day&startTimestamp=${start}&endTimestamp=${end}`,
    },
    ...second === null ? [] : [{
      answers: "the second source",
      url: second,
    }],
  ];
}

/** Returns the URL of the second source; null for a metric without one. */
function secondUrl(
  { series, chainId, day }: { series: Metric; chainId: number; day: string },
  { explorer, chainIndex }: ChainDataDeps["upstream"],
): string | null {
  const action = ACTIONS[series];
  if (action !== undefined && chainId === C_CHAIN) {
    return `${explorer.baseUrl}?module=stats&action=${action}&startdate=${day}&enddate=${day}&sort=asc`;
  }
  const indexed = INDEX_METRICS.find((metric) => metric === series);
  return indexed === undefined
    ? null
    : chainIndex.urlOf(indexed, chainId, parseDay(day));
}
