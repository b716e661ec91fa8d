/** The shared time axis of a chart: every bucket, with or without a point. */
import type { Interval } from "../platform/days.ts";
import { endOfBucket, formatDay, parseDay } from "../platform/days.ts";

/** Lists the first day of every bucket between the earliest and the latest point of all lines. */
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
