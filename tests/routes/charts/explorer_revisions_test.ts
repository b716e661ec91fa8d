import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { diamondPath } from "../../../routes/charts/chart_panels.ts";
import { elementsOf, withClass } from "../../support/charts/charts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { rowsOf } from "../../support/charts/explorer.ts";
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

Deno.test("diamonds that are too close are one", () => {
  const path = diamondPath([{ x: 0, y: 9 }, { x: 3, y: 1 }, { x: 4, y: 2 }]);
  assertEquals(path, "M0 5l4 4l-4 4l-4-4zM4 -2l4 4l-4 4l-4-4z");
});
