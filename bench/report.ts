/** Figures as a table for people and as JSON for programs. */
import { type Figure, isMet, ratioOf } from "./figure.ts";

const HEADER = ["figure", "measured", "against", "ratio", "wanted", ""];

/** Lays figures out as a table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [HEADER, ...figures.map(rowOf)];
  const widths = HEADER.map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length))
  );
  return rows.map((row) =>
    row.map((cell, column) =>
      // Numbers end in line, words start in line.
      column === 0 || column > 3
        ? cell.padEnd(widths[column]!)
        : cell.padStart(widths[column]!)
    ).join("  ").trimEnd()
  ).join("\n");
}

/** Writes figures, their ratios and verdicts as JSON. */
export function jsonOf(
  figures: readonly Figure[],
  { short }: { short: boolean },
): string {
  const report = {
    measuredAt: new Date().toISOString(),
    short,
    machine: {
      cores: navigator.hardwareConcurrency,
      system: `${Deno.build.os} ${Deno.build.arch}`,
      deno: Deno.version.deno,
    },
    figures: figures.map((figure) => ({
      ...figure,
      ratio: ratioOf(figure),
      met: isMet(figure),
    })),
  };
  return JSON.stringify(report, null, 2) + "\n";
}

function rowOf(figure: Figure): string[] {
  const { name, value, unit, peer, wanted } = figure;
  const ratio = ratioOf(figure);
  const met = isMet(figure);
  return [
    name,
    `${format(value)} ${unit}`,
    peer !== null
      ? `peer ${format(peer)}`
      : wanted === null
      ? ""
      : `limit ${format(wanted.than)}`,
    ratio === null ? "" : ratio.toFixed(2),
    wanted === null
      ? ""
      : `${wanted.is} ${wanted.than}${
        wanted.of === "ratio" ? " of peer" : ` ${unit}`
      }`,
    met === null ? "" : met ? "ok" : "FALLS SHORT",
  ];
}

function format(value: number): string {
  const decimals = value < 10 && !Number.isInteger(value) ? 2 : 0;
  return value.toLocaleString("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}
