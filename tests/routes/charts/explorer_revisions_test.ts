import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { diamondPath } from "../../../routes/charts/chart_panels.ts";
import { elementsOf, withClass } from "../../support/charts/charts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { askExplorer, rowsOf, wordsOf } from "../../support/charts/explorer.ts";
import { unescape } from "../../support/outline.ts";
import { succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";

const ID = { subject: 43114, metric: "txCount" } as const;

async function revise(deps: TestDeps): Promise<void> {
  for (
    const values of [[1_000, 2, 3, 4], [1_200, 2, 3, 4], [1_300, 0, 3, 5]]
  ) {
    await putSeries(deps, ID, { from: "2026-11-16", values });
    deps.advance(60_000);
  }
}

Deno.test("the explorer marks revised days, and shows the values that they had before", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await revise(deps);
  const page = (interval: string) =>
    askExplorer(
      deps,
      `/?metric=txCount&chainId=43114&from=2026-11-16&to=2026-11-21&interval=${interval}`,
    );
  const { text } = await page("day");
  const rows = rowsOf(text).map(([day, value]) => [
    day,
    value!.replace(/\s+/g, " "),
  ]);
  assertEquals(rows, [
    ["2026-11-19", "5"],
    ["2026-11-18", "3"],
    ["2026-11-17", "0 was 2"],
    ["2026-11-16", "1,300 was 1,200, 1,000"],
  ]);
  assertMatch(text, /2 revised days/, "in the words below the chart");
  assert(text.includes('title="revised, seen 2026-11-21T08:02:00.000Z"'));
  const weeks = await page("week");
  assertEquals(
    rowsOf(weeks.text)[0]![1]!.replace(/\s+/g, " "),
    "1,308 revised",
  );
});

const CHART =
  "chainId=43114&from=2026-11-16&to=2026-11-21&interval=day" as const;

Deno.test("revised days have a diamond in images, embeds and pages, unless revisions=hide", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await revise(deps);
  const app = createApp(deps);
  const ask = async (path: string) => {
    const headers = { Accept: "text/html" };
    const response = await app.request(path, { headers });
    assertEquals(response.status, 200, path);
    return await response.text();
  };
  const diamonds = (text: string) =>
    [...text.matchAll(/class="revised" d="([^"]*)"/g)]
      .map(([, path]) => path!.split("M").length - 1);
  for (
    const [path, expected] of [
      [`/chart/txCount.svg?${CHART}`, [2]],
      [`/embed/chart/txCount?${CHART}`, [2, 2]],
      [`/?metric=txCount&${CHART}`, [2, 2]],
    ] as const
  ) {
    const shown = await ask(path);
    assertEquals(diamonds(shown), [...expected], path);
    const hidden = await ask(`${path}&revisions=hide`);
    assertEquals(diamonds(hidden), [], path);
    assert(!/revised days/.test(hidden), path);
  }
  const image = await ask(`/chart/txCount.svg?${CHART}`);
  const places = withClass(elementsOf(image), "line")[1]!.attributes.d!
    .match(/[\d.]+,[\d.]+/g)!;
  const marks = withClass(elementsOf(image), "revised")[0]!.attributes.d!
    .match(/M[\d.]+ [\d.]+/g)!
    .map((place) => place.slice(1).split(" ").map(Number))
    .map(([x, y]) => `${x},${y! + 4}`);
  assertEquals(marks, places.slice(0, 2), "around the points of the line");
  const page = await ask(`/?metric=txCount&${CHART}&revisions=hide`);
  assertStringIncludes(
    unescape(page),
    `/chart/txCount.svg?${CHART}&revisions=hide`,
  );
  assertEquals(rowsOf(page)[2]![1]!.replace(/\s+/g, " "), "0 was 2");
});

Deno.test("a comparison says which chain had which earlier values", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await revise(deps);
  const { text } = await askExplorer(
    deps,
    `/?metric=txCount&chainId=43114&chainId=4337&from=2026-11-16&to=2026-11-21&interval=day`,
  );
  const row = rowsOf(text).find(([day]) => day === "2026-11-16")!;
  assertEquals(row[1]!.replace(/\s+/g, " "), "1,300 was 1,200, 1,000");
  assert(!row[3]!.includes("was"));
});

Deno.test("diamonds that are too close are one", () => {
  const path = diamondPath([{ x: 0, y: 9 }, { x: 3, y: 1 }, { x: 4, y: 2 }]);
  assertEquals(path, "M0 5l4 4l-4 4l-4-4zM4 -2l4 4l-4 4l-4-4z");
});

Deno.test("a series without revisions has no mark", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await putSeries(deps, ID, { from: "2026-11-16", values: [1, 2, 3] });
  const { text } = await askExplorer(
    deps,
    "/?metric=txCount&chainId=43114&from=2026-11-16&to=2026-11-21&interval=day",
  );
  assert(!/revised/i.test(wordsOf(text)));
});
