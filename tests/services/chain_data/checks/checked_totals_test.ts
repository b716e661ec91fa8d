import { assertEquals } from "@std/assert";
import {
  changePct,
  monthBefore,
  yearBefore,
} from "../../../../services/chain_data/checks/checked_totals.ts";

const month = (value: number, complete = true) => ({
  day: "2026-10-01",
  value,
  complete,
});

Deno.test("changePct returns null for an incomplete or absent bucket and for base 0", () => {
  const cases: [
    name: string,
    current: ReturnType<typeof month> | undefined,
    base: ReturnType<typeof month> | undefined,
    change: number | null,
  ][] = [
    ["growth", month(150), month(100), 50],
    ["decline", month(50), month(100), -50],
    ["none", month(100), month(100), 0],
    ["down to nothing", month(0), month(100), -100],
    ["four decimals", month(200), month(300), -33.3333],
    ["incomplete", month(150, false), month(100), null],
    ["incomplete base", month(150), month(100, false), null],
    ["both incomplete", month(150, false), month(100, false), null],
    ["absent", undefined, month(100), null],
    ["absent base", month(150), undefined, null],
    ["from nothing", month(150), month(0), null],
    ["nothing from nothing", month(0), month(0), null],
  ];
  for (const [name, current, base, change] of cases) {
    assertEquals(changePct(current, base), change, name);
  }
});

Deno.test("monthBefore and yearBefore return first days of months", () => {
  const cases: [month: string, before: string, yearBefore: string][] = [
    ["2026-11-01", "2026-10-01", "2025-11-01"],
    ["2026-01-01", "2025-12-01", "2025-01-01"],
    ["2024-03-01", "2024-02-01", "2023-03-01"],
    ["2025-02-01", "2025-01-01", "2024-02-01"],
    ["2020-10-01", "2020-09-01", "2019-10-01"],
  ];
  for (const [day, month, year] of cases) {
    assertEquals([monthBefore(day), yearBefore(day)], [month, year], day);
  }
});
