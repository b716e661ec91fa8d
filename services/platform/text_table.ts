/** Tables of plain text, for the terminal. */

/** Returns rows as lines whose columns align, two spaces apart. All rows have as many cells as the first. */
export function alignColumns(
  rows: readonly (readonly string[])[],
): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length))
  );
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()
  );
}
