/** The card of a stand-alone chart: its look, its size, and how much text fits. */
import type { Theme } from "../../services/charts/charts_schema.ts";

/** How a stand-alone image is drawn. */
export interface ChartLook {
  readonly theme?: Theme | undefined;
  /** In pixels. */
  readonly width?: number | undefined;
}

/** Usual size in pixels. */
export const CARD = { width: 800, height: 440 };

/** Distance of the texts from both edges together, in pixels. */
const MARGINS = 44;

/** Mean widths of a character of a text and of a title, in pixels. */
const TEXT_LETTER = 6.5;
export const TITLE_LETTER = 10.6;

/** Returns how many letters fit into a line. */
export function lettersOf(width: number, letter = TEXT_LETTER): number {
  return Math.floor((width - MARGINS) / letter);
}

/** Shortens a text. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** Lines that a text above a chart takes at most. */
const MAX_LINES = 4;

/** Wraps a text around a chart, and shortens it. An empty text keeps its line. */
export function wrapped(text: string, most: number): string[] {
  const lines = text === "" ? [""] : wrap(text, most);
  const rest = lines.slice(MAX_LINES - 1).join(" ");
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES - 1), cut(rest, most)];
}

/** Wraps a text at words, and inside a word that is longer than a line. */
export function wrap(text: string, most: number): string[] {
  return text.match(new RegExp(`\\S{${most}}|.{1,${most}}(?=\\s|$)`, "gu"))
    ?.map((line) => line.trim()) ?? [];
}
