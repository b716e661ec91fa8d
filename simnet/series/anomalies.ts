/** Deliberate anomalies in the data of some chains. */
import { dayOf } from "./days.ts";
import type { Metric } from "./series.ts";

/** The name of an anomaly. */
type AnomalyName =
  | "dead"
  | "never"
  | "young"
  | "missingWeek"
  | "nullAddresses"
  | "fallingTotal"
  | "wrongTps";

/** The EVM chain id that has each anomaly. */
export const ANOMALY_CHAIN_IDS: Readonly<Record<AnomalyName, number>> = {
  dead: 53935,
  never: 96786,
  young: 202110,
  missingWeek: 432204,
  nullAddresses: 4337,
  fallingTotal: 10849,
  wrongTps: 43419,
};

/** What an anomaly changes. Ages are days before today. */
export interface Anomaly {
  /** The age of the first point, in place of the chain's first day. */
  readonly firstAge?: number;
  /** The first day of the zeros, as days since 1970. An age would restate a day each day. */
  readonly silentFrom?: number;
  /** Ages without a point. */
  readonly absentAges?: readonly [newest: number, oldest: number];
  /** The metric that is answered with `results: null`. */
  readonly nullMetric?: Metric;
  /** One value that contradicts the others. */
  readonly distortion?: {
    readonly metric: Metric;
    readonly age: number;
    readonly distort: (value: number) => number;
  };
}

/** The anomalies. */
const ANOMALIES: Readonly<Record<AnomalyName, Anomaly>> = {
  dead: { silentFrom: dayOf("2025-10-17") },
  never: { absentAges: [0, Infinity] },
  young: { firstAge: 40 },
  missingWeek: { absentAges: [57, 63] },
  nullAddresses: { nullMetric: "cumulativeAddresses" },
  fallingTotal: {
    distortion: {
      metric: "cumulativeTxCount",
      age: 20,
      distort: (total) => Math.round(total * 0.97),
    },
  },
  wrongTps: {
    distortion: {
      metric: "avgTps",
      age: 25,
      distort: (tps) => Math.round(tps * 135) / 100,
    },
  },
};

/** Returns the anomaly of a chain; empty for most chains. */
export function findAnomaly(evmChainId: number): Anomaly {
  const name = ANOMALIES_BY_CHAIN.get(evmChainId);
  return name === undefined ? {} : ANOMALIES[name];
}

const ANOMALIES_BY_CHAIN = new Map(
  Object.entries(ANOMALY_CHAIN_IDS).map((
    [name, id],
  ) => [id, name as AnomalyName]),
);
