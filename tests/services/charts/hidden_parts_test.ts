/** Hiding parts of a chart. */
import { assertEquals } from "@std/assert";
import type { Hidden } from "../../../services/charts/charts_schema.ts";
import { isUnfinished, shownOf } from "../../../services/charts/marks.ts";
import { upgradesWithin } from "../../../services/charts/network_upgrades_schema.ts";
import { chart, point } from "../../support/charts/charts.ts";

const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03"];

Deno.test("isUnfinished() is false for an inferred bucket, which will not change", () => {
  assertEquals(isUnfinished({ complete: false, inferred: false }), true);
  assertEquals(isUnfinished({ complete: false, inferred: true }), false);
  assertEquals(isUnfinished({ complete: true, inferred: false }), false);
});

/** Nothing is hidden. */
const SHOWN: Hidden = {
  unfinished: "show",
  upgrades: "show",
  revisions: "show",
};

Deno.test("shownOf() leaves out unfinished buckets, and ends the axis with the others", () => {
  const [first, second, third] = DAYS.map((day) => point(day, 1));
  const shown = chart(DAYS, [
    first!,
    { ...second!, complete: false, inferred: true },
    { ...third!, complete: false },
  ]);
  assertEquals(shownOf(shown, SHOWN), shown);
  const left = shownOf(shown, { ...SHOWN, unfinished: "hide" });
  assertEquals(left.axis, DAYS.slice(0, 2));
  assertEquals(left.lines[0]!.points.map(({ day }) => day), DAYS.slice(0, 2));
  assertEquals(left.lines[0]!.drawn, [1, 1]);
  const only = chart([DAYS[2]!], [{ ...third!, complete: false }]);
  assertEquals(shownOf(only, { ...SHOWN, unfinished: "hide" }).axis, []);
});

Deno.test("shownOf() leaves out upgrades, and the revisions of points", () => {
  const upgrades = [{ name: "Etna" }] as never;
  const earlierValues = [{ value: 2 }] as never;
  const revised = point(DAYS[1]!, 1, { revisedAt: DAYS[2]!, earlierValues });
  const shown = chart(DAYS, [point(DAYS[0]!, 1), revised], { upgrades });
  const bare = shownOf(shown, { ...SHOWN, upgrades: "hide" });
  assertEquals(bare, { ...shown, upgrades: [] });
  const plain = shownOf(shown, { ...SHOWN, revisions: "hide" });
  assertEquals(plain.upgrades, upgrades);
  assertEquals(plain.lines[0]!.points, [
    point(DAYS[0]!, 1),
    point(DAYS[1]!, 1),
  ]);
});

Deno.test("shownOf() leaves out upgrades in the unfinished buckets that it leaves out", () => {
  const axis = ["2026-07-01", "2026-08-01", "2026-09-01"];
  const upgrades = upgradesWithin(axis, "month");
  assertEquals(upgrades.map(({ name }) => name), ["Helicon"]);
  const points = axis.map((day, at) => point(day, 1, { complete: at < 2 }));
  const shown = chart(axis, points, { interval: "month", upgrades });
  const left = shownOf(shown, { ...SHOWN, unfinished: "hide" });
  assertEquals([left.axis, left.upgrades], [axis.slice(0, 2), []]);
  const whole = chart(axis, axis.map((day) => point(day, 1)), {
    interval: "month",
    upgrades,
  });
  assertEquals(shownOf(whole, { ...SHOWN, unfinished: "hide" }), whole);
});
