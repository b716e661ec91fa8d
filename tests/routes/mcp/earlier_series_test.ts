/** Tools that answer as of an earlier instant, or with changed days alone. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { testDeps } from "../../support/deps.ts";
import { checkDaily, succeed } from "../../support/jobs.ts";
import { connectInside } from "../../support/mcp.ts";
import { putSeries } from "../../support/series.ts";

const ID = { subject: 43114, metric: "txCount" } as const;
const FROM = "2026-11-16";

/** The instant that a request gives. */
const instantOf = (date: Date) => date.toISOString();

Deno.test("series tools list the days that lost their value, and name the instants of the answer", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await putSeries(deps, ID, { from: FROM, values: [1, 2, 3, 4] });
  const before = instantOf(deps.now());
  deps.advance(3_600_000);
  await putSeries(deps, ID, { from: FROM, values: [1, null, 30, 4] });
  await putSeries(deps, { ...ID, subject: 4337 }, {
    from: FROM,
    values: [5, 6, 7, 8],
  });
  await using mcp = await connectInside(deps);
  const days = { from: FROM, to: "2026-11-19" };
  const changed = { ...days, updatedAfter: before };
  const { answer } = await mcp.call("get_metric_series", changed);
  assertEquals(answer.updatedAfter, before);
  assertEquals(answer.completeness.removedDays, ["2026-11-17"]);
  assertEquals(answer.rows, [["2026-11-18", 30]]);
  assertStringIncludes(
    answer.summary,
    `2026-11-19, only days that changed after ${before}, 1 points.`,
  );
  const { answer: then } = await mcp.call("get_metric_series", {
    ...days,
    asOf: before,
  });
  assertEquals(then.asOf, before);
  assertEquals(then.rows.at(-1), ["2026-11-18", 3]);
  assertStringIncludes(then.summary, `2026-11-19, as of ${before}, 3 points.`);
  assertEquals(["removedDays" in then.completeness, then.updatedAfter], [
    false,
    undefined,
  ]);
  const { answer: both } = await mcp.call("compare_chains", {
    ...changed,
    chainIds: [43114, 4337],
  });
  type Compared = { completeness: { removedDays: string[] } };
  assertEquals(
    both.chains.map(({ completeness }: Compared) => completeness.removedDays),
    [["2026-11-17"], []],
  );
  assertStringIncludes(both.summary, `only days that changed after ${before}.`);
});

Deno.test("get_checked_series names the instant that it answers as of", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 2);
  const asOf = instantOf(deps.now());
  await using mcp = await connectInside(deps);
  const given = { series: "blocks", range: "30d" };
  const { answer, text } = await mcp.call("get_checked_series", {
    ...given,
    asOf,
  });
  assertEquals(answer.asOf, asOf, text);
  const { answer: now } = await mcp.call("get_checked_series", given);
  assertEquals("asOf" in now, false);
});

Deno.test("get_revisions says that a day lost its value", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await putSeries(deps, ID, { from: FROM, values: [1, 2, 3, 4] });
  deps.advance(3_600_000);
  await putSeries(deps, ID, { from: FROM, values: [1, null, 3, 4] });
  await using mcp = await connectInside(deps);
  const { answer } = await mcp.call("get_revisions", { metric: "txCount" });
  assertStringIncludes(
    answer.summary,
    " The last seen: txCount of 2026-11-17, 2 to no value (withdrawn).",
  );
});
