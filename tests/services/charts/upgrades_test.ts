import { assert, assertEquals } from "@std/assert";
import {
  NETWORK_UPGRADES,
  upgradesWithin,
} from "../../../services/charts/network_upgrades_schema.ts";
import { Day } from "../../../services/platform/wire_schema.ts";

Deno.test("every network upgrade has a day and a source, the oldest first", () => {
  const days = NETWORK_UPGRADES.map(({ day }) => day);
  assertEquals(days, days.toSorted());
  assertEquals(new Set(days).size, days.length);
  for (const { name, day, source } of NETWORK_UPGRADES) {
    assert(Day.safeParse(day).success, name);
    assertEquals(new URL(source).protocol, "https:", name);
  }
});

Deno.test("upgradesWithin lists the upgrades in the buckets of an axis", () => {
  const names = (axis: string[], interval: "day" | "month" = "day") =>
    upgradesWithin(axis, interval).map(({ name }) => name);
  assertEquals(names([]), []);
  assertEquals(names(["2024-12-15"]), []);
  assertEquals(names(["2024-12-16"]), ["Etna"]);
  assertEquals(names(["2024-12-01"], "month"), ["Etna"]);
  assertEquals(names(["2024-03-01", "2025-04-08"]), [
    "Durango",
    "Etna",
    "Fortuna",
  ]);
});
