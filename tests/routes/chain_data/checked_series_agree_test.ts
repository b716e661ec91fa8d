import { assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import type { TransactionsAnswer } from "../../../services/chain_data/checks/checked_series_schema.ts";
import {
  C_CHAIN,
  type MetricsAnswer,
} from "../../../services/chain_data/catalogue/metrics_schema.ts";
import type { SeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import { CHECKED_CHARTS } from "../../../services/charts/checked_charts.ts";
import { formatDay } from "../../../services/platform/days.ts";
import {
  type History,
  history,
  PUBLISHED,
  publishedDeps,
  windows,
} from "../../support/chain_data/histories.ts";
import { putSeries } from "../../support/series.ts";
import { fc } from "../../support/properties.ts";

Deno.test("a checked series, its CSV and its chart agree with the metric on every value and on complete", async () => {
  using deps = await publishedDeps();
  const counts = history(fc.integer({ min: 1, max: 5_000 }));
  const totals = fc.constantFrom("day" as const, "month" as const);
  await fc.assert(
    fc.asyncProperty(counts, counts, totals, windows, async (
      ours,
      second,
      interval,
      window,
    ) => {
      const put = (id: SeriesId, { values, daysBehind }: History) =>
        putSeries(deps, id, {
          from: formatDay(PUBLISHED - daysBehind % 3 - values.length),
          // The newest day of the C-Chain is the newest publication.
          values: [...values, 7],
        });
      await put({ subject: C_CHAIN, metric: "txCount" }, ours);
      await put({ subject: "explorer-index", metric: "txCount" }, second);
      const app = createApp(deps);
      const read = async (path: string) => {
        const response = await app.request(`/api/chain-data${path}`);
        return await response.text();
      };
      const query = `interval=${interval}&${window}`;
      const metric: MetricsAnswer = JSON.parse(await read(`/metrics?${query}`));
      const checked: TransactionsAnswer = JSON.parse(
        await read(`/monthly-transactions?${query}`),
      );
      const values = metric.series.map(({ day, value, complete }) => [
        day,
        value,
        complete,
      ]);
      assertEquals(
        checked.series.map(({ day, txCount, complete }) => [
          day,
          txCount,
          complete,
        ]),
        values,
      );
      const [header, ...rows] = parse(
        await read(`/monthly-transactions?${query}&format=csv`),
      );
      assertEquals(header![0], "period");
      const at = (row: readonly string[], column: string) =>
        row[header!.indexOf(column)]!;
      assertEquals(
        rows.map((row) => [
          row[0],
          Number(at(row, "txCount")),
          at(row, "complete") === "true",
        ]),
        values,
      );
      const days = Object.fromEntries(new URLSearchParams(window));
      const { answer: { lines } } = await CHECKED_CHARTS[
        "monthly-transactions"
      ](deps, { interval, ...days }, { maxStaleMs: 0 });
      assertEquals(
        lines[0]!.points.map(({ day, value, complete }) => [
          day,
          value,
          complete,
        ]),
        values,
      );
    }),
    { numRuns: 60 },
  );
});
