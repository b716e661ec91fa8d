/** Figures: each held against a peer measured in the same run, or against a limit. */

/** What is wanted of a figure, or of its ratio to the peer's. */
export interface Wanted {
  readonly of: "figure" | "ratio";
  readonly is: ">=" | "<=" | "<" | "=";
  readonly than: number;
}

/** One measured figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same of a peer, null where only a limit says what is good. */
  readonly peer: number | null;
  /** Null for a figure that explains another. */
  readonly wanted: Wanted | null;
}

/** What a measurement is told. */
export interface Run {
  /** Fewer rounds, for a look in passing. */
  readonly short: boolean;
  /** A database with every series in it, as settings of the service. */
  readonly filled: Readonly<Record<string, string>>;
}

/** A measurement: one file each, listed in `main.ts`. */
export type Measure = (run: Run) => Promise<Figure[]>;

const COMPARE: Record<Wanted["is"], (a: number, b: number) => boolean> = {
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
  "<": (a, b) => a < b,
  "=": (a, b) => a === b,
};

/** Returns the figure's ratio to its peer, or else to its limit; null without both. */
export function ratioOf({ value, peer, wanted }: Figure): number | null {
  const against = peer ?? wanted?.than ?? null;
  return against === null ? null : value / against;
}

/** Returns whether a figure is as wanted; null where nothing is. */
export function isMet(figure: Figure): boolean | null {
  const { value, wanted } = figure;
  if (wanted === null) return null;
  const compared = wanted.of === "ratio" ? ratioOf(figure)! : value;
  return COMPARE[wanted.is](compared, wanted.than);
}
