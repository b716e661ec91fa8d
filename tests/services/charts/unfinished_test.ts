/** Hiding unfinished buckets. */
import { assertEquals } from "@std/assert";
import {
  isUnfinished,
  withoutUnfinished,
} from "../../../services/charts/unfinished.ts";
import { chart, point } from "../../support/charts/charts.ts";

const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03"];

Deno.test("isUnfinished() is not said of a bucket that is inferred: nothing more is expected", () => {
  assertEquals(isUnfinished({ complete: false, inferred: false }), true);
  assertEquals(isUnfinished({ complete: false, inferred: true }), false);
  assertEquals(isUnfinished({ complete: true, inferred: false }), false);
});

Deno.test("withoutUnfinished() leaves the other buckets, and ends the axis with them", () => {
  const [first, second, third] = DAYS.map((day) => point(day, 1));
  const shown = chart(DAYS, [
    first!,
    { ...second!, complete: false, inferred: true },
    { ...third!, complete: false },
  ]);
  const left = withoutUnfinished(shown);
  assertEquals(left.axis, DAYS.slice(0, 2));
  assertEquals(left.lines[0]!.points.map(({ day }) => day), DAYS.slice(0, 2));
  const only = chart([DAYS[2]!], [{ ...third!, complete: false }]);
  assertEquals(withoutUnfinished(only).axis, []);
});
