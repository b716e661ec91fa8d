/** The long-term level of each series: anchors, interpolated on a logarithmic scale. */
import { C_CHAIN_ID } from "../chains.ts";
import { dayOf } from "./days.ts";

type Anchor = readonly [date: string, level: number];

function curve(...anchors: Anchor[]): (day: number) => number {
  const points = anchors.map(([date, level]) =>
    [dayOf(date), Math.log(level)] as const
  );
  return function levelOn(day) {
    const next = points.findIndex(([anchorDay]) => anchorDay > day);
    if (next <= 0) return Math.exp(points.at(next)![1]);
    const [fromDay, from] = points[next - 1]!;
    const [toDay, to] = points[next]!;
    return Math.exp(from + (to - from) * (day - fromDay) / (toDay - fromDay));
  };
}

/** Daily transactions on the C-Chain. */
const cChainTxLevel = curve(
  ["2020-09-23", 6],
  ["2020-09-30", 13],
  ["2020-10-31", 15],
  ["2020-11-30", 60],
  ["2020-12-31", 900],
  ["2021-02-08", 14_000],
  ["2021-03-15", 50_000],
  ["2021-08-17", 120_000],
  ["2021-08-26", 420_000],
  ["2022-01-27", 880_000],
  ["2022-05-15", 460_000],
  ["2022-12-25", 110_000],
  ["2023-05-01", 260_000],
  ["2023-11-18", 400_000],
  ["2023-11-22", 6_100_000],
  ["2023-11-26", 800_000],
  ["2023-12-14", 4_900_000],
  ["2024-01-20", 520_000],
  ["2024-10-01", 190_000],
  ["2025-04-08", 420_000],
  ["2025-07-01", 1_300_000],
  ["2026-04-15", 2_650_000],
  ["2026-08-01", 1_450_000],
  ["2026-10-01", 1_300_000],
);

/** Practically no transaction. A logarithm has no 0. */
const NONE = 1e-9;

/**
 * Daily transactions on coqnet: one bot's 150 a second, ten times the C-Chain, were
 * captured in the summer of 2025, and zeros in 2026.
 */
const coqnetTxLevel = curve(
  ["2024-04-02", 3_000],
  ["2025-06-10", 20_000],
  ["2025-06-20", 12_950_000],
  ["2025-07-20", 12_950_000],
  ["2025-07-21", NONE],
);

/** Daily transactions by chain id. The other chains grow to their typical number. */
export const TX_LEVELS: Readonly<Record<number, (day: number) => number>> = {
  [C_CHAIN_ID]: cChainTxLevel,
  42069: coqnetTxLevel,
};

/** Mean gas price on the C-Chain in nAVAX. Forks lowered it. */
export const cChainGasPriceLevel: (day: number) => number = curve(
  ["2021-03-30", 470],
  ["2021-03-31", 225],
  ["2021-08-24", 225],
  ["2021-08-25", 70],
  ["2021-11-25", 95],
  ["2022-04-01", 35],
  ["2023-11-18", 28],
  ["2023-11-22", 70],
  ["2023-11-26", 40],
  ["2023-12-14", 85],
  ["2024-01-20", 30],
  ["2024-12-15", 27],
  ["2024-12-17", 3],
  ["2025-04-07", 2.4],
  ["2025-04-09", 1.6],
  ["2025-11-19", 0.9],
  ["2026-10-01", 0.5],
);

/** Daily blocks on the C-Chain. */
export const cChainBlockLevel: (day: number) => number = curve(
  ["2020-09-23", 5],
  ["2020-09-30", 16],
  ["2020-10-31", 14],
  ["2020-11-30", 50],
  ["2020-12-31", 700],
  ["2021-02-08", 10_000],
  ["2021-03-15", 36_000],
  ["2021-05-01", 57_000],
  ["2021-08-17", 60_000],
  ["2021-11-16", 27_000],
  ["2022-01-15", 39_000],
  ["2023-11-22", 42_671],
  ["2024-09-01", 37_000],
  ["2025-04-08", 40_000],
  ["2025-11-18", 48_000],
  ["2025-11-20", 76_500],
  ["2026-05-23", 79_000],
);

/** Validators of the Primary Network. */
export const validatorCountLevel: (day: number) => number = curve(
  ["2020-09-10", 260],
  ["2020-11-01", 620],
  ["2021-12-01", 1_230],
  ["2024-03-01", 1_760],
  ["2025-07-13", 1_446],
  ["2025-08-11", 1_116],
  ["2026-03-01", 1_104],
);

/** Stake of the validators in AVAX. */
export const validatorWeightLevel: (day: number) => number = curve(
  ["2020-09-10", 152e6],
  ["2021-12-01", 214e6],
  ["2024-03-01", 236e6],
  ["2025-07-13", 187.9e6],
  ["2025-08-11", 163.4e6],
  ["2026-03-01", 161e6],
);

/** Delegations of the Primary Network. */
export const delegatorCountLevel: (day: number) => number = curve(
  ["2020-09-10", 40],
  ["2020-11-01", 2_800],
  ["2021-12-01", 27_000],
  ["2024-03-01", 62_000],
  ["2025-08-11", 52_900],
  ["2026-03-01", 51_200],
);

/** Delegated stake in AVAX. */
export const delegatorWeightLevel: (day: number) => number = curve(
  ["2020-09-10", 1.1e6],
  ["2020-11-01", 14e6],
  ["2021-12-01", 31e6],
  ["2024-03-01", 44e6],
  ["2025-08-11", 46.7e6],
  ["2026-03-01", 47.5e6],
);
