/** Small charts: where their points are, and what their label says. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  daysBefore,
  sparkline,
  sparkPath,
} from "../../../routes/chain_data/sparkline.ts";
import { elementsOf } from "../../support/charts/charts.ts";

Deno.test("sparkPath() fills its box but three pixels, breaks at a missing day, and dots a day alone", () => {
  const box = { width: 106, height: 46 };
  const rows: [values: (number | null)[], path: string, fromZero?: boolean][] =
    [
      [[0, 20], "M3 43 103 3"],
      [[10, 20], "M3 43 103 3"],
      [[10, 15, 20], "M3 43 53 23 103 3"],
      [[10, 20], "M3 23 103 3", true],
      [[-10, 10], "M3 43 103 3", true],
      [[5], "M3 43h0"],
      [[5], "M3 3h0", true],
      [[0, 0], "M3 43 103 43"],
      [[null, null], ""],
      [[20, null, 10], "M3 3h0M103 43h0"],
      [[null, 20, 10], "M53 3 103 43"],
      [[20, 10, null], "M3 3 53 43"],
      [[20, 10, null, 20, 10, 0], "M3 3 23 23M63 3 83 23 103 43"],
      [[3, 1, 2, 0], "M3 3 36.3 29.7 69.7 16.3 103 43"],
    ];
  for (const [values, path, fromZero = false] of rows) {
    assertEquals(sparkPath({ values, ...box, fromZero }), path, String(values));
  }
});

Deno.test("sparkline() names its days, range and missing days, and dots the newest one", () => {
  const drawn = (values: (number | null)[]) =>
    String(sparkline({ values, width: 106, height: 46 }));
  const rows: [values: (number | null)[], label: string, cx: string][] = [
    [[0, 20], "2 days: 0 to 20", "103"],
    [[null, 40 / 3], "2 days: 13.3, 1 day missing", "103"],
    [[20, 1500, null], "3 days: 20 to 1.5K, 1 day missing", "53"],
    [[null, 3, null, 5, null], "5 days: 3 to 5, 3 days missing", "78"],
  ];
  for (const [values, label, cx] of rows) {
    const elements = elementsOf(drawn(values));
    const of = (name: string) =>
      elements.find((element) => element.name === name)!.attributes;
    assertEquals(of("svg")["aria-label"], label);
    assertEquals(of("svg").viewBox, "0 0 106 46");
    assertEquals([of("svg").width, of("svg").height], ["106", "46"]);
    assertEquals([of("circle").cx, of("circle").r], [cx, "2"]);
    assertEquals(of("path").d, sparkPath({ values, width: 106, height: 46 }));
  }
  assertEquals(
    elementsOf(drawn([20, 0])).find(({ name }) => name === "circle")!
      .attributes.cy,
    "43",
  );
  assertStringIncludes(drawn([null]), "no complete day");
});

Deno.test("days before the first one of a chain are not called missing", () => {
  const labelOf = (values: (number | null)[], daysBefore: number) =>
    /aria-label="([^"]*)"/.exec(
      String(sparkline({ values, width: 106, height: 46, daysBefore })),
    )![1];
  assertEquals(
    labelOf([null, null, 3, null, 5], 2),
    "5 days: 3 to 5, 2 days before its first day, 1 day missing",
  );
  assertEquals(
    labelOf([null, null, 3, 4, 5], 1),
    "5 days: 3 to 5, 1 day before its first day, 1 day missing",
  );
  assertEquals(labelOf([0, 0, 3], 2), "3 days: 0 to 3");
  const of = (first: string | null, end: string | null) =>
    daysBefore(first, { end, count: 30 });
  assertEquals(
    [of("2026-11-19", "2026-11-19"), of("2026-10-21", "2026-11-19")],
    [29, 0],
  );
  assertEquals([of("2020-01-01", "2026-11-19"), of(null, "2026-11-19")], [
    0,
    0,
  ]);
  assertEquals(of("2026-11-19", null), 0);
});
