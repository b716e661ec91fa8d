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
  /** Where the figure is the end of a curve, all of it; the peer is its start. */
  readonly points?: readonly Point[];
}

/** What is measured where there is so much of something. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** What a measurement is told. */
export interface Run {
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
