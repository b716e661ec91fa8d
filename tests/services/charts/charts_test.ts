/** Charts of metrics from the store: what each bucket says of its check, its revisions and its days. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { readLine, readMetricChart } from "../../../services/charts/charts.ts";
import {
  PLAIN_VIEW,
  UNMARKED,
} from "../../../services/charts/charts_schema.ts";
import { listForExplorer } from "../../../services/charts/explorer.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";

const C_CHAIN = { subject: 43114, metric: "txCount" } as const;
const L1 = { subject: 2044, metric: "txCount" } as const;
const MINUTE_MS = 60_000;
const FRESHNESS = { maxStaleMs: Infinity };
const NOVEMBER = Array.from({ length: 20 }, (_, nth) => 1_000 + nth);

/** Returns values with one of them changed, on a day of November. */
const changed = (day: number, value: number) =>
  NOVEMBER.map((one, nth) => nth === day - 1 ? value : one);

/**
 * The C-Chain from 1 to 20 November, with one revised day; a second source from
 * the 3rd to the 19th, which disagrees about the 10th; and, later, an L1.
 */
async function published(): Promise<TestDeps> {
  const deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-chains");
  const second = { subject: "explorer-index", metric: "txCount" } as const;
  await putSeries(deps, C_CHAIN, { from: "2026-11-01", values: NOVEMBER });
  await putSeries(deps, second, {
    from: "2026-11-03",
    values: changed(10, 2_018).slice(2, 19),
  });
  deps.advance(10 * MINUTE_MS);
  await putSeries(deps, C_CHAIN, {
    from: "2026-11-01",
    values: changed(12, 5),
  });
  deps.advance(10 * MINUTE_MS);
  await putSeries(deps, L1, { from: "2026-11-01", values: NOVEMBER });
  return deps;
}

const REVISED = "2026-11-21T08:10:00.000Z";
const TENTH = {
  day: "2026-11-10",
  value: 1_009,
  crossCheckValue: 2_018,
  differencePct: 100,
};
const TWELFTH = {
  day: "2026-11-12",
  value: 5,
  crossCheckValue: 1_011,
  differencePct: 20_120,
};

const PLAIN = { complete: true, ...UNMARKED };

type Line = Awaited<ReturnType<typeof readLine>>;

/** Reads a line, and the first and last daily value that come with it. */
async function lineOf(
  deps: TestDeps,
  query: Partial<Parameters<typeof readLine>[1]>,
): Promise<Line & { readonly days: readonly unknown[] }> {
  const whole = { metric: "txCount", chainId: 43114, interval: "day" } as const;
  const line = await readLine(deps, { ...whole, ...query }, FRESHNESS);
  const { points } = line.daily;
  return {
    ...line,
    days: [points.length, points[0]?.day, points.at(-1)?.day],
  };
}

Deno.test("a chart of days says of each whether both sources agree, and what it was before its revision", async () => {
  using deps = await published();
  const { answer, check, from, days, changedAt } = await lineOf(deps, {
    from: "2026-11-09",
    to: "2026-11-21",
  });
  const agreeing = { differencePct: 0, agrees: true };
  const day = (nth: number) => ({
    ...PLAIN,
    day: `2026-11-${String(nth).padStart(2, "0")}`,
    value: 999 + nth,
  });
  const compared = (nth: number) => {
    return { ...day(nth), ...agreeing, crossCheckValue: 999 + nth };
  };
  const disputed = (dispute: typeof TENTH) => ({
    ...dispute,
    agrees: false,
    disputedDays: [dispute],
  });
  assertEquals<object[]>([...answer.points], [
    compared(9),
    { ...day(10), ...disputed(TENTH) },
    compared(11),
    {
      ...day(12),
      ...disputed(TWELFTH),
      revisedAt: REVISED,
      earlierValues: [1_011],
    },
    ...[13, 14, 15, 16, 17, 18].map(compared),
    day(19),
    { ...day(20), complete: false },
  ]);
  assertEquals(check?.checks?.disputedDays, [TENTH, TWELFTH]);
  const [checked] = check!.lines;
  assertEquals<object[]>(checked!.points.slice(0, 4), [
    compared(9),
    { ...day(10), ...disputed(TENTH) },
    compared(11),
    { ...day(12), ...disputed(TWELFTH), revisedAt: REVISED },
  ]);
  assertEquals([checked!.chainId, checked!.drawn.length], [43114, 12]);
  assertEquals([from, answer.dataThrough], ["2026-11-09", "2026-11-19"]);
  assertEquals(days, [8, "2026-11-01", "2026-11-08"]);
  assertEquals(changedAt, Date.parse(REVISED));
});

