/** Measures of a score against labels. */

/** A score with its label. */
export interface Scored {
  readonly score: number;
  readonly isHuman: boolean;
}

/** A value with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Resamples of a bootstrap. */
const RESAMPLES = 300;

/**
 * Returns the area under the ROC curve: the chance that a human scores higher than a
 * sybil, where a tie counts half (Mann and Whitney 1947). NaN without both.
 */
export function aucOf(scored: readonly Scored[]): number {
  const sorted = scored.toSorted((a, b) => a.score - b.score);
  let humans = 0;
  let ranks = 0;
  for (let from = 0; from < sorted.length;) {
    let until = from;
    let tied = 0;
    while (
      until < sorted.length && sorted[until]!.score === sorted[from]!.score
    ) {
      if (sorted[until]!.isHuman) tied++;
      until++;
    }
    // Ranks from `from` + 1 to `until` share their mean.
    ranks += tied * (from + 1 + until) / 2;
    humans += tied;
    from = until;
  }
  const sybils = scored.length - humans;
  return (ranks - humans * (humans + 1) / 2) / (humans * sybils);
}

/**
 * Returns the share of humans among those that score at least `least`. NaN if there are
 * none.
 */
export function precisionAt(scored: readonly Scored[], least: number): number {
  const accepted = scored.filter(({ score }) => score >= least);
  return accepted.filter(({ isHuman }) => isHuman).length / accepted.length;
}

/** Returns a measure with the interval of a percentile bootstrap (Efron 1979). */
export function estimate<Item>(
  items: readonly Item[],
  measure: (items: readonly Item[]) => number,
  random: () => number,
): Estimate {
  const values = Array.from({ length: RESAMPLES }, () =>
    measure(
      items.map(() => items[Math.floor(random() * items.length)]!),
    )).filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const at = (part: number) =>
    values[Math.min(values.length - 1, Math.floor(part * values.length))] ??
      NaN;
  return { value: measure(items), low: at(0.025), high: at(0.975) };
}

/** A predicted probability, and whether it came true. */
interface Prediction {
  readonly probability: number;
  readonly isTrue: boolean;
}

/** Returns the mean squared error of probabilities (Brier 1950): 0 is perfect. */
export function brierOf(predictions: readonly Prediction[]): number {
  const squares = predictions.map(({ probability, isTrue }) =>
    (probability - Number(isTrue)) ** 2
  );
  return squares.reduce((sum, square) => sum + square, 0) / squares.length;
}

/** Predictions of nearly one probability, and how often they came true. */
export interface ReliabilityBin {
  readonly count: number;
  readonly probability: number;
  readonly frequency: number;
}

/** Groups predictions by probability, in tenths. */
export function reliabilityOf(
  predictions: readonly Prediction[],
): ReliabilityBin[] {
  return Array.from({ length: 10 }, (_, nth) => {
    const some = predictions.filter(({ probability }) =>
      Math.min(9, Math.floor(10 * probability)) === nth
    );
    const sum = some.reduce((sum, { probability }) => sum + probability, 0);
    const isTrue = some.filter(({ isTrue }) => isTrue).length;
    return {
      count: some.length,
      probability: sum / some.length,
      frequency: isTrue / some.length,
    };
  }).filter(({ count }) => count > 0);
}
