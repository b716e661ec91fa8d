/** Expected fields of the four checked series. */
import type { Checks } from "../../../services/chain_data/checks/checked_series_schema.ts";
import type { CheckedPath as Path } from "../checked_answers.ts";

const HEAD = ["chainName", "unit", "token", "range", "from", "to"];
const TAIL = [
  "lastPeriodComplete",
  "gaps",
  "dataThrough",
  "fetchedAt",
  "confirmedAt",
  "source",
  "checks",
  "recentAgreementPct",
  "disputedDayCount",
];
/** The counts of a day of `GET /validators`. */
export const COUNTS = [
  "validators",
  "delegators",
  "validatorStake",
  "delegatorStake",
  "totalStake",
];

/** The fields of each answer and of an item of its series, in order. */
export const FIELDS: Record<Path, { answer: string[]; item: string[] }> = {
  "/monthly-transactions": {
    answer: [...HEAD, "interval", "aggregation", "series", ...TAIL],
    item: [
      "day",
      "txCount",
      "crossCheckTxCount",
      "differencePct",
      "agrees",
      "monthOverMonthPct",
      "yearOverYearPct",
      "complete",
      "comparedDayCount",
      "disputedDays",
    ],
  },
  "/transaction-fees": {
    answer: [...HEAD, "interval", "aggregation", "series", ...TAIL],
    item: [
      "day",
      "feesPaid",
      "crossCheckFeesPaid",
      "differencePct",
      "agrees",
      "complete",
      "comparedDayCount",
      "disputedDays",
    ],
  },
  "/block-production": {
    answer: [...HEAD, "window", "series", "samples", ...TAIL, "lagHours"],
    item: ["day", "blocks", "meanBlockTimeSeconds", "complete"],
  },
  "/validators": {
    answer: [...HEAD, "series", "latestSnapshot", ...TAIL],
    item: [
      "day",
      ...COUNTS,
      "snapshot",
      "differencePct",
      "agrees",
      "complete",
    ],
  },
};

const SIMNET = (name: string) => `simulated (simnet in place of the ${name})`;

/** Fields of each answer after eight days of checks. */
export const FACTS: Record<Path, Record<string, unknown>> = {
  "/monthly-transactions": {
    chainName: "C-Chain",
    unit: "count",
    token: "AVAX",
    range: "all",
    interval: "month",
    aggregation: "sum",
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-18",
    source: SIMNET("Avalanche Metrics API"),
    disputedDayCount: 4,
  },
  "/transaction-fees": {
    chainName: "C-Chain",
    unit: "avax",
    token: "AVAX",
    range: "all",
    interval: "month",
    aggregation: "sum",
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-18",
    source: SIMNET("Avalanche Metrics API"),
    disputedDayCount: 2,
  },
  "/block-production": {
    chainName: "C-Chain",
    unit: "count",
    token: "AVAX",
    range: "all",
    window: 30,
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-19",
    source: SIMNET("explorer index"),
    disputedDayCount: 1,
  },
  "/validators": {
    chainName: "Primary Network",
    unit: "avax",
    token: "AVAX",
    range: "all",
    lastPeriodComplete: false,
    gaps: [],
    dataThrough: "2026-11-18",
    source: SIMNET("Avalanche Metrics API"),
    disputedDayCount: 0,
  },
};

/** Fields of `checks` in each answer after eight days of checks. */
export const CHECKS: Record<
  Path,
  Pick<Checks, "source" | "tolerancePct" | "checkedThrough">
> = {
  "/monthly-transactions": {
    source: SIMNET("explorer index"),
    tolerancePct: { day: 0.5, month: 0.05 },
    checkedThrough: "2026-11-18",
  },
  "/transaction-fees": {
    source: SIMNET("explorer index"),
    tolerancePct: { day: 0.5, month: 0.05 },
    checkedThrough: "2026-11-18",
  },
  "/block-production": {
    source: SIMNET("C-Chain RPC"),
    tolerancePct: { day: 0, month: 0 },
    checkedThrough: "2026-11-19",
  },
  "/validators": {
    source: SIMNET("P-Chain RPC"),
    tolerancePct: { day: 0.5, month: 0.05 },
    checkedThrough: "2026-11-18",
  },
};
