import { assert, assertEquals, assertMatch } from "@std/assert";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { askExplorer, rowsOf, wordsOf } from "../../../support/explorer.ts";
import { succeed } from "../../../support/jobs.ts";
import { putSeries } from "../../../support/series.ts";

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
