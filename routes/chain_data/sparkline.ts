/** Small charts of complete days, without axes. */
import { html } from "hono/html";
import { formatTicks } from "../charts/chart_words.ts";
import { round } from "../charts/day_axis.ts";
import type { Html } from "../pages/layout.ts";
import { parseDay } from "../../services/platform/days.ts";
import { maxOf, minOf } from "../../services/platform/numbers.ts";

/** A small chart. */
interface Sparkline {
  /** One slot per day; null for a day that is not complete. */
  readonly values: readonly (number | null)[];
  readonly width: number;
  readonly height: number;
  /** Whether the axis contains zero. Otherwise the line fills its own range. */
  readonly fromZero?: boolean;
  /** Days of the window before the first day of the chain: none of them is missing. */
  readonly daysBefore?: number;
  /** Whether a script may read it: says where the line is, and which values are at its bottom and at its top. */
  readonly isRead?: boolean;
}

/** Space around the line, in pixels. */
const MARGIN = 3;

/**
 * Renders a small chart. The line fills its own range and breaks at a missing day. Its
 * label, which a pointer shows too, says the range, and how many days are missing or before
 * the first day of the chain.
 */
export function sparkline(chart: Sparkline): Html {
  const { values, width, height } = chart;
  const known = values.filter((value) => value !== null);
  if (known.length === 0) {
    return html`<span class="muted small">no complete day</span>`;
  }
  const places = placesOf(chart, known);
  const last = places.findLast((place) => place !== null)!;
  const label = labelOf(chart, known);
  const { least, span } = axisOf(chart, known);
  return html`
    <svg class="spark" viewBox="0 0 ${width} ${height}" width="${width}"
      height="${height}" role="img" aria-label="${label}">
      <title>${label}</title>
      <path d="${pathOf(places)}" />
      <circle cx="${last.x}" cy="${last.y}" r="2" />
      ${chart.isRead
        ? html`
          <rect class="panel-area" fill="none" x="${MARGIN}" y="${MARGIN}"
            width="${width - 2 * MARGIN}" height="${height - 2 * MARGIN}"
            data-extent="${least} ${least + span}" />
        `
        : ""}
    </svg>
  `;
}

/** Returns the path of a small chart alone; empty without a complete day. */
export function sparkPath(chart: Sparkline): string {
  const known = chart.values.filter((value) => value !== null);
  return known.length === 0 ? "" : pathOf(placesOf(chart, known));
}

/** A point, in pixels. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** Returns the value at the bottom, and how far the top is above it. */
function axisOf({ fromZero = false }: Sparkline, known: readonly number[]) {
  const least = fromZero ? Math.min(0, minOf(known)) : minOf(known);
  return { least, span: maxOf(known) - least || 1 };
}

function placesOf(
  chart: Sparkline,
  known: readonly number[],
): (Place | null)[] {
  const { values, width, height } = chart;
  const { least, span } = axisOf(chart, known);
  const step = (width - 2 * MARGIN) / Math.max(1, values.length - 1);
  return values.map((value, nth) =>
    value === null ? null : {
      x: round(MARGIN + nth * step),
      y: round(
        height - MARGIN - (value - least) / span * (height - 2 * MARGIN),
      ),
    }
  );
}

/** Returns the path: a line between neighbouring days, and a dot for a day alone. */
function pathOf(places: readonly (Place | null)[]): string {
  let path = "";
  for (const [nth, place] of places.entries()) {
    if (place === null) continue;
    const isFirst = (places[nth - 1] ?? null) === null;
    path += isFirst ? `M${place.x} ${place.y}` : ` ${place.x} ${place.y}`;
    if (isFirst && (places[nth + 1] ?? null) === null) path += "h0";
  }
  return path;
}

/** Returns how many of the days up to `end` are before the first day of a chain; days are YYYY-MM-DD. */
export function daysBefore(
  first: string | null,
  { end, count }: { readonly end: string | null; readonly count: number },
): number {
  return first === null || end === null
    ? 0
    : Math.max(0, count - 1 - (parseDay(end) - parseDay(first)));
}

function labelOf(
  { values, daysBefore = 0 }: Sparkline,
  known: readonly number[],
): string {
  // Two equal values would get all their digits, to be distinct.
  const ends = new Set([minOf(known), maxOf(known)]);
  const begun = values.findIndex((value) => value !== null);
  const before = Math.min(begun, daysBefore);
  const without = (count: number, why: string) =>
    count === 0 ? "" : `, ${count} ${count === 1 ? "day" : "days"} ${why}`;
  return `${values.length} days: ${formatTicks([...ends]).join(" to ")}${
    without(before, "before its first day")
  }${without(values.length - known.length - before, "missing")}`;
}
