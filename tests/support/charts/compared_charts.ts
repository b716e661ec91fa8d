/** Charts of several chains made up for tests, and the words that a picture places. */
import {
  type Chart,
  type ChartLine,
  type ChartView,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import type { NetworkUpgrade } from "../../../services/charts/network_upgrades_schema.ts";
import { assertDrawn } from "../readable.ts";
import { chart, elementsOf, point } from "./charts.ts";

/** The days of a compared chart. */
export const COMPARED_DAYS = [
  "2026-11-01",
  "2026-11-02",
  "2026-11-03",
  "2026-11-04",
];

/** A network upgrade. */
export const upgrade = (name: string, day: string): NetworkUpgrade => ({
  name,
  day,
  change: null,
  source: "https://example.com/",
});

/** A chart of one line for each list of values; "Chain 1", "Chain 2" and so on. */
export function compared(
  values: readonly (readonly number[])[],
  more: Partial<Omit<Chart, "view">> & {
    readonly view?: Partial<ChartView>;
    readonly names?: readonly string[];
  } = {},
): Chart {
  const { view, names, ...rest } = more;
  const lines = values.map((list, nth): ChartLine => ({
    ...chart(
      COMPARED_DAYS,
      list.map((value, at) => point(COMPARED_DAYS[at]!, value)),
    ).lines[0]!,
    chainId: nth + 1,
    chainName: names?.[nth] ?? `Chain ${nth + 1}`,
  }));
  return {
    ...chart(COMPARED_DAYS, []),
    lines,
    chainNames: lines.map(({ chainName }) => chainName),
    view: { ...PLAIN_VIEW, ...view },
    ...rest,
  };
}

/** Small plots of so many chains with the values 1 to 4. */
export const panelsOf = (
  count: number,
  more: Parameters<typeof compared>[1] = {},
) =>
  compared(Array.from({ length: count }, () => [1, 2, 3, 4]), {
    ...more,
    view: { layout: "panels", ...more.view },
  });

/** The elements of a picture, whose parts are within it and do not overlap. */
export async function drawn(picture: Parameters<typeof String>[0]) {
  const elements = elementsOf(String(await picture));
  assertDrawn(elements);
  const numbers = (name: string) =>
    elements.filter((element) => element.name === name)
      .map(({ attributes: { x, y }, text }) => ({
        x: Number(x),
        y: Number(y),
        text,
      }));
  return { elements, texts: numbers("text") };
}
