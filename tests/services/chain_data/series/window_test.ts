import { assertEquals, assertThrows } from "@std/assert";
import { GENESIS_DAY } from "../../../../services/chain_data/catalogue/fields_schema.ts";
import {
  EMPTY_SERIES,
  seriesOf,
} from "../../../../services/chain_data/series/series.ts";
import {
  checkDays,
  selectDays,
} from "../../../../services/chain_data/series/window.ts";
import { parseDay } from "../../../../services/platform/days.ts";
import { Fault } from "../../../../services/platform/fault.ts";

Deno.test("checkDays() accepts from up to today, and to from the first day of the chain on", () => {
  const today = parseDay("2026-11-21");
  const accepted = (days: { from?: string; to?: string }) =>
    checkDays(days, today);
  assertEquals(accepted({ from: "2026-11-21", to: "2026-11-30" }), undefined);
  assertEquals(accepted({ to: GENESIS_DAY }), undefined);
  const late = assertThrows(
    () => accepted({ from: "2026-11-22" }),
    Fault,
    "up to 2026",
  );
  // The values that a program may choose from are listed, and a rule is not.
  assertEquals(late.failure, { kind: "badInput", parameter: "from" });
  assertThrows(() => accepted({ to: "2020-09-20" }), Fault, GENESIS_DAY);
});

Deno.test("selectDays() starts the range all at the first day that is answered", () => {
  const today = parseDay("2026-11-21");
  const fromOf = (first: string) =>
    selectDays({ range: "all" }, {
      usual: "1y",
      series: seriesOf([{ day: parseDay(first), value: 1 }]),
      today,
      interval: "day",
    }).days.from;
  assertEquals(fromOf("2020-09-10"), GENESIS_DAY);
  assertEquals(fromOf("2021-03-04"), "2021-03-04");
});

Deno.test("selectDays() widens its window to whole buckets, and not its days", () => {
  const today = parseDay("2026-11-21");
  const days = { from: "2026-10-07", to: "2026-11-03" };
  const selected = selectDays(days, {
    usual: "1y",
    series: EMPTY_SERIES,
    today,
    interval: "month",
  });
  const window = {
    start: parseDay("2026-10-01"),
    end: parseDay("2026-11-30"),
  };
  assertEquals(selected, { range: null, days, window });
});
