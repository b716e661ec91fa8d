import { assertEquals } from "@std/assert";
import {
  idleSeries,
  isActive,
} from "../../../../services/chain_data/series/idle_chains.ts";
import {
  EMPTY_SERIES,
  seriesOf,
} from "../../../../services/chain_data/series/series.ts";

const window = { start: 100, end: 104 };
const txCount = seriesOf([
  { day: 90, value: 7 },
  { day: 99, value: 0 },
  { day: 102, value: 0 },
]);

Deno.test("isActive is false for zero or absent transactions", () => {
  assertEquals(isActive(txCount, window), false);
  assertEquals(isActive(txCount, { start: 90, end: 104 }), true);
  assertEquals(isActive(EMPTY_SERIES, window), false);
});

const rule = { kind: "per day", start: 100, txCount, published: 104 } as const;

Deno.test("idleSeries fills zeroes up to the newest published day", () => {
  assertEquals(idleSeries(EMPTY_SERIES, { ...rule, txCount: EMPTY_SERIES }), {
    firstDay: 100,
    values: new Float64Array(5),
  });
  assertEquals(
    idleSeries(EMPTY_SERIES, { ...rule, published: 99 }),
    EMPTY_SERIES,
  );
});

Deno.test("idleSeries does not fill a gap in the transactions", () => {
  const { firstDay, values } = idleSeries(EMPTY_SERIES, rule);
  assertEquals([firstDay, ...values], [102, 0, 0, 0], "100 and 101 are a gap");
  assertEquals([...idleSeries(txCount, rule).values], [0, 0, 0]);
});

Deno.test("idleSeries keeps the last value of a running total", () => {
  const total = seriesOf([
    { day: 90, value: 7 },
    { day: 95, value: 9 },
    { day: 103, value: 11 },
  ]);
  const running = { ...rule, kind: "running total" } as const;
  assertEquals([...idleSeries(total, running).values], [9, 11, 11]);
  assertEquals([...idleSeries(EMPTY_SERIES, running).values], [0, 0, 0]);
});