Deno.test("a chart of weeks lists their disputed days and compares no sums, one of months compares what both have", async () => {
  using deps = await published();
  const days = { from: "2026-11-05", to: "2026-11-21" };
  const week = await lineOf(deps, { ...days, interval: "week" });
  assertEquals<object[]>([...week.answer.points], [
    { ...PLAIN, day: "2026-11-02", value: 7_028 },
    {
      ...PLAIN,
      day: "2026-11-09",
      value: 6_071,
      revisedAt: REVISED,
      disputedDays: [TENTH, TWELFTH],
    },
    { ...PLAIN, day: "2026-11-16", value: 5_085, complete: false },
  ]);
  assertEquals(week.from, "2026-11-02");
  assertEquals(week.check?.checks?.comparedDayCount, 16);
  assertEquals(week.days, [19, "2026-11-01", "2026-11-19"]);
  const month = await lineOf(deps, { range: "30d", interval: "month" });
  assertEquals<object[]>([...month.answer.points], [{
    ...PLAIN,
    day: "2026-11-01",
    value: 19_184,
    complete: false,
    revisedAt: REVISED,
    crossCheckValue: 17_161,
    differencePct: 13.3038,
    comparedDayCount: 16,
    disputedDays: [TENTH, TWELFTH],
  }]);
  assertEquals(month.days, [19, "2026-11-01", "2026-11-19"]);
});

Deno.test("the days that come with a chart begin with the series for the whole of it, and end before its days or with its last bucket", async () => {
  using deps = await published();
  const all = await lineOf(deps, { range: "all" });
  assertEquals(all.days, [0, undefined, undefined]);
  const weeks = await lineOf(deps, { range: "all", interval: "week" });
  assertEquals(weeks.days, [19, "2026-11-01", "2026-11-19"]);
  const early = { from: "2026-11-02", to: "2026-11-05" };
  const week = await lineOf(deps, { ...early, interval: "week" });
  assertEquals(week.days, [8, "2026-11-01", "2026-11-08"], "its whole week");
  assertEquals((await lineOf(deps, early)).days, [
    1,
    "2026-11-01",
    "2026-11-01",
  ]);
});

Deno.test("only the C-Chain is checked, and only where a second source exists", async () => {
  using deps = await published();
  const other = await lineOf(deps, { chainId: 2044, from: "2026-11-09" });
  assertEquals(other.check, null);
  assertEquals<object>(other.answer.points[0]!, {
    ...PLAIN,
    day: "2026-11-09",
    value: 1_008,
  });
  assertEquals(other.changedAt, Date.parse("2026-11-21T08:20:00.000Z"));
});

Deno.test("a chart of several chains is as old as its oldest line, and changed with its newest", async () => {
  using deps = await published();
  const chart = (chainIds: number[], interval: "day" | "month" = "day") =>
    readMetricChart(deps, {
      metric: "txCount",
      chainIds,
      interval,
      from: "2026-11-09",
      view: PLAIN_VIEW,
    }, FRESHNESS);
  const { answer, fetchedAt, changedAt } = await chart([2044, 43114]);
  assertEquals(answer.lines.map(({ chainId }) => chainId), [2044, 43114]);
  assertEquals(answer.checks?.disputedDays.length, 2);
  assertEquals(answer.recentAgreementPct, 87.5);
  assertEquals([fetchedAt, changedAt], [
    Date.parse(REVISED),
    Date.parse("2026-11-21T08:20:00.000Z"),
  ]);
  const alone = await chart([2044]);
  const { checks, recentAgreementPct, upgrades } = alone.answer;
  assertEquals([checks, recentAgreementPct, upgrades], [null, null, []]);
});

Deno.test("the explorer lists the C-Chain first, then by name and number, and nothing while upstream is down", async () => {
  using deps = await testDeps();
  const list = async (chains: [id: number, name: string][] | Error) => {
    const metrics: TestDeps["upstream"]["metrics"] = {
      ...deps.upstream.metrics,
      listChains: () =>
        chains instanceof Error ? Promise.reject(chains) : Promise.resolve({
          body: chains.map(([chainId, chainName]) => ({
            chainId,
            chainName,
          })) as never,
          source: "metrics",
        }),
    };
    const upstream = { ...deps.upstream, metrics };
    const listed = await listForExplorer({ ...deps, upstream });
    return listed.map(({ chainId }) => chainId);
  };
  const down = new Fault("down", {
    kind: "upstreamDown",
    upstream: "metrics",
    retryAfterMs: 1,
  });
  assertEquals(await list(down), []);
  deps.advance(MINUTE_MS);
  const bug = new TypeError("a bug");
  assertStrictEquals(await assertRejects(() => list(bug)), bug);
  const chains: [number, string][] = [
    [9, "beta"],
    [7, "Alpha"],
    [3, "beta"],
    [43114, "Zeta"],
    [5, "beta"],
  ];
  assertEquals(await list(chains), [43114, 7, 3, 5, 9]);
});
