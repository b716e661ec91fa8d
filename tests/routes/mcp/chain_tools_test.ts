/** The open tools of `/mcp`: the figures of HTTP in compact form, whole, and with the same errors. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { rounded } from "../../../routes/mcp/tables.ts";
import { checkDaily, succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";
import { testDeps } from "../../support/deps.ts";
import { connectInside, type ToolOutcome } from "../../support/mcp.ts";

type Call = (name: string, given?: Record<string, unknown>) => Promise<
  ToolOutcome
>;

/** Calls a tool until it gives no cursor; returns every row, and the answers. */
async function walk(
  call: Call,
  name: string,
  given: Record<string, unknown> = {},
) {
  const answers = [];
  let cursor: string | undefined;
  do {
    const asked = cursor === undefined ? given : { ...given, cursor };
    const { answer, isError, text } = await call(name, asked);
    assertEquals(isError, false, text);
    answers.push(answer);
    cursor = answer.nextCursor;
  } while (cursor !== undefined);
  return answers;
}

Deno.test("get_metric_series has every point of HTTP, newest page first, rounded to nine digits", async () => {
  using deps = await testDeps();
  const query = "metric=feesPaid&range=1y";
  const http = await createApp(deps).request(
    `/api/chain-data/metrics?${query}`,
  );
  const body = await http.json();
  await using mcp = await connectInside(deps);
  const answers = await walk(mcp.call, "get_metric_series", {
    metric: "feesPaid",
    range: "1y",
  });
  assert(answers.length > 1, "a year is more than one page");
  const rows = answers.toReversed().flatMap(({ rows }) => rows);
  let left = rows.length;
  for (const { summary, rows: { length } } of answers) {
    const [from, to, all] = [left - length + 1, left, rows.length];
    assertStringIncludes(summary, ` Rows ${from} to ${to} of ${all}`);
    left -= length;
  }
  type Point = { day: string; value: number; complete: boolean };
  assertEquals(
    rows,
    body.series.map(({ day, value }: Point) => [day, rounded(value)]),
  );
  const incomplete = answers
    .flatMap(({ completeness }) => completeness.incomplete);
  assertEquals(
    incomplete,
    body.series.filter(({ complete }: Point) => !complete)
      .map(({ day }: Point) => day),
  );
  const [{ stats, completeness, confirmedAt, source, token }] = answers;
  const complete = body.series.filter((point: Point) => point.complete);
  assertEquals(stats.completePoints, complete.length);
  assertEquals(stats.newest.day, complete.at(-1).day);
  assertEquals(
    stats.highest.value,
    rounded(Math.max(...complete.map(({ value }: Point) => value))),
  );
  assertEquals(
    { ...completeness, confirmedAt, source, token },
    {
      dataThrough: body.dataThrough,
      lastPeriodComplete: body.lastPeriodComplete,
      incomplete: completeness.incomplete,
      gaps: body.gaps,
      confirmedAt: body.confirmedAt,
      source: body.source,
      token: body.token,
    },
  );
});

Deno.test("a metric that must not be added up has no sum", async () => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps);
  const stats = async (metric: string) =>
    (await mcp.call("get_metric_series", { metric, range: "30d" })).answer
      .stats;
  assert("sum" in await stats("txCount"));
  assert(!("sum" in await stats("activeAddresses")));
});

Deno.test("compare_chains joins chains by day, and a day without a value is null", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  await using mcp = await connectInside(deps);
  const chainIds = [43114, 4337, 53935];
  const answers = await walk(mcp.call, "compare_chains", {
    chainIds,
    from: "2023-01-01",
    to: "2023-12-31",
  });
  const rows = answers.toReversed().flatMap(({ rows }) => rows);
  for (const [nth, chainId] of chainIds.entries()) {
    const response = await app.request(
      `/api/chain-data/metrics?chainId=${chainId}&from=2023-01-01&to=2023-12-31`,
    );
    const { series } = await response.json();
    const values = new Map(
      series.map(({ day, value }: { day: string; value: number }) =>
        [day, value] as const
      ),
    );
    assertEquals(
      rows.map(([day, ...columns]) => [day, columns[nth]]),
      rows.map(([day]) => [day, values.get(day) ?? null]),
      String(chainId),
    );
    assert(values.size > 0);
  }
});

Deno.test("compare_chains names the days of all chains, whichever comes first", async () => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps);
  const daysOf = async (name: string, chain: Record<string, unknown>) => {
    const given = { ...chain, range: "all", interval: "month" };
    const { answer } = await mcp.call(name, given);
    return [answer.from, answer.to, answer.summary];
  };
  const [from, to] = await daysOf("get_metric_series", { chainId: 43114 });
  const chainIds = [4337, 43114];
  for (const ids of [chainIds, chainIds.toReversed()]) {
    const found = await daysOf("compare_chains", { chainIds: ids });
    assertEquals(found.slice(0, 2), [from, to]);
    assertStringIncludes(found[2], `${from} to ${to}.`);
  }
});

