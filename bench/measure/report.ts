/** Measurements as a text table and as JSON. */
import { type Measurement, meetsTarget, ratioOf } from "./measurement.ts";

const HEADER = ["measurement", "value", "compared with", "ratio", "target", ""];

/** Formats measurements as a table. */
export function tableOf(measurements: readonly Measurement[]): string {
  return alignColumns([HEADER, ...measurements.map(rowOf)], {
    words: [0, 4, 5],
  });
}

/** Formats curves as a table with one point per column; empty without curves. */
export function curvesOf(measurements: readonly Measurement[]): string {
  const rows = measurements.flatMap(({ name, unit, points = [] }) =>
    points.length === 0 ? [] : [[
      name,
      ...points.map(({ at, value }) =>
        `${format(at)}: ${format(value)} ${unit}`
      ),
    ]]
  );
  const most = Math.max(0, ...rows.map((row) => row.length));
  return alignColumns(
    rows.map((row) => [...row, ...Array(most - row.length).fill("")]),
    { words: [0] },
  );
}

/** Aligns columns: those in `words` to the left, all others to the right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  { words }: { readonly words: readonly number[] },
): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length))
  );
  return rows.map((row) =>
    row.map((cell, column) =>
      words.includes(column)
        ? cell.padEnd(widths[column]!)
        : cell.padStart(widths[column]!)
    ).join("  ").trimEnd()
  ).join("\n");
}

/** Formats measurements as JSON, with ratios, results and facts about the run. */
export function jsonOf(
  measurements: readonly Measurement[],
  facts: Readonly<Record<string, unknown>>,
): string {
  const report = {
    measuredAt: new Date().toISOString(),
    ...facts,
    machine: {
      cores: navigator.hardwareConcurrency,
      system: `${Deno.build.os} ${Deno.build.arch}`,
      deno: Deno.version.deno,
    },
    measurements: measurements.map((measurement) => ({
      ...measurement,
      ratio: ratioOf(measurement),
      met: meetsTarget(measurement),
    })),
  };
  return JSON.stringify(report, null, 2) + "\n";
}

function rowOf(measurement: Measurement): string[] {
  const { name, value, unit, peer, target } = measurement;
  const ratio = ratioOf(measurement);
  const met = meetsTarget(measurement);
  return [
    name,
    `${format(value)} ${unit}`,
    peer !== null
      ? `peer ${format(peer)}`
      : target === null
      ? ""
      : `limit ${format(target.than)}`,
    ratio === null ? "" : ratio.toFixed(2),
    target === null
      ? ""
      : `${target.is} ${target.than}${
        target.of === "ratio" ? " of peer" : ` ${unit}`
      }`,
    met === null ? "" : met ? "ok" : "MISSED",
  ];
}

function format(value: number): string {
  const decimals = value < 10 && !Number.isInteger(value) ? 2 : 0;
  return value.toLocaleString("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}
