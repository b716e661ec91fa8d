/** Figures: each held against a peer measured in the same run, or against a limit. */

/** What is target of a measurement, or of its ratio to the peer's. */
export interface Target {
  readonly of: "value" | "ratio";
  readonly is: ">=" | "<=" | "<" | "=";
  readonly than: number;
}

/** One measured measurement. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same of a peer, null where only a limit says what is good. */
  readonly peer: number | null;
  /** Null for a measurement that explains another. */
  readonly target: Target | null;
  /** Where the measurement is the end of a curve, all of it; the peer is its start. */
  readonly points?: readonly CurvePoint[];
}

/** What is measured where there is so much of something. */
export interface CurvePoint {
  readonly at: number;
  readonly value: number;
}

/** What a measurement is told. */
export interface BenchmarkOptions {
  /** Fewer rounds and less of everything, for a look in passing. */
  readonly short: boolean;
  /** A database with every series in it, filled when it is first asked for. */
  readonly filled: () => Promise<FilledDatabase>;
}

/** A database in which series are stored. */
export interface FilledDatabase {
  /** The settings under which a service uses it. */
  readonly settings: Readonly<Record<string, string>>;
  /** How many chains are in it. */
  readonly chains: number;
}

/** A measurement: one file each, listed in `main.ts`. */
export type Benchmark = (run: BenchmarkOptions) => Promise<Measurement[]>;

const COMPARE: Record<Target["is"], (a: number, b: number) => boolean> = {
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
  "<": (a, b) => a < b,
  "=": (a, b) => a === b,
};

/** Returns the measurement's ratio to its peer, or else to its limit; null without both. */
export function ratioOf({ value, peer, target }: Measurement): number | null {
  const against = peer ?? target?.than ?? null;
  return against === null ? null : value / against;
}

/** Returns whether a measurement is as target; null where nothing is. */
export function meetsTarget(measurement: Measurement): boolean | null {
  const { value, target } = measurement;
  if (target === null) return null;
  const compared = target.of === "ratio" ? ratioOf(measurement)! : value;
  return COMPARE[target.is](compared, target.than);
}
