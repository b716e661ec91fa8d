import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import { appOf } from "../../support/app.ts";
import { formatValue } from "../../../routes/charts/chart_words.ts";
import type {
  MetricsAnswer,
  StoredMetric,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { PLAIN_VIEW } from "../../../services/charts/charts_schema.ts";
import { readMetricChart } from "../../../services/charts/charts.ts";
import {
  formatDay,
  type Interval,
  parseDay,
} from "../../../services/platform/days.ts";
import type { TestDeps } from "../../support/deps.ts";
import {
  type History,
  history,
  PUBLISHED,
  publishedDeps,
  SPAN,
  windows,
} from "../../support/chain_data/histories.ts";
import { rowsOf } from "../../support/charts/explorer.ts";
import { putSeries } from "../../support/series.ts";
import { fc } from "../../support/properties.ts";

const CHAIN = 53935;
const metrics: fc.Arbitrary<StoredMetric> = fc.constantFrom(
  "txCount",
  "feesPaid",
  "avgTps",
  "maxTps",
  "cumulativeTxCount",
);
const intervals: fc.Arbitrary<Interval> = fc.constantFrom(
  "day",
  "week",
  "month",
);
/** A world: the transactions and one metric of a chain. */
const worlds = fc.record({
  metric: metrics,
  txCount: history(fc.integer({ min: 0, max: 5_000 })),
  own: history(fc.double({ min: 0, max: 1e6, noNaN: true })),
});

async function publish(
  deps: TestDeps,
  { metric, txCount, own }: {
    metric: StoredMetric;
    txCount: History;
    own: History;
  },
) {
  const put = async (
    subject: number,
    metric: StoredMetric,
    history: History,
  ) => {
    // A world before this one is not revised by it.
    await deps.store.series.remove({ subject, metric });
    await putSeries(deps, { subject, metric }, {
      from: formatDay(
        PUBLISHED - history.daysBehind - history.values.length + 1,
      ),
      values: history.values,
    });
  };
  await put(CHAIN, "txCount", txCount);
  if (metric !== "txCount") await put(CHAIN, metric, own);
}

async function ask(deps: TestDeps, query: string) {
  const path = `/api/chain-data/metrics?chainId=${CHAIN}&${query}`;
  const app = createApp(deps);
  const response = await app.request(path);
  const csv = await (await app.request(`${path}&format=csv`)).text();
  const text = await response.text();
  return { status: response.status, text, csv };
}

Deno.test("any two windows agree on every bucket that they share", async () => {
  using deps = await publishedDeps();
  await fc.assert(
    fc.asyncProperty(
      worlds,
      intervals,
      fc.array(windows, { minLength: 2, maxLength: 4 }),
      async (world, interval, asked) => {
        await publish(deps, world);
        const seen = new Map<string, unknown>();
        const answered = new Set<number>();
        const through = new Set<string | null>();
        for (const window of asked) {
          const query = `metric=${world.metric}&interval=${interval}&${window}`;
          const { status, text } = await ask(deps, query);
          answered.add(status);
          if (status !== 200) continue;
          const answer: MetricsAnswer = JSON.parse(text);
          through.add(answer.dataThrough);
          for (const { day, ...bucket } of answer.series) {
            assertEquals(bucket, seen.get(day) ?? bucket, `${day}: ${query}`);
            seen.set(day, bucket);
            assert(bucket.complete || interval !== "day" || !bucket.inferred);
          }
        }
        assertEquals(answered.size, 1, "all windows are answered, or none");
        assert(through.size <= 1);
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("each day is published, inferred, a gap or absent, by one rule", async () => {
  using deps = await publishedDeps();
  await fc.assert(
    fc.asyncProperty(
      history(fc.integer({ min: 0, max: 5_000 })),
      async (txCount) => {
        await publish(deps, { metric: "txCount", txCount, own: txCount });
        const { text } = await ask(deps, "range=all");
        const answer: MetricsAnswer = JSON.parse(text);
        const last = PUBLISHED - txCount.daysBehind;
        const first = last - txCount.values.length + 1;
        const days = txCount.values.flatMap((value, index) =>
          value === null ? [] : [first + index]
        );
        const [begin, end] = [days[0], days.at(-1)];
        const given = new Map(
          answer.series.map(({ day, ...bucket }) => [parseDay(day), bucket]),
        );
        let inferred = 0;
        for (let day = PUBLISHED - SPAN; day <= PUBLISHED + 1; day++) {
          const bucket = given.get(day);
          const value = txCount.values[day - first] ?? null;
          const isOver = day <= PUBLISHED - 7;
          const expected = value !== null
            ? { value, complete: day !== end || isOver }
            : isOver && (end === undefined || day > end)
            ? { value: 0, complete: true, inferred: true }
            : undefined;
          if (expected?.inferred) inferred++;
          assertEquals(bucket, expected, formatDay(day));
          const isGap = value === null && begin !== undefined &&
            begin < day && day < end!;
          assertEquals(
            answer.gaps.some(({ from, to }) =>
              parseDay(from) <= day && day <= parseDay(to)
            ),
            isGap,
            formatDay(day),
          );
        }
        if (begin !== undefined) {
          assertEquals(answer.inferredDayCount, inferred);
          assertEquals(Math.min(...given.keys()), begin);
        }
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("JSON, CSV, chart and page agree on every value and on complete", async () => {
  using deps = await publishedDeps();
  await fc.assert(
    fc.asyncProperty(
      worlds,
      intervals,
      windows,
      async (world, interval, window) => {
        await publish(deps, world);
        const { metric } = world;
        const query = `metric=${metric}&interval=${interval}&${window}`;
        const { status, text, csv } = await ask(deps, query);
        if (status !== 200) return;
        const { series }: MetricsAnswer = JSON.parse(text);
        const [header, ...rows] = parse(csv);
        assertEquals(header, ["period", metric, "complete"]);
        assertEquals(
          rows.map(([day, value, complete]) => [
            day,
            Number(value),
            complete === "true",
          ]),
          series.map(({ day, value, complete }) => [day, value, complete]),
        );
        assert(rows.every(([, value]) => !value!.includes("e")), csv);

        const days = Object.fromEntries(new URLSearchParams(window));
        const { answer: { lines } } = await readMetricChart(
          deps,
          { metric, chainIds: [CHAIN], interval, view: PLAIN_VIEW, ...days },
          { maxStaleMs: 0 },
        );
        assertEquals(
          lines[0]!.points.map(({ day, value, complete, inferred }) => [
            day,
            value,
            complete,
            inferred,
          ]),
          series.map(({ day, value, complete, inferred = false }) => [
            day,
            value,
            complete,
            inferred,
          ]),
        );

        if (series.length === 0) return;
        const page = await appOf(deps)
          .request(
            `/?metric=${metric}&chainId=${CHAIN}&${window}&interval=${interval}`,
            {
              headers: { Accept: "text/html" },
            },
          );
        assertEquals(
          rowsOf(await page.text()).filter((cells) => cells.length === 3),
          series.toReversed().slice(0, 400).map((
            { day, value, complete, inferred },
          ) => [
            day,
            formatValue(value),
            (complete ? "yes" : "no") + (inferred ? ", inferred" : ""),
          ]),
        );
      },
    ),
    { numRuns: 40 },
  );
});
