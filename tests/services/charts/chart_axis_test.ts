import { assertEquals } from "@std/assert";
import { joinAxes } from "../../../services/charts/value_axis.ts";

const line = (...days: string[]) => days.map((day) => ({ day }));

Deno.test("joinAxes lists every bucket between the first and the last point", () => {
  const rows: [
    lines: { day: string }[][],
    interval: "day" | "week" | "month",
    axis: string[],
  ][] = [
    [[], "day", []],
    [[[]], "day", []],
    [[line("2026-02-27", "2026-03-01")], "day", [
      "2026-02-27",
      "2026-02-28",
      "2026-03-01",
    ]],
    [[line("2026-11-02"), [], line("2026-10-19")], "week", [
      "2026-10-19",
      "2026-10-26",
      "2026-11-02",
    ]],
    [[line("2025-12-01", "2026-02-01"), line("2026-01-01")], "month", [
      "2025-12-01",
      "2026-01-01",
      "2026-02-01",
    ]],
  ];
  for (const [lines, interval, axis] of rows) {
    assertEquals(joinAxes(lines, interval), axis);
  }
});
