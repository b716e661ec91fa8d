import { assertEquals } from "@std/assert";
import { seriesAsOf } from "../../../../services/chain_data/series/vintages.ts";
import {
  listRevisions,
  logWrite,
  revisedDays,
} from "../../../../services/chain_data/series/revision_log.ts";
import type { YearLog } from "../../../../services/chain_data/series/revision_log_codec.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
} from "../../../../services/chain_data/series/series.ts";
import { DAY_MS, parseDay } from "../../../../services/platform/days.ts";
import { seriesFrom } from "../../../support/series.ts";

/** The last days of a year, so that a log ends and another one begins. */
const FIRST = parseDay("2026-12-30");

/** The day after them. */
const TODAY = FIRST + 6;

type Values = readonly (number | null)[];

const daily = (values: Values) => seriesFrom(FIRST, values);

/** Writes values one after the other, an hour apart; returns the series and its logs. */
function write(writes: readonly Values[], { isTxCount = false } = {}) {
  let series: DailySeries = EMPTY_SERIES;
  const logs = new Map<number, YearLog>();
  writes.forEach((values, nth) => {
    const next = { series: daily(values) };
    const at = instantOf(nth);
    const held = { series, logs: [...logs.values()] };
    const inferred = new Map<number, number>();
    for (const log of logWrite(held, { next, at, inferred, isTxCount })) {
      logs.set(log.year, log);
    }
    series = next.series;
  });
  return { series, logs: [...logs.values()], since: instantOf(0) };
}

const instantOf = (nth: number) => TODAY * DAY_MS + nth * 3_600_000;

/** Asserts that each write is what the series was until the next one, except days that were incomplete. */
function assertRepeated(
  writes: readonly Values[],
  expected: readonly Values[] = writes,
  options = {},
) {
  const recorded = write(writes, options);
  expected.forEach((values, nth) => {
    for (const instant of [instantOf(nth), instantOf(nth + 1) - 1]) {
      const { series } = seriesAsOf(recorded, instant);
      const { firstDay, values: then } = daily(values);
      assertEquals([series.firstDay, [...series.values]], [firstDay, [
        ...then,
      ]]);
    }
  });
  return recorded;
}

Deno.test("days that were not seen yet, are gone or have returned are absent as of their absence", () => {
  const recorded = assertRepeated([
    [null, 2, null, 4],
    [1, 2, 3, 4],
    [null, 2, null, null],
    [1, 2, 5, 4],
  ]);
  assertEquals(
    listRevisions(recorded).map((
      { day, from, to, cause },
    ) => [day - FIRST, from, to, cause]),
    [
      [0, 1, null, "withdrawn"],
      [2, 3, null, "withdrawn"],
      [3, 4, null, "withdrawn"],
      [0, null, 1, "returned"],
      [2, null, 5, "returned"],
      [3, null, 4, "returned"],
    ],
  );
});

Deno.test("growth of the newest day is not recorded, unless the day was complete once", () => {
  const grown = write([[1, 2, 3], [1, 2, 4], [1, 2, 5]]);
  const bytes = (of: typeof grown) => of.logs.map(({ bytes }) => bytes.length);
  assertEquals(bytes(grown), bytes(write([[1, 2, 3]])));
  assertEquals(listRevisions(grown), []);
  const again = assertRepeated([[1, 2, 3, 4], [1, 2, 3, null], [
    1,
    2,
    9,
    null,
  ]]);
  assertEquals(
    listRevisions(again).map(({ day }) => day - FIRST),
    [3],
    "and is no revision",
  );
});

Deno.test("the first transactions of a chain's newest day are recorded, since other days may be inferred by them", () => {
  assertRepeated([[1, 0], [1, 5]], [[1, 0], [1, 5]], { isTxCount: true });
  assertRepeated([[1, 0], [1, 5]], [[1, 5], [1, 5]]);
});

Deno.test("a revision has the value before and after, and a day its last instant", () => {
  const recorded = write([[1, 2, 3], [5, 2, 3], [5, 0, 3], [1, 0, 3]]);
  assertEquals(listRevisions(recorded), [
    { day: FIRST, from: 1, to: 5, seenAt: instantOf(1), cause: "restated" },
    {
      day: FIRST + 1,
      from: 2,
      to: 0,
      seenAt: instantOf(2),
      cause: "withdrawn",
    },
    { day: FIRST, from: 5, to: 1, seenAt: instantOf(3), cause: "restated" },
  ]);
  const { logs } = recorded;
  assertEquals(
    [...revisedDays(logs)],
    [[FIRST, instantOf(3)], [FIRST + 1, instantOf(2)]],
  );
  assertEquals([...revisedDays(logs, instantOf(1))], [[FIRST, instantOf(1)]]);
});

Deno.test("a day counts as complete before a change only if it lies before today", () => {
  const before = [1, 1, 1, 1, 1, 5, 6, 7];
  const after = (nth: number) => write([before, before.with(nth, 9)]);
  assertEquals(listRevisions(after(6)), [], "today");
  assertEquals(listRevisions(after(7)), [], "tomorrow");
  assertEquals(listRevisions(after(5)), [{
    day: TODAY - 1,
    from: 5,
    to: 9,
    seenAt: instantOf(1),
    cause: "restated",
  }]);
});

Deno.test("seriesAsOf() knows which days were withdrawn at an instant", () => {
  const series = daily([1, 2, 3, 4]);
  const run = (from: number, to: number) => ({
    from: FIRST + from,
    to: FIRST + to,
  });
  const marks = [[], [run(0, 2)], [run(1, 1), run(3, 3)], []];
  const logs = new Map<number, YearLog>();
  marks.forEach((withdrawals, nth) => {
    const before = { withdrawals: (marks[nth - 1] ?? []) as never };
    const held = {
      series: nth === 0 ? EMPTY_SERIES : series,
      logs: [...logs.values()],
      ...before,
    };
    const next = { series, withdrawals: withdrawals as never };
    const inferred = new Map<number, number>();
    const at = instantOf(nth);
    for (
      const log of logWrite(held, { next, at, inferred, isTxCount: false })
    ) logs.set(log.year, log);
  });
  const stored = { logs: [...logs.values()], since: instantOf(0) };
  const then = (nth: number, withdrawn: ReturnType<typeof run>[]) =>
    seriesAsOf({ ...stored, series: { ...series, withdrawn } }, instantOf(nth));
  marks.forEach((expected, nth) => {
    const { series, changedAt } = then(nth, []);
    assertEquals(series.withdrawn ?? [], expected, `${nth}`);
    assertEquals(changedAt, instantOf(nth));
  });
  assertEquals(then(9, [run(0, 0)]).series.withdrawn, [run(0, 0)]);
  assertEquals("withdrawn" in then(0, []).series, false);
});

Deno.test("a new value of the newest day is a revision once the day is a week behind, and growth before", () => {
  const causesOf = (writes: readonly Values[]) =>
    listRevisions(write(writes)).map(({ cause }) => cause);
  assertEquals(causesOf([[5], [6]]), ["restated"]);
  assertEquals(causesOf([[5, 5], [5, 6]]), []);
});
