import { assertEquals } from "@std/assert";
import { idleSeries, isActive } from "../../services/domain/activity.ts";
import { EMPTY_SERIES, seriesOf } from "../../services/domain/series.ts";

const window = { start: 100, end: 104 };
const txCount = seriesOf([
  { day: 90, value: 7 },
  { day: 99, value: 0 },
  { day: 102, value: 0 },
]);

Deno.test("a chain is idle where its transactions are zero or absent", () => {
  assertEquals(isActive(txCount, window), false);
  assertEquals(isActive(txCount, { start: 90, end: 104 }), true);
  assertEquals(isActive(EMPTY_SERIES, window), false);
});

Deno.test("an idle chain shows zeroes up to the newest published day", () => {
  const rule = { kind: "per day", window, txCount, today: 104 } as const;
  assertEquals(idleSeries(EMPTY_SERIES, rule), {
    firstDay: 100,
    values: new Float64Array([0, 0, 0]),
  });
});

Deno.test("an idle chain of which nothing was published shows zeroes until today", () => {
  const rule = {
    kind: "per day",
    window,
    txCount: EMPTY_SERIES,
    today: 104,
  } as const;
  assertEquals(idleSeries(EMPTY_SERIES, rule).values.length, 5);
});

Deno.test("a running total of an idle chain stays where it stood", () => {
  const total = seriesOf([{ day: 90, value: 7 }, { day: 95, value: 9 }]);
  const rule = { kind: "running total", window, txCount, today: 104 } as const;
  assertEquals([...idleSeries(total, rule).values], [9, 9, 9]);
  assertEquals([...idleSeries(EMPTY_SERIES, rule).values], [0, 0, 0]);
});
