/** The buckets of the table of values, as its rows show them. */
import type { Chart, ChartPoint } from "../../services/charts/charts_schema.ts";

/** One bucket: the point of each line. */
export interface Bucket {
  readonly day: string;
  readonly points: readonly (ChartPoint | undefined)[];
  readonly drawn: readonly (number | null)[];
}

/** A run of buckets without any point. */
interface Missing {
  readonly from: string;
  readonly to: string;
  readonly missing: number;
}

/** Lists the buckets newest first, and merges consecutive empty ones. */
export function bucketsIn({ axis, lines }: Chart): (Bucket | Missing)[] {
  const next = lines.map(({ points }) => points.length - 1);
  const listed: (Bucket | Missing)[] = [];
  for (const day of axis.toReversed()) {
    const places = lines.map(({ points }, index) =>
      points[next[index]!]?.day === day ? next[index]!-- : -1
    );
    const last = listed.at(-1);
    if (places.some((place) => place !== -1)) {
      listed.push({
        day,
        points: lines.map(({ points }, index) => points[places[index]!]),
        drawn: lines.map(({ drawn }, index) => drawn[places[index]!] ?? null),
      });
    } else if (last && "missing" in last) {
      listed[listed.length - 1] = {
        ...last,
        from: day,
        missing: last.missing + 1,
      };
    } else listed.push({ from: day, to: day, missing: 1 });
  }
  return listed;
}
