import { assert, assertEquals } from "@std/assert";
import { STORED_METRICS } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import type { Publication } from "../../../../services/chain_data/series/publications_store.ts";
import { seriesOf } from "../../../../services/chain_data/series/series.ts";
import {
  CANARY,
  freshnessOf,
  isUnread,
  isWholeDue,
  settledThrough,
} from "../../../../services/chain_data/series/series_freshness.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";

const MINUTE_MS = 60_000;
const AT = Date.parse("2026-11-21T08:00:00Z");
const at = (minutes: number) => AT + minutes * MINUTE_MS;

/** Day 101 was published between 50 and 60 minutes, and last confirmed at 70. */
const PUBLICATION: Publication = {
  newestDay: 101,
  publishedAt: at(60),
  confirmedAt: at(70),
  unpublishedAt: at(50),
  previousAt: at(-1_380),
  origin: "",
};
const L1 = { subject: 4337, metric: "gasUsed" } as const;

const state = (fetchedAt: number, newestDay = 101, newestAt = at(-1_380)) => ({
  fetchedAt,
  newestDay,
  newestAt,
  wholeAt: fetchedAt,
});

/** Returns how current a series is at minute 71 whose newest day is that of its state. */
const freshness = (
  { newestDay, ...stored }: ReturnType<typeof state>,
  { id = L1, ...more }:
    & { readonly id?: Parameters<typeof freshnessOf>[0] }
    & Partial<Parameters<typeof freshnessOf>[2]> = {},
) =>
  freshnessOf(id, {
    ...stored,
    series: seriesOf([{ day: newestDay, value: 1 }]),
  }, {
    publication: PUBLICATION,
    txCount: null,
    window: null,
    now: at(71),
    ...more,
  });
const confirmedAt = (
  series: ReturnType<typeof state>,
  txCount: ReturnType<typeof state> | null = null,
  publication: Publication | null = PUBLICATION,
) => freshness(series, { txCount, publication }).confirmedAt;

Deno.test("a series is confirmed by the canary if it was read since the publication, otherwise until before it", () => {
  assertEquals(confirmedAt(state(at(61))), at(70));
  assertEquals(confirmedAt(state(at(-60))), at(50));
  assertEquals(confirmedAt(state(at(55))), at(55), "by its own read");
  assertEquals(confirmedAt(state(at(-2_000))), at(-2_000), "missed two");
  assertEquals(confirmedAt(state(at(5)), null, null), at(5), "no canary");
  assertEquals(
    confirmedAt(state(at(60.5), 100)),
    at(60.5),
    "the clock of its process may be ahead",
  );
  const canary = state(at(59.99));
  assertEquals(freshness(canary, { id: CANARY }).confirmedAt, at(70));
});

Deno.test("isUnread() counts a read at or after the publication, unless it shows too little or is from the future", () => {
  const unread = (fetchedAt: number, newestDay: number, now: number) =>
    isUnread(L1, state(fetchedAt, newestDay), {
      publication: PUBLICATION,
      now,
    });
  assertEquals(unread(at(60) - 1, 101, at(70)), true);
  assertEquals(unread(at(60), 101, at(70)), false);
  assertEquals(unread(at(60), 100, at(70)), true, "in the minute after it");
  assertEquals(unread(at(61) - 1, 100, at(61) - 1), false, "in this minute");
  assertEquals(unread(at(61), 100, at(70)), false);
  assertEquals(unread(at(70), 101, at(70)), false, "just read");
  assertEquals(unread(at(71), 101, at(70)), false, "a clock that is ahead");
  assertEquals(unread(at(71) + 1, 101, at(70)), true, "a clock set back");
});

Deno.test("a series of a late chain is confirmed by the chain's txCount", () => {
  const late = (newestDay: number, fetchedAt: number) =>
    confirmedAt(state(at(61), newestDay), state(fetchedAt, newestDay));
  assertEquals(late(100, at(65)), at(65));
  assertEquals(late(94, at(65)), at(65));
  assertEquals(late(93, at(65)), at(70), "quiet for more than a week");
  assertEquals(late(100, at(-60)), at(70), "not read since the publication");
  const published = state(at(69), 101, at(69));
  assertEquals(
    confirmedAt(state(at(61), 100), published),
    at(61),
    "the chain has published since",
  );
  assertEquals(confirmedAt(state(at(61), 101), published), at(70));
});

Deno.test("a series is served for an hour, and 20 minutes longer while a sweep reads it", () => {
  const swept = state(at(-60));
  assertEquals(confirmedAt(swept), at(50));
  const served = (minutes: number, canary: number) =>
    freshness(swept, {
      publication: { ...PUBLICATION, confirmedAt: at(canary) },
      now: at(minutes),
    }).isServed;
  assert(served(109, 70), "within the hour");
  assert(served(130, 125));
  assert(!served(131, 125), "more than 80 minutes");
  assert(!served(115, 50), "the canary was not read within the hour");
  const ahead = freshness(state(at(500)), { now: at(70) });
  assert(!ahead.isServed, "the clock was set back");
});

Deno.test("a window is settled if it ends before the last 14 days of the series", () => {
  const series = seriesOf(
    Array.from({ length: 60 }, (_, day) => ({ day, value: 1 })),
  );
  assertEquals(settledThrough(series), 44);
  const settled = (start: number, end: number, of = series) => {
    const { isServed, validAt } = freshnessOf(L1, {
      ...state(at(-2_000)),
      series: of,
    }, { publication: null, txCount: null, window: { start, end }, now: AT });
    return [isServed, validAt === AT];
  };
  assertEquals(settled(-50, 44), [true, true]);
  assertEquals(settled(0, 45), [false, false]);
  const young = seriesOf([{ day: 3, value: 1 }]);
  assertEquals(settledThrough(young), null);
  assertEquals(settled(0, 2, young), [false, false]);
});

Deno.test("the whole history of each series is due once a week, about a seventh of them a day", () => {
  const ids = Array.from({ length: 200 }, (_, nth) => 5_000_000 + nth)
    .flatMap((subject) =>
      STORED_METRICS.map((metric) => ({ subject, metric }))
    );
  const wholeAt = new Map(ids.map((id) => [id, AT]));
  const perDay: number[] = [];
  for (let day = 1; day <= 21; day++) {
    const now = AT + day * DAY_MS;
    const due = ids.filter((id) =>
      isWholeDue(id, { wholeAt: wholeAt.get(id)! }, now)
    );
    for (const id of due) wholeAt.set(id, now);
    perDay.push(due.length);
  }
  assertEquals(perDay.reduce((sum, due) => sum + due, 0), 3 * ids.length);
  assert(Math.max(...perDay) < ids.length / 6, `${perDay}`);
  const skipped = ids.filter((id) =>
    isWholeDue(id, { wholeAt: AT }, AT + 8 * DAY_MS)
  );
  assertEquals(skipped.length, ids.length, "a missed day is made up for");
});
