/** Charts made up for tests, and pictures read back. */
import {
  type Chart,
  type ChartLine,
  type ChartPoint,
  PLAIN_VIEW,
  UNMARKED,
} from "../../../services/charts/charts_schema.ts";
import { type ElementCompact, xml2js } from "xml-js";

/** A point that nothing is said of but its value. */
export function point(
  day: string,
  value: number,
  more: Partial<ChartPoint> = {},
): ChartPoint {
  return {
    day,
    value,
    complete: true,
    ...UNMARKED,
    ...more,
  };
}

/** A chart of one chain, by day. */
export function chart(
  axis: readonly string[],
  points: readonly ChartPoint[],
  more: Partial<Chart> & { readonly line?: Partial<ChartLine> } = {},
): Chart {
  const { line, ...rest } = more;
  return {
    name: "txCount",
    unit: "count",
    interval: "day",
    axis,
    lines: [{
      chainId: 1,
      chainName: "Example",
      token: null,
      points,
      gaps: [],
      dataThrough: points.at(-1)?.day ?? null,
      fetchedAt: "2026-11-21T08:00:00.000Z",
      source: "a source",
      base: null,
      changes: null,
      drawn: points.map(({ value }) => value),
      ...line,
    }],
    view: PLAIN_VIEW,
    upgrades: [],
    chainNames: [line?.chainName ?? "Example"],
    checks: null,
    recentAgreementPct: null,
    ...rest,
  };
}

/** An element of a picture. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text within. */
  readonly text: string;
}

/** Reads a picture; throws where it is no well-formed XML. */
export function elementsOf(svg: string): Element[] {
  const found: Element[] = [];
  const visit = (node: ElementCompact): string => {
    const text = node.type === "text" || node.type === "cdata"
      ? String(node.text ?? node.cdata)
      : "";
    const within = (node.elements ?? []).map(visit).join("");
    if (node.type === "element") {
      const { name, attributes = {} } = node;
      found.push({ name, attributes, text: within });
    }
    return text + within;
  };
  visit(xml2js(svg));
  return found;
}

/** Returns the elements of a class. */
export function withClass(
  elements: readonly Element[],
  name: string,
): Element[] {
  return elements.filter(({ attributes }) =>
    attributes.class?.split(" ").includes(name)
  );
}
