/** Months of the checked totals: when they are judged, and how they change. */
import { assert, assertEquals } from "@std/assert";
import { parseDay } from "../../../services/platform/days.ts";
import type { SeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import { askChecked as ask } from "../../support/checked_answers.ts";
import { testDeps } from "../../support/deps.ts";
import { putSeries } from "../../support/series.ts";

const OURS: SeriesId = { subject: 43114, metric: "txCount" };
const SECOND: SeriesId = { subject: "explorer-index", metric: "txCount" };

Deno.test("a month that agrees still shows its disputed day", async () => {
  using deps = await testDeps();
  const flat = Array<number>(62).fill(1_000);
  const from = "2026-09-01";
  const values = flat.with(35, 1_010);
  await putSeries(deps, OURS, { from, values: flat });
  await putSeries(deps, SECOND, { from, values });
  const { series, checks, disputedDayCount } = await ask(
    deps,
    "/monthly-transactions",
    "from=2026-09-01&to=2026-10-31",
  );
  const october = series[1]!;
  assertEquals(
    [october.day, october.differencePct, october.agrees],
    ["2026-10-01", 0.0323, true],
  );
  assertEquals(october.disputedDays, ["2026-10-06"]);
  assertEquals(checks.disputedDays, [
    {
      day: "2026-10-06",
      value: 1_000,
      crossCheckValue: 1_010,
      differencePct: 1,
    },
  ]);
  assertEquals(disputedDayCount, 1);

  const { series: days } = await ask(
    deps,
    "/monthly-transactions",
    "from=2026-10-05&to=2026-10-07&interval=day",
  );
  assertEquals(days.map(({ agrees }) => agrees), [true, false, true]);
});

Deno.test("small differences on every day make a month disagree without a disputed day", async () => {
  using deps = await testDeps();
  const from = "2026-09-01";
  const values = Array<number>(61).fill(1_000);
  await putSeries(deps, OURS, { from, values });
  await putSeries(deps, SECOND, { from, values: values.map(() => 1_001) });
  const { series, disputedDayCount } = await ask(
    deps,
    "/monthly-transactions",
    "to=2026-09-30",
  );
  assertEquals([series[0]!.differencePct, series[0]!.agrees], [0.1, false]);
  assertEquals(disputedDayCount, 0);
});

Deno.test("a month is judged only when every day of it is compared", async () => {
  using deps = await testDeps();
  const flat = Array<number>(62).fill(1_000);
  const month = async (
    { from = "2026-09-01", second }: {
      from?: string;
      second: readonly (number | null)[];
    },
  ) => {
    await putSeries(deps, OURS, { from, values: flat.slice(0, second.length) });
    await putSeries(deps, SECOND, { from, values: second });
    const { series } = await ask(deps, "/monthly-transactions");
    const { agrees, disputedDays, comparedDayCount, complete } = series[0]!;
    return { agrees, disputedDays, comparedDayCount, complete };
  };
  assertEquals(await month({ second: flat }), {
    agrees: true,
    disputedDays: [],
    comparedDayCount: 30,
    complete: true,
  });
  assertEquals(
    await month({ second: (flat as (number | null)[]).with(4, null) }),
    { agrees: null, disputedDays: [], comparedDayCount: 29, complete: true },
  );
  assertEquals(
    await month({ from: "2026-09-20", second: flat.slice(20).with(2, 2_000) }),
    {
      agrees: false,
      disputedDays: ["2026-09-22"],
      comparedDayCount: 11,
      complete: true,
    },
    "a series that began on the 20th has no earlier days",
  );
  assertEquals(await month({ second: flat.slice(0, 20).with(2, 2_000) }), {
    agrees: null,
    disputedDays: ["2026-09-03"],
    comparedDayCount: 19,
    complete: false,
  }, "an open month lists its disputed days");
});

Deno.test("changes are null next to an absent or incomplete month", async () => {
  using deps = await testDeps({ start: "2023-06-15T08:00:00Z" });
  const from = "2021-01-01";
  const [february, may, july] = [
    ["2021-02-01", "2021-03-01"],
    ["2021-05-07", "2021-05-08"],
    ["2021-07-01", "2021-08-01"],
  ].map((days) => days.map((day) => parseDay(day) - parseDay(from)));
  const values = Array.from({ length: 890 }, (_, index) => {
    const absent = [february, may].some((days) =>
      days![0]! <= index && index < days![1]!
    );
    const isZero = july![0]! <= index && index < july![1]!;
    return absent ? null : isZero ? 0 : 1_000;
  });
  await putSeries(deps, OURS, { from, values });
  const { series, gaps } = await ask(deps, "/monthly-transactions");
  assertEquals(gaps, [
    { from: "2021-02-01", to: "2021-02-28" },
    { from: "2021-05-07", to: "2021-05-07" },
  ]);
  assert(
    !series.some(({ day }) => day === "2021-02-01"),
    "no month is invented",
  );
  const nulls = (field: "monthOverMonthPct" | "yearOverYearPct") =>
    series.filter((item) => item[field] === null).map(({ day }) => day);
  assertEquals(nulls("monthOverMonthPct"), [
    "2021-01-01",
    "2021-03-01",
    "2021-05-01",
    "2021-06-01",
    "2021-08-01",
    "2023-06-01",
  ]);
  assertEquals(
    nulls("yearOverYearPct").filter((day) => day > "2021-12-31"),
    ["2022-02-01", "2022-05-01", "2022-07-01", "2023-06-01"],
  );
});