Deno.test("get_checked_series has the items of HTTP for each of the four series", async (t) => {
  using deps = await testDeps();
  await succeed(deps, "cross-check");
  await succeed(deps, "snapshot-validators");
  const app = createApp(deps);
  await using mcp = await connectInside(deps);
  const paths = {
    transactions: "monthly-transactions",
    fees: "transaction-fees",
    blocks: "block-production",
    stake: "validators",
  };
  for (const [series, path] of Object.entries(paths)) {
    await t.step(series, async () => {
      const http = await app.request(`/api/chain-data/${path}?range=1y`);
      const body = await http.json();
      const answers = await walk(mcp.call, "get_checked_series", {
        series,
        range: "1y",
      });
      const [{ columns, checks, confirmedAt }] = answers;
      const cell = (value: unknown) =>
        typeof value === "number" ? rounded(value) : value;
      assertEquals(
        answers.toReversed().flatMap(({ rows }) => rows),
        body.series.map((item: Record<string, unknown>) =>
          columns.map((column: string) => cell(item[column]))
        ),
      );
      assertEquals(checks.agreementPct, body.checks.agreementPct);
      assertEquals(checks.disputedDayCount, body.disputedDayCount);
      assertEquals(confirmedAt, body.confirmedAt);
    });
  }
});

Deno.test("list_disputes and get_chain_quality have what HTTP has", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 8);
  const app = createApp(deps);
  const read = async (path: string) =>
    await (await app.request(`/api/chain-data/${path}`)).json();
  await using mcp = await connectInside(deps);
  const disputes = await read("disputes");
  const listed = await walk(mcp.call, "list_disputes");
  assertEquals(
    listed.flatMap(({ rows }) => rows).map(([day, series]) => [day, series]),
    disputes.disputes.map(
      ({ day, series }: { day: string; series: string }) => [day, series],
    ),
  );
  assert(disputes.count > 0);
  assertEquals(listed[0].confirmedAt, disputes.checkedAt);
  const quality = await read("quality");
  const { answer } = await mcp.call("get_chain_quality");
  assertEquals(answer.completeness.chains, quality.chains.length);
  assertEquals(answer.sources.rows.length, quality.sources.length);
});

Deno.test("list_chains finds chains by part of a name, by whole token and by whole id", async () => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps);
  const { answer: all } = await mcp.call("list_chains");
  const { chains } = await (await createApp(deps)
    .request("/api/chain-data/chains")).json();
  assertEquals(all.rows.length, chains.length);
  for (const search of ["C-CHAIN", "avax", "43114"]) {
    const { answer } = await mcp.call("list_chains", { search });
    assert(
      answer.rows.some(([id]: [number]) => id === 43114),
      `${search}: ${answer.summary}`,
    );
    assert(answer.rows.length < chains.length);
  }
  for (const search of ["vax", "4311"]) {
    const { answer } = await mcp.call("list_chains", { search });
    assert(
      answer.rows.every(([id]: [number]) => id !== 43114),
      `${search}: ${answer.summary}`,
    );
  }
});

Deno.test("get_revisions has the revisions of HTTP, page by page", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const put = (values: readonly number[]) =>
    putSeries(deps, { subject: 43114, metric: "txCount" }, {
      from: "2026-11-14",
      values,
    });
  await put([1, 2, 3, 4, 5]);
  deps.advance(3_600_000);
  await put([1, 20, 30, 40, 50]);
  const http = await createApp(deps).request("/api/chain-data/revisions");
  const { revisions } = await http.json();
  await using mcp = await connectInside(deps);
  const answers = await walk(mcp.call, "get_revisions", { limit: 2 });
  assert(answers.length > 1);
  assertMatch(
    answers[0]!.summary,
    / The last seen: txCount of 2026-11-1\d, \d to \d0 \(restated\)\. nextCursor leads to more\.$/,
  );
  const none = await mcp.call("get_revisions", { chainId: 4337 });
  assertEquals(none.answer.summary, "0 revisions of Beam L1 (4337).");
  assertEquals(
    answers.flatMap(({ rows }) => rows),
    revisions.map(
      (
        { day, metric, oldValue, newValue, unit, cause, seenAt }: Record<
          string,
          unknown
        >,
      ) => [
        ...[day, metric, oldValue, newValue, unit, cause, seenAt],
        ...[43114, "C-Chain"],
      ],
    ),
  );
});

Deno.test("compare_chains ranks no amounts of different tokens", async () => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps);
  const summaryOf = async (metric: string) => {
    const chainIds = [4337, 43114, 53935];
    const given = { metric, chainIds, range: "30d" };
    return (await mcp.call("compare_chains", given)).answer.summary;
  };
  assertStringIncludes(await summaryOf("txCount"), ", highest first: ");
  const fees = await summaryOf("feesPaid");
  assert(!fees.includes("highest first"), fees);
  assertStringIncludes(fees, "so they are not ranked: ");
  for (const token of ["BEAM", "AVAX", "JEWEL"]) {
    assertStringIncludes(fees, ` ${token}`);
  }
});
