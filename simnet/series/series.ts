/** Daily values of a chain: pure functions of the chain and the day. */
import { C_CHAIN_ID, type Chain } from "../chains.ts";
import { cChainGasPriceLevel, TX_LEVELS } from "./curves.ts";
import { DAY_SECONDS, dayOf } from "./days.ts";
import { unit, vary } from "./noise.ts";

/** A day of a chain. All daily values are computed from it. */
interface ChainDay {
  /** The chain. */
  readonly chain: Chain;
  /** The day, as days since 1970. */
  readonly day: number;
  /** The transactions of the day. */
  readonly txCount: number;
}

/** Computes a value of a day. */
type DailyValue = (chainDay: ChainDay) => number;

/** A running total: its daily increase, and when a day is counted. */
interface RunningTotal {
  /** The increase of a day. */
  readonly adds: DailyValue;
  /** Whether the total of a day includes that day. */
  readonly includesOwnDay: boolean;
}

const WEI_PER_GWEI = 1e9;
const WEI_PER_TOKEN = 1e18;

/** Days of 2020 without a C-Chain block. */
export const EMPTY_DAYS: ReadonlySet<number> = new Set(
  [
    "2020-09-26",
    "2020-10-09",
    "2020-10-10",
    "2020-10-24",
    "2020-10-25",
    "2020-10-26",
    "2020-10-31",
  ].map(dayOf),
);

/** Metrics whose value is of one day. */
export const DAILY_METRICS = {
  txCount: ({ txCount }) => txCount,
  activeAddresses: countAddresses,
  activeSenders: countSenders,
  contracts: countContracts,
  deployers: countDeployers,
  gasUsed: sumGas,
  avgGasPrice: meanGasPrice,
  maxGasPrice: (of) => Math.round(meanGasPrice(of) * (1.5 + draw(of, "rush"))),
  feesPaid: (of) => sumGas(of) * meanGasPrice(of) / WEI_PER_TOKEN,
  avgTps: ({ txCount }) => twoDecimals(txCount / DAY_SECONDS),
  maxTps: (of) => peakPerSecond(of, of.txCount),
  avgGps: (of) => twoDecimals(sumGas(of) / DAY_SECONDS),
  maxGps: (of) => peakPerSecond(of, sumGas(of)),
} as const satisfies Record<string, DailyValue>;

/** A metric whose value is of one day. */
export type DailyMetric = keyof typeof DAILY_METRICS;

/**
 * The running totals. The Metrics API counts contracts up to the start of the day
 * only.
 */
export const RUNNING_TOTALS = {
  cumulativeTxCount: { adds: ({ txCount }) => txCount, includesOwnDay: true },
  cumulativeAddresses: { adds: countNewAddresses, includesOwnDay: true },
  cumulativeContracts: { adds: countContracts, includesOwnDay: false },
  cumulativeDeployers: { adds: countNewDeployers, includesOwnDay: true },
} as const satisfies Record<string, RunningTotal>;

/** A metric that accumulates from the chain's first day. */
type RunningMetric = keyof typeof RUNNING_TOTALS;

/** A metric of a chain that an upstream publishes. */
export type Metric = DailyMetric | RunningMetric;

/** Every metric by name. */
export const METRICS: readonly Metric[] = [
  ...Object.keys(DAILY_METRICS) as DailyMetric[],
  ...Object.keys(RUNNING_TOTALS) as RunningMetric[],
];

/** Returns whether a metric is a running total. */
export function isRunningTotal(metric: Metric): metric is RunningMetric {
  return metric in RUNNING_TOTALS;
}

/** Returns the transactions of a chain on a day. */
export function countTxs(chain: Chain, day: number): number {
  if (isWithoutBlocks(chain, day)) return 0;
  const seed = `txs/${chain.evmChainId}`;
  const { weekend, spread } = shapeOf(chain);
  const isWeekend = (day + 3) % 7 >= 5;
  // The days of a week add up to seven days of the level.
  const rhythm = isWeekend ? weekend : (7 - 2 * weekend) / 5;
  const expected = txLevel(chain, day) * rhythm * vary(seed, day, spread);
  return Math.floor(expected + unit(`${seed}/luck`, day));
}

/** Returns a daily value. */
export function dailyValue(
  chain: Chain,
  metric: DailyMetric,
  day: number,
): number {
  return DAILY_METRICS[metric]({ chain, day, txCount: countTxs(chain, day) });
}

function isWithoutBlocks(chain: Chain, day: number): boolean {
  return chain.evmChainId === C_CHAIN_ID &&
    (day < chain.firstDay || EMPTY_DAYS.has(day));
}

