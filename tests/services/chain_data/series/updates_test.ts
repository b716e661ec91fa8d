/** The days that changed since an instant, and how a series is split into years. */
import { assertEquals } from "@std/assert";
import { EMPTY_SERIES } from "../../../../services/chain_data/series/series.ts";
import {
  newestAtOf,
  type SeriesHead,
  stateOf,
} from "../../../../services/chain_data/series/stored_series.ts";
import { listUpdates } from "../../../../services/chain_data/series/read_metrics.ts";
import { seriesFrom } from "../../../support/series.ts";

const FIRST = 20_000;
const TODAY = FIRST + 4;
const NO_DAYS = { start: Infinity, end: -Infinity };
const WINDOW = { start: FIRST, end: FIRST + 9 };

const daily = (...values: (number | null)[]) => seriesFrom(FIRST, values);

const BEFORE = daily(1, 2, 3, 4);

/** The days that a change of the series updates, and those that it removes. */
function updates(changed: object, before: object = {}) {
  const { days, removed } = listUpdates(
    { series: { ...BEFORE, ...changed }, today: TODAY },
    { series: BEFORE, today: TODAY, unsure: NO_DAYS, ...before },
    { after: 100, window: WINDOW },
  );
  return [
    [...days].map((day) => day - FIRST),
    removed.map((day) => day - FIRST),
  ];
}

Deno.test("listUpdates() lists the days that are new, complete, revised, withdrawn or removed", () => {
  const revised = (at: number) => ({ revised: new Map([[FIRST + 1, at]]) });
  const cases: [name: string, changed: unknown, expected: number[][]][] = [
    ["nothing", updates({}), [[], []]],
    ["growth of the open day", updates(daily(1, 2, 3, 9)), [[], []]],
    ["a complete day", updates(daily(1, 9, 3, 4)), [[1], []]],
    [
      "a new day, so that the one before is complete",
      updates(daily(1, 2, 3, 4, 5)),
      [[3, 4], []],
    ],
    ["the open day is final", updates({ isClosed: true }), [[3], []]],
    ["a removed day", updates(daily(1, null, 3, 4)), [[], [1]]],
    [
      "the newest day removed",
      updates(daily(1, 2, 3)),
      [[2], [3]],
    ],
    ["all removed", updates(EMPTY_SERIES), [[], [0, 1, 2, 3]]],
    ["withdrawn", updates({ withdrawn: [{ from: FIRST, to: FIRST }] }), [
      [0],
      [],
    ]],
    ["revised at the instant", updates(revised(100)), [[], []]],
    ["revised after it", updates(revised(101)), [[1], []]],
    ["after the day of the answer", updates({}, { today: FIRST + 2 }), [
      [2, 3],
      [],
    ]],
    [
      "perhaps shown otherwise",
      updates(daily(1, 2, null, 4), {
        unsure: { start: FIRST + 1, end: FIRST + 2 },
      }),
      [[1], [2]],
    ],
    ["inferred", updates({ inferredAfter: FIRST + 2 }), [[2, 3], []]],
  ];
  for (const [name, changed, expected] of cases) {
    assertEquals(changed, expected, name);
  }
});

Deno.test("listUpdates() lists every day of the window without an earlier series", () => {
  const at = { series: BEFORE, today: TODAY };
  const all = (
    window: typeof WINDOW,
  ) => [...listUpdates(at, null, { after: 0, window }).days];
  assertEquals(all(WINDOW), [0, 1, 2, 3].map((nth) => FIRST + nth));
  assertEquals(all({ start: FIRST + 1, end: FIRST + 2 }), [
    FIRST + 1,
    FIRST + 2,
  ]);
  const none = { series: EMPTY_SERIES, today: TODAY };
  const listed = listUpdates(none, { ...none, unsure: NO_DAYS }, {
    after: 0,
    window: WINDOW,
  });
  assertEquals([listed.days.size, listed.removed], [0, []]);
});

Deno.test("newestAtOf() dates the newest day by the fetch that first showed it", () => {
  const head: SeriesHead = {
    days: { first: 1, newest: 5 },
    fetchedAt: 10,
    newestAt: 7,
    wholeAt: 3,
    changedAt: 2,
    since: 1,
    origin: "http://up.test",
    source: "up",
  };
  const next = { fetchedAt: 20, origin: head.origin };
  const at = (newest: number | null, stored: SeriesHead | null = head) =>
    newestAtOf(stored, newest === null ? null : { first: 1, newest }, next);
  assertEquals([at(4), at(5), at(6), at(null)], [7, 7, 20, 7]);
  assertEquals([at(1, { ...head, days: null }), at(9, null)], [20, null]);
  assertEquals(at(9, { ...head, origin: "http://other.test" }), null);
  assertEquals(at(5, { ...head, newestAt: 21 }), 20, "a clock set back");
  assertEquals(at(5, { ...head, newestAt: null }), null);
  assertEquals(stateOf(head), {
    newestDay: 5,
    fetchedAt: 10,
    newestAt: 7,
    wholeAt: 3,
  });
  assertEquals(stateOf({ ...head, days: null }).newestDay, null);
  const withdrawal = (reads: number, foundAt: number) => ({
    first: 1,
    last: 1,
    answer: null,
    foundAt,
    reads,
  });
  const silentSince = (...withdrawals: ReturnType<typeof withdrawal>[]) =>
    stateOf({ ...head, withdrawals } as never).silentSince;
  assertEquals(silentSince(), undefined);
  assertEquals(silentSince(withdrawal(1, 5)), undefined);
  assertEquals(
    silentSince(withdrawal(1, 5), withdrawal(0, 8), withdrawal(0, 7)),
    7,
  );
});
