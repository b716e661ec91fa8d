/** The number formats of the columns of the table of values. */
import type { Chart } from "../../services/charts/charts_schema.ts";
import { drawnKindOf, formatDrawn } from "./chart_view_words.ts";
import { columnFormat, pctColumnFormat } from "./chart_words.ts";

type Format = (value: number) => string;

/** The formats of the columns. Those of lines are in their order. */
export interface ColumnFormats {
  /** The formats of the values of a line, and of those of the second source. */
  readonly values: readonly Format[];
  /** The formats of the lines that are drawn instead of the values. */
  readonly drawn: readonly Format[];
  /** The format of the differences from the second source, in percent. */
  readonly differences: Format;
  readonly further: (field: string) => Format;
}

/** Returns the formats of a chart's table, which shows the newest buckets. */
export function columnsOf(chart: Chart, shown: number): ColumnFormats {
  const { lines } = chart;
  const [first] = lines;
  const points = first?.points.slice(-shown) ?? [];
  const further = new Map<string, Format>();
  for (const field of Object.keys(points[0]?.further ?? {})) {
    const values = points.map((point) => point.further[field] ?? null);
    further.set(
      field,
      field.endsWith("Pct") ? pctColumnFormat(values) : columnFormat(values),
    );
  }
  return {
    values: lines.map((line) =>
      columnFormat(
        line.points.slice(-shown).flatMap((
          { value, crossCheckValue },
        ) => [value, crossCheckValue]),
      )
    ),
    drawn: lines.map(({ drawn }) =>
      drawnKindOf(chart) === "average"
        ? columnFormat(drawn.slice(-shown))
        : (value) => formatDrawn(chart, value)
    ),
    differences: pctColumnFormat(
      points.map(({ differencePct }) => differencePct),
    ),
    further: (field) => further.get(field) ?? String,
  };
}
