/** Measures of a score against labels. */

/** A score with its label. */
interface Scored {
  readonly score: number;
  readonly isHonest: boolean;
}

/** A value with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the area under the ROC curve: the chance that an honest wallet scores higher
 * than a fraudulent one, where a tie counts half (Mann and Whitney 1947). NaN without
 * both, and if a wallet has no score.
 */
export function aucOf(scored: readonly Scored[]): number {
  if (scored.some(({ score }) => Number.isNaN(score))) return NaN;
  const sorted = scored.toSorted((a, b) => a.score - b.score);
  let honest = 0;
  let ranks = 0;
  for (let from = 0; from < sorted.length;) {
    let until = from;
    let tied = 0;
    while (
      until < sorted.length && sorted[until]!.score === sorted[from]!.score
    ) {
      if (sorted[until]!.isHonest) tied++;
      until++;
    }
    // Ranks from `from` + 1 to `until` share their mean.
    ranks += tied * (from + 1 + until) / 2;
    honest += tied;
    from = until;
  }
  const fraudulent = scored.length - honest;
  return (ranks - honest * (honest + 1) / 2) / (honest * fraudulent);
}

/**
 * Returns the AUC among the pairs of an honest and a fraudulent wallet of one stratum, all
 * pairs weighted equally. NaN if there are none.
 */
export function aucWithin(strata: readonly (readonly Scored[])[]): number {
  let won = 0;
  let pairs = 0;
  for (const stratum of strata) {
    const honest = stratum.filter(({ isHonest }) => isHonest).length;
    const count = honest * (stratum.length - honest);
    if (count === 0) continue;
    won += count * aucOf(stratum);
    pairs += count;
  }
  return won / pairs;
}

/** Returns the share of scores that are at least this high. NaN if there are none. */
export function passRate(
  scores: readonly number[],
  least: number,
): number {
  return scores.filter((score) => score >= least).length / scores.length;
}

/**
 * Returns how good a gate is where this share of all wallets is fraudulent: the share of
 * honest ones among those that pass, and of fraudulent ones among those that do not.
 */
export function precisionOf(
  rates: { readonly honest: number; readonly fraudulent: number },
  prevalence: number,
): { readonly passing: number; readonly refused: number } {
  const honest = 1 - prevalence;
  const passes = honest * rates.honest + prevalence * rates.fraudulent;
  const stays = prevalence * (1 - rates.fraudulent);
  return {
    passing: honest * rates.honest / passes,
    refused: stays / (stays + honest * (1 - rates.honest)),
  };
}

/**
 * Returns a measure of groups with the interval of a percentile bootstrap (Efron 1979).
 * Each group is resampled for itself; random numbers are from 0 up to 1.
 */
export function estimate<Item>(
  groups: readonly (readonly Item[])[],
  measure: (groups: readonly (readonly Item[])[]) => number,
  { random, resamples }: {
    readonly random: () => number;
    readonly resamples: number;
  },
): Estimate {
  const values = Array.from({ length: resamples }, () =>
    measure(
      groups.map((items) =>
        items.map(() => items[Math.floor(random() * items.length)]!)
      ),
    )).filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const at = (part: number) =>
    values[Math.min(values.length - 1, Math.floor(part * values.length))] ??
      NaN;
  return { value: measure(groups), low: at(0.025), high: at(0.975) };
}
