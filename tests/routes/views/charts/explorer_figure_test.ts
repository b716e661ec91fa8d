/** The figure of the explorer: unfinished and inferred buckets. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../../routes/app.ts";
import { chartFigure } from "../../../../routes/views/charts/explorer_figure.ts";
import {
  chart,
  elementsOf,
  point,
  withClass,
} from "../../../support/charts/charts.ts";
import { testDeps } from "../../../support/deps.ts";
import {
  askExplorer,
  rowsOf,
  unescape,
  wordsOf,
} from "../../../support/charts/explorer.ts";

Deno.test("unfinished=hide leaves out what is still filling: in the image, in the page, and in its code for embedding", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  for (const name of ["txCount.svg?range=30d", "validators.svg?range=30d"]) {
    const marks = async (query: string) => {
      const response = await app.request(`/chart/${name}${query}`);
      assertEquals(response.status, 200, name);
      const elements = elementsOf(await response.text());
      return withClass(elements, "provisional").length;
    };
    assertEquals([await marks(""), await marks("&unfinished=hide")], [1, 0]);
  }
  const path =
    "/?metric=txCount&chainId=43114&range=30d&interval=day&unfinished=hide";
  const { text } = await askExplorer(deps, path);
  assert(!text.includes('class="provisional"'));
  assertStringIncludes(
    unescape(text),
    "/chart/txCount.svg?chainId=43114&range=30d&interval=day&unfinished=hide",
  );
  assertEquals(rowsOf(text)[0]!.at(-1), "no", "the table keeps the day");
});

Deno.test("the legend tells a chain that publishes no more from one that never did", async () => {
  const day = "2026-11-01";
  const inferred = point(day, 0, { complete: false, inferred: true });
  const words = async (dataThrough: string | null) =>
    wordsOf(String(
      await chartFigure(chart([day], [inferred], { line: { dataThrough } })),
    ));
  assertStringIncludes(
    await words(null),
    "inferred as 0: the source has published no day of this chain",
  );
  assertStringIncludes(
    await words("2026-10-01"),
    "inferred: the source publishes no more days",
  );
});