function txLevel(chain: Chain, day: number): number {
  const level = TX_LEVELS[chain.evmChainId];
  if (level !== undefined) return level(day);
  const ageDays = Math.max(0, day - chain.firstDay);
  const growth = Math.min(1, 0.05 + ageDays / 400);
  const season = 1 + 0.2 * Math.sin(day / 47 + chain.evmChainId);
  const { wave, waveDays, phase } = shapeOf(chain);
  const course = 1 + wave * Math.sin(2 * Math.PI * (day / waveDays + phase));
  return chain.typicalDailyTxs * growth * season * course * rushOn(chain, day);
}

/** How the transactions of a chain move around their level. */
interface Shape {
  /** The share of a mean day that a day of a weekend has. */
  readonly weekend: number;
  /** How far a day differs by chance. */
  readonly spread: number;
  /** A wave: its height, its length in days, and its phase, as a share of its length. */
  readonly wave: number;
  readonly waveDays: number;
  readonly phase: number;
  /** The height of a rush, such as a game's season. */
  readonly rush: number;
}

const shapes = new Map<number, Shape>();

/** Returns the shape that the id of a chain decides. Chains with a curve follow it alone. */
function shapeOf({ evmChainId }: Chain): Shape {
  const held = shapes.get(evmChainId);
  if (held !== undefined) return held;
  const of = (name: string) => unit(`shape/${name}`, evmChainId);
  const shape = TX_LEVELS[evmChainId] !== undefined
    ? { weekend: 0.9, spread: 0.07, wave: 0, waveDays: 1, phase: 0, rush: 0 }
    : {
      weekend: 0.75 + 0.45 * of("weekend"),
      spread: 0.04 + 0.16 * of("spread"),
      wave: 0.05 + 0.15 * of("wave"),
      waveDays: 11 + 60 * of("wave days"),
      phase: of("phase"),
      rush: 0.6 * of("rush"),
    };
  shapes.set(evmChainId, shape);
  return shape;
}

/** Days in which a chain has one rush, and in which the rush falls to a third. */
const RUSH_EVERY = 40;
const RUSH_FALLS = 4;

/** Returns the factor of the newest rush. It starts at once and fades. */
function rushOn(chain: Chain, day: number): number {
  const seed = `rush/${chain.evmChainId}`;
  const nth = Math.floor(day / RUSH_EVERY);
  const started = [nth, nth - 1]
    .map((period) =>
      period * RUSH_EVERY + Math.floor(RUSH_EVERY * unit(seed, period))
    ).find((start) => start <= day)!;
  const { rush } = shapeOf(chain);
  return 1 + rush * Math.exp((started - day) / RUSH_FALLS);
}

function countSenders(of: ChainDay): number {
  const expected = of.txCount ** 0.79 * noise(of, "senders");
  return Math.min(of.txCount, Math.round(expected));
}

function countAddresses(of: ChainDay): number {
  return Math.round(countSenders(of) * (1.1 + draw(of, "receivers")));
}

/** Most addresses of the first days are new, few of the later days. */
function countNewAddresses(of: ChainDay): number {
  const ageDays = Math.max(0, of.day - of.chain.firstDay);
  const share = Math.max(0.05, 1 / (1 + ageDays / 8));
  return Math.ceil(countAddresses(of) * share);
}

function countContracts(of: ChainDay): number {
  const expected = of.txCount * 6e-4 * draw(of, "contracts");
  return Math.floor(expected + draw(of, "luck"));
}

function countDeployers(of: ChainDay): number {
  return Math.ceil(countContracts(of) ** 0.8);
}

function countNewDeployers(of: ChainDay): number {
  return Math.round(countDeployers(of) * 0.6);
}

function sumGas(of: ChainDay): number {
  return Math.round(of.txCount * (7e4 + 5e4 * draw(of, "gas")));
}

function meanGasPrice(of: ChainDay): number {
  if (of.txCount === 0) return 0;
  const levelGwei = of.chain.evmChainId === C_CHAIN_ID
    ? cChainGasPriceLevel(of.day)
    : 1 + 50 * unit("gas price", of.chain.evmChainId);
  return Math.round(levelGwei * WEI_PER_GWEI * noise(of, "price"));
}

/** The busiest second: never below the mean, and at least one transaction in two seconds. */
function peakPerSecond(of: ChainDay, dayTotal: number): number {
  const rush = dayTotal / DAY_SECONDS * (3 + 9 * draw(of, "peak"));
  return twoDecimals(rush + dayTotal / Math.max(1, of.txCount) / 2);
}

function draw({ chain, day }: ChainDay, name: string): number {
  return unit(`${name}/${chain.evmChainId}`, day);
}

function noise({ chain, day }: ChainDay, name: string): number {
  return vary(`${name}/${chain.evmChainId}`, day, 0.08);
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}
