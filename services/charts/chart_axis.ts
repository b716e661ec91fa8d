/** The axis that the lines of a chart share: every bucket, whether it has a point or not. */
import type { Interval } from "../platform/days.ts";
import { endOfBucket, formatDay, parseDay } from "../platform/days.ts";

/** Lists the first days of all buckets from the first to the last of any line's. */
export function joinAxes(
  lines: readonly (readonly { readonly day: string }[])[],
  interval: Interval,
): string[] {
  const ends = lines.flatMap((points) =>
    points.length === 0 ? [] : [points[0]!.day, points.at(-1)!.day]
  ).map(parseDay);
  const last = Math.max(...ends);
  const axis: string[] = [];
  for (
    let day = Math.min(...ends);
    day <= last;
    day = endOfBucket(day, interval) + 1
  ) axis.push(formatDay(day));
  return axis;
}
