/** Moving averages of daily values. */

/**
 * Returns the mean of each day and the days before it, `length` in all. A mean is
 * NaN while one of these days is NaN or lies before the first: means are never
 * padded. Each window is summed anew, so errors of rounding do not add up.
 */
export function movingAverage(
  values: Float64Array,
  length: number,
): Float64Array {
  const means = new Float64Array(values.length).fill(NaN);
  let missing = -1;
  for (let at = 0; at < values.length; at++) {
    if (Number.isNaN(values[at]!)) missing = at;
    if (at - missing < length) continue;
    let sum = 0;
    for (let day = at - length + 1; day <= at; day++) sum += values[day]!;
    means[at] = sum / length;
  }
  return means;
}
