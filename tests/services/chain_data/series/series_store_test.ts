import { assertEquals } from "@std/assert";
import { parseDay } from "../../../../services/platform/days.ts";
import {
  type DailySeries,
  EMPTY_SERIES,
  pointsOf,
  seriesOf,
} from "../../../../services/chain_data/series/series.ts";
import {
  listRevisions,
  seenDays,
} from "../../../../services/chain_data/series/revision_log.ts";
import {
  seriesStore,
} from "../../../../services/chain_data/series/series_store.ts";

const ID = { subject: 43114, metric: "txCount" } as const;

const stored = (series: DailySeries, versionstamp: string | null) => ({
  series,
  versionstamp,
  fetchedAt: 5,
  wholeAt: 4,
  changedAt: 5,
  origin: "http://up.test",
  source: "test",
});

const days = (first: string, last: string) => {
  const points = [];
  for (let day = parseDay(first); day <= parseDay(last); day++) {
    if (day % 5 !== 0) points.push({ day, value: day / 8 });
  }
  return seriesOf(points);
};

Deno.test("find returns the series that replace stored, across years and leap days", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const series = days("2020-09-23", "2032-11-19");
  assertEquals(await store.find(ID), null);
  const replaced = (await store.replace(ID, stored(series, null)))!;
  const origin = () => replaced.head.origin;
  assertEquals(await store.listHeads([ID], origin), [replaced]);
  const { versionstamp: _, newestAt, since, logs, ...found } =
    (await store.find(ID))!;
  assertEquals([newestAt, since], [null, 5]);
  assertEquals([...seenDays(logs)], pointsOf(series).map(({ day }) => day));
  const { versionstamp: __, ...put } = stored(series, null);
  assertEquals(found, put);
});

Deno.test("a year holds one Float64Array with NaN for absent days", async () => {
  using kv = await Deno.openKv(":memory:");
  const series = seriesOf([{ day: parseDay("2024-12-31"), value: 7 }]);
  await seriesStore(kv).replace(ID, stored(series, null));
  const { value } = await kv.get(["series", 43114, "txCount", 2024]);
  assertEquals(value, new Float64Array(366).fill(NaN).with(365, 7));
});

Deno.test("replace stores an empty series and removes the years of the old one", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  await store.replace(ID, stored(days("2020-09-23", "2022-01-02"), null));
  const { versionstamp } = (await store.find(ID))!;
  await store.replace(ID, stored(EMPTY_SERIES, versionstamp));
  assertEquals((await store.find(ID))!.series.values, EMPTY_SERIES.values);
  const left = await Array.fromAsync(kv.list({ prefix: ["series"] }));
  assertEquals(
    left.map(({ key }) => key.slice(3)),
    [["head"], ["log", 2020], ["log", 2021], ["log", 2022]],
    "no year of the longer series is left, but what was known of it",
  );
});

Deno.test("a change is later than everything told before, whatever the clock of the process that wrote it", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const write = async (fetchedAt: number, value: number) => {
    const found = await store.find(ID);
    const isChanged = found?.series.values[0] !== value;
    const series = seriesOf([{ day: 20_000, value }, {
      day: 20_001,
      value: 1,
    }]);
    await store.replace(ID, {
      ...stored(series, found?.versionstamp ?? null),
      wholeAt: fetchedAt,
      fetchedAt,
      changedAt: isChanged ? fetchedAt : found.changedAt,
    });
    const next = (await store.find(ID))!;
    return [
      next.fetchedAt,
      next.changedAt,
      ...listRevisions(next).map(({ seenAt }) => seenAt),
    ];
  };
  const at = 20_010 * 86_400_000;
  assertEquals(await write(at, 5), [at, at]);
  assertEquals(await write(at + 5_000, 5), [at + 5_000, at], "ahead");
  assertEquals(await write(at + 1_000, 5), [at + 5_000, at], "behind");
  const first = at + 5_001;
  assertEquals(await write(at + 2_000, 6), [at + 5_000, first, first]);
  const second = first + 1;
  assertEquals(await write(first, 7), [first, second, first, second]);
  const third = second + 1;
  assertEquals(
    await write(at - 3_600_000, 8),
    [at - 3_600_000, third, first, second, third],
    "set back",
  );
});

Deno.test("replace writes the years whose values changed, and no other", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const versions = async () => {
    const entries = await Array.fromAsync(kv.list({ prefix: ["series"] }));
    return new Map(
      entries.map(({ key, versionstamp }) => [
        key.slice(3).join(" "),
        versionstamp,
      ]),
    );
  };
  await store.replace(ID, stored(days("2020-09-23", "2022-01-02"), null));
  const before = await versions();
  const { versionstamp } = (await store.find(ID))!;
  const later = days("2020-09-23", "2022-01-04");
  await store.replace(ID, stored(later, versionstamp));
  const written = [...await versions()]
    .filter(([name, version]) => before.get(name) !== version);
  assertEquals(written.map(([name]) => name), ["head", "log 2022", "2022"]);
  assertEquals((await store.find(ID))!.series, later);
});

Deno.test("replace rejects a series that was made from an older version", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const first = days("2024-01-01", "2024-01-09");
  await store.replace(ID, stored(first, null));
  const late = stored(days("2024-01-01", "2024-02-09"), null);
  assertEquals(await store.replace(ID, late), null);
  assertEquals((await store.find(ID))!.series, first);
});

