/** What a chart draws as a table: one row per bucket, one column per line. */
import { endOfBucket, formatDay, parseDay } from "../platform/days.ts";
import { isBeforeFirst } from "./across_chains.ts";
import type { Chart } from "./charts_schema.ts";

/** A bucket, with its drawn values by column. */
type DrawnRow = Readonly<
  Record<string, string | number | boolean | null>
>;

/** The names of the columns, and the rows. */
interface DrawnTable {
  readonly columns: readonly string[];
  readonly rows: readonly DrawnRow[];
}

/**
 * Returns the drawn values of all lines on the shared days. A value is null if a
 * line has none. A row is complete if each line has a complete value or has not begun.
 */
export function drawnTable({ axis, interval, lines }: Chart): DrawnTable {
  const names = lines.map(({ chainId, chainName }) =>
    chainId === null ? chainName : `${chainName} (${chainId})`
  );
  const next = lines.map(() => 0);
  const rows = axis.map((day) => {
    const row: Record<string, string | number | boolean | null> = {
      period: day,
    };
    // A hidden bucket may begin before its gap.
    const lastDay = formatDay(endOfBucket(parseDay(day), interval));
    let complete = true;
    lines.forEach((line, index) => {
      const { points, drawn } = line;
      const place = next[index]!;
      const point = points[place];
      const isThere = point?.day === day;
      if (isThere) next[index]!++;
      row[names[index]!] = isThere ? drawn[place]! : null;
      complete &&= isThere ? point.complete : isBeforeFirst(lastDay, line);
    });
    return { ...row, complete };
  });
  return { columns: ["period", ...names, "complete"], rows };
}
