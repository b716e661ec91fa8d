/** Measurements: each is compared with a peer from the same run, or with a limit. */

/** The target of a value, or of its ratio to the peer. */
export interface Target {
  readonly of: "value" | "ratio";
  readonly is: ">=" | "<=" | "<" | "=";
  readonly than: number;
}

/** A measured value. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The value of the peer; null if there is only a limit. */
  readonly peer: number | null;
  /** Null for a measurement that only explains another. */
  readonly target: Target | null;
  /** The whole curve, if the value is its last point and the peer its first. */
  readonly points?: readonly CurvePoint[];
}

/** A point of a curve: the value at a size. */
export interface CurvePoint {
  readonly at: number;
  readonly value: number;
}

/** Options of a benchmark. */
export interface BenchmarkOptions {
  /** Fewer rounds and less data, for a quick check. */
  readonly short: boolean;
  /** Returns a database with every series. It is filled on first use. */
  readonly filled: () => Promise<FilledDatabase>;
}

/** A database with stored series. */
export interface FilledDatabase {
  /** Settings of a service that uses it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Number of chains. */
  readonly chains: number;
}

/** A benchmark. Each has its own file and is listed in `main.ts`. */
export type Benchmark = (run: BenchmarkOptions) => Promise<Measurement[]>;

const COMPARE: Record<Target["is"], (a: number, b: number) => boolean> = {
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
  "<": (a, b) => a < b,
  "=": (a, b) => a === b,
};

/** Returns the ratio of the value to its peer, or else to its limit; null without both, or if that is 0. */
export function ratioOf({ value, peer, target }: Measurement): number | null {
  const against = peer ?? target?.than ?? null;
  return against === null || against === 0 ? null : value / against;
}

/** Returns whether a measurement meets its target; null without a target. */
export function meetsTarget(measurement: Measurement): boolean | null {
  const { value, target } = measurement;
  if (target === null) return null;
  const compared = target.of === "ratio" ? ratioOf(measurement)! : value;
  return COMPARE[target.is](compared, target.than);
}