Deno.test("concurrent updates of a series keep every change", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const first = parseDay("2024-12-25");
  await Promise.all(
    Array.from({ length: 10 }, (_, nth) =>
      store.update(ID, (found) => ({
        ...stored(
          seriesOf([
            { day: first + nth, value: nth },
            ...pointsOf(found?.series ?? EMPTY_SERIES),
          ]),
          null,
        ),
      }))),
  );
  const { series, logs } = (await store.find(ID))!;
  assertEquals(series.firstDay, first);
  assertEquals([...series.values], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assertEquals(
    [...seenDays(logs)].map((day) => day - first).toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
});

Deno.test("listStates returns the state of each series of an upstream, in order", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const ids = Array.from({ length: 23 }, (_, subject) => ({
    subject,
    metric: "txCount" as const,
  }));
  const { origin } = stored(EMPTY_SERIES, null);
  const series = seriesOf([{ day: 7, value: 1 }, { day: 9, value: 1 }]);
  await store.replace(ids[0]!, stored(EMPTY_SERIES, null));
  await store.replace(ids[22]!, stored(series, null));
  const states = await store.listStates(ids, () => origin);
  const times = { fetchedAt: 5, newestAt: null, wholeAt: 4 };
  assertEquals(states.length, 23);
  assertEquals(states[0], { newestDay: null, ...times });
  assertEquals(states[1], null);
  assertEquals(states[22], { newestDay: 9, ...times });
  assertEquals(await store.listStates([ids[22]!], () => "http://other"), [
    null,
  ]);
});

Deno.test("newestAt is when a later day was first fetched, not when its value changed", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const put = async (day: number, value: number, fetchedAt: number) => {
    const next = { ...stored(seriesOf([{ day, value }]), null), fetchedAt };
    await store.update(ID, () => next);
    return (await store.find(ID))!.newestAt;
  };
  assertEquals(await put(7, 1, 10), null, "the first fetch");
  assertEquals(await put(7, 2, 20), null, "the same day has grown");
  assertEquals(await put(8, 1, 30), 30);
  assertEquals(await put(8, 2, 40), 30);
});

Deno.test("changedAt is when the last change was logged, also by a clock that is behind", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const put = async (value: number, at: number) => {
    const series = seriesOf([{ day: 7, value }, { day: 9, value: 1 }]);
    await store.update(ID, () => stored(series, null), { at });
    return (await store.find(ID))!.changedAt;
  };
  assertEquals(await put(1, 10), 10);
  assertEquals(await put(2, 20), 20);
  assertEquals(await put(3, 15), 21);
});

Deno.test("listFailures returns the last failure of each series, until a success", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  await store.putFailure(ID, 8);
  await store.putFailure(ID, 9);
  await store.putFailure({ ...ID, metric: "gasUsed" }, 7);
  assertEquals([...await store.listFailures()].toSorted(), [
    ["gasUsed of chain 43114", 7],
    ["txCount of chain 43114", 9],
  ]);
  await store.replace(ID, stored(EMPTY_SERIES, null));
  assertEquals((await store.listFailures()).size, 1);
});

Deno.test("a series with withdrawn days is listed as failed until it has none", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const series = seriesOf([{ day: 1, value: 7 }, { day: 2, value: 8 }]);
  const withdrawal = { from: 2, to: 2, answer: null, foundAt: 5, reads: 1 };
  for (const withdrawals of [[withdrawal], []]) {
    const isFailed = withdrawals.length > 0;
    await store.update(ID, () => ({ ...stored(series, null), withdrawals }));
    const [held] = await store.listHeld([ID]);
    assertEquals(held!.withdrawals, withdrawals);
    assertEquals(
      [...await store.listFailures()],
      isFailed ? [["txCount of chain 43114", 5]] : [],
    );
    const found = await store.find(ID);
    assertEquals(found?.withdrawals, isFailed ? withdrawals : undefined);
    assertEquals(found?.series.withdrawn?.length, isFailed ? 1 : undefined);
  }
});

Deno.test("remove() deletes a series with its years and logs, and no other", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const other = { ...ID, metric: "gasUsed" } as const;
  const series = days("2023-12-30", "2025-01-03");
  assertEquals(await store.remove(ID), false);
  for (const id of [ID, other]) await store.replace(id, stored(series, null));
  // A revised day has a log.
  const [first, ...rest] = pointsOf(series);
  const revised = seriesOf([{ ...first!, value: 9 }, ...rest]);
  await store.update(ID, () => ({ ...stored(revised, null), fetchedAt: 6 }));
  assertEquals(await store.remove(ID), true);
  assertEquals(await store.remove(ID), false);
  const left = await Array.fromAsync(kv.list({ prefix: ["series"] }));
  assertEquals(new Set(left.map(({ key }) => key[2])), new Set(["gasUsed"]));
});

Deno.test("a series of another upstream begins anew, without the logs of the one before", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = seriesStore(kv);
  const series = seriesOf([{ day: 400, value: 7 }]);
  await store.replace(ID, stored(series, null), { at: 5 });
  await store.update(ID, () => ({ ...stored(series, null), fetchedAt: 6 }));
  assertEquals((await store.find(ID))?.since, 5);
  const moved = {
    ...stored(seriesOf([{ day: 1, value: 1 }]), null),
    fetchedAt: 7,
    origin: "http://other.test",
  };
  await store.update(ID, () => moved);
  const found = (await store.find(ID))!;
  assertEquals([found.since, found.newestAt], [7, null]);
  assertEquals(found.logs.map(({ year }) => year), [1970]);
  const prefix = ["series", 43114, "txCount"];
  const years = await Array.fromAsync(kv.list({ prefix }), ({ key }) => key[3]);
  assertEquals(years.filter((each) => each === 1971), []);
});
