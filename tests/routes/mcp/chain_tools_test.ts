/** The open tools of `/mcp`: the answers of HTTP with lists as tables, whole, and with the same errors. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { tabulated } from "../../../routes/mcp/tools.ts";
import { checkDaily } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";
import { testDeps } from "../../support/deps.ts";
import { connectInside, type ToolOutcome } from "../../support/mcp.ts";

type Row = Record<string, unknown>;

/** Returns the objects of a table. */
function itemsOf(
  { columns, rows }: { columns: string[]; rows: unknown[][] },
): Row[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map((name, nth) => [name, row[nth]]))
  );
}

/** Calls a tool until its list gives no cursor; returns the pages. */
async function walk(
  call: (name: string, given?: Row) => Promise<ToolOutcome>,
  { name, given = {}, list }: { name: string; given?: Row; list: string },
) {
  const pages = [];
  let cursor: string | undefined;
  do {
    const { answer, isError, text } = await call(name, {
      ...given,
      ...(cursor && { cursor }),
    });
    assertEquals(isError, false, text);
    pages.push(answer);
    cursor = answer[list].nextCursor;
  } while (cursor !== undefined);
  return pages;
}

Deno.test("get_metrics has every point and field of HTTP, the newest hundred first, with figures of all complete points", async () => {
  using deps = await testDeps();
  const http = await createApp(deps).request(
    "/api/chain-data/metrics?metric=feesPaid&range=1y",
  );
  const { series, ...body } = await http.json();
  await using mcp = await connectInside(deps);
  const given = { metric: "feesPaid", range: "1y" };
  const pages = await walk(mcp.call, {
    name: "get_metrics",
    given,
    list: "series",
  });
  assertEquals(
    pages.map((page) => page.series.rows.length),
    [100, 100, 100, series.length - 300],
  );
  const points = pages.toReversed().flatMap((page) => itemsOf(page.series));
  assertEquals(
    points,
    series.map((point: Row) => ({ ...point, ...points[0]!, ...point })),
  );
  const [{ series: _, stats, ...facts }] = pages;
  assertEquals(facts, body);
  const complete = series.filter((point: Row) => point.complete);
  assertEquals(
    [stats.completePoints, stats.newest.day],
    [complete.length, complete.at(-1).day],
  );
});

Deno.test("tabulated() adds the newest, the first lowest and highest complete point, the mean, and the sum of what may be added up", () => {
  const series = [3, 1, 9, 9, 1, 100].map((value, nth) => ({
    day: `2026-11-0${nth + 1}`,
    value,
    complete: value < 100,
  }));
  const of = (metric: string, points = series) =>
    tabulated({ metric, series: points }, undefined).stats;
  const stats = {
    completePoints: 5,
    newest: { day: "2026-11-05", value: 1 },
    lowest: { day: "2026-11-02", value: 1 },
    highest: { day: "2026-11-03", value: 9 },
    mean: 4.6,
  };
  assertEquals(of("txCount"), { ...stats, sum: 23 });
  assertEquals(of("activeAddresses"), stats, "addresses must not be added up");
  assertEquals(of("txCount", series.slice(-1)), undefined);
  assertEquals(of("txCount", []), undefined);
});

Deno.test("tabulated() pages the longest list from its start, or from the newest day, and every row is on one page", () => {
  const long = Array.from({ length: 250 }, (_, nth) => ({ id: nth }));
  const days = long.map(({ id }) => ({ day: `${1000 + id}`, id }));
  for (
    const [list, firsts] of [[long, [0, 100, 200]], [days, [
      150,
      50,
      0,
    ]]] as const
  ) {
    const seen: unknown[] = [];
    let cursor: unknown;
    for (const first of firsts) {
      const { list: page, short } = tabulated(
        { short: [{ a: 1 }, { b: 2 }], list },
        cursor,
      ) as Record<
        string,
        {
          columns: string[];
          rows: unknown[][];
          nextCursor?: string;
          rowsInAll?: number;
        }
      >;
      assertEquals(short!.rows, [[1, null], [null, 2]]);
      assertEquals(page!.rows[0]!.at(-1), first);
      assertEquals(page!.rowsInAll, 250);
      seen.push(...page!.rows.map((row) => row.at(-1)));
      cursor = page!.nextCursor;
    }
    assertEquals(cursor, undefined);
    assertEquals(
      seen.toSorted((a, b) => Number(a) - Number(b)),
      long.map(({ id }) => id),
    );
  }
});

Deno.test("other open tools have what HTTP has, for every list", async (t) => {
  using deps = await testDeps();
  await checkDaily(deps, 8);
  const app = createApp(deps);
  await using mcp = await connectInside(deps);
  const cases = [
    ["get_chains", "chains", "chains"],
    ["get_monthly_transactions", "monthly-transactions", "series"],
    ["get_transaction_fees", "transaction-fees", "series"],
    ["get_block_production", "block-production", "series"],
    ["get_validators", "validators", "series"],
    ["get_disputes", "disputes", "disputes"],
    ["get_quality", "quality", "chains"],
  ] as const;
  for (const [name, path, list] of cases) {
    await t.step(name, async () => {
      const body = await (await app.request(`/api/chain-data/${path}`)).json();
      const pages = await walk(mcp.call, { name, list });
      const rows = (list === "series" ? pages.toReversed() : pages)
        .flatMap((page) => itemsOf(page[list]));
      assert(rows.length > 0);
      const columns = rows[0]!;
      assertEquals(
        rows.map((row) => Object.keys(row).length),
        rows.map(() => Object.keys(columns).length),
      );
      assertEquals(rows.length, body[list].length);
      for (const [nth, item] of body[list].entries()) {
        assertEquals({ ...rows[nth], ...item }, rows[nth]);
      }
      assertEquals(pages[0].confirmedAt, body.confirmedAt);
    });
  }
});

Deno.test("get_revisions has the pages of HTTP", async () => {
  using deps = await testDeps();
  for (const values of [[1, 2, 3, 4, 5], [1, 20, 30, 40, 50]]) {
    await putSeries(deps, { subject: 43114, metric: "txCount" }, {
      from: "2026-11-14",
      values,
    });
    deps.advance(3_600_000);
  }
  const http = await createApp(deps).request(
    "/api/chain-data/revisions?limit=2",
  );
  const { revisions, ...rest } = await http.json();
  await using mcp = await connectInside(deps);
  const { answer } = await mcp.call("get_revisions", { limit: 2 });
  assertEquals(itemsOf(answer.revisions), revisions);
  assertEquals({ ...answer, revisions: 0 }, { ...rest, revisions: 0 });
  const { answer: next } = await mcp.call("get_revisions", {
    limit: 2,
    cursor: rest.nextCursor,
  });
  assertEquals(next.revisions.rows.length, 2);
});

Deno.test("an error of a tool has the body of the HTTP endpoint", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  await using mcp = await connectInside(deps);
  const cases: [query: Record<string, string>, status: number][] = [
    [{ metric: "price" }, 400],
    [{ range: "2y" }, 400],
    [{ chainId: "0" }, 400],
    [{ page: "2" }, 400],
    [{ from: "2026-02-01", to: "2026-01-01" }, 400],
    [{ chainId: "999" }, 404],
  ];
  for (const [query, status] of cases) {
    const search = new URLSearchParams(query);
    await t.step(`${search}`, async () => {
      const http = await app.request(`/api/chain-data/metrics?${search}`);
      assertEquals(http.status, status);
      const { answer, isError } = await mcp.call("get_metrics", query);
      assertEquals(isError, true);
      assertEquals(answer, await http.json());
    });
  }
});

Deno.test("arguments that HTTP lacks or that tools lack are refused by name", async (t) => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps);
  const cases: [tool: string, given: Row, says: RegExp][] = [
    ["get_metrics", { format: "csv" }, /^Unknown argument "format"/],
    ["get_disputes", { page: 2 }, /^Unknown parameter "page"/],
    [
      "get_metrics",
      { cursor: 3000 },
      /^Invalid cursor "3000": expected nextCursor/,
    ],
    ["get_metrics", { cursor: ["x"] }, /^Invalid cursor "\["x"\]": expected/],
    ["get_metrics", { metric: { a: 1 } }, /^Invalid metric "{"a":1}"/],
    ...["", "..", "../chains", undefined].map((addressOrSlug) =>
      [
        "get_profile",
        { addressOrSlug },
        /^Cannot find the profile/,
      ] as [string, Row, RegExp]
    ),
  ];
  for (const [tool, given, says] of cases) {
    await t.step(`${tool} ${JSON.stringify(given)}`, async () => {
      const { answer, isError } = await mcp.call(tool, given);
      assertEquals(isError, true);
      assertMatch(answer.message, says);
    });
  }
});

Deno.test("a tool takes lists of chains, numbers and instants as HTTP takes their text", async () => {
  using deps = await testDeps();
  const id = { subject: 43114, metric: "txCount" } as const;
  const from = "2026-11-16";
  await putSeries(deps, id, { from, values: [1, 2, 3, 4] });
  const before = deps.now().toISOString();
  deps.advance(3_600_000);
  await putSeries(deps, id, { from, values: [1, null, 30, 4] });
  await using mcp = await connectInside(deps);
  const days = { from, to: "2026-11-19", chainId: 43114 };
  const { answer } = await mcp.call("get_metrics", {
    ...days,
    updatedAfter: before,
  });
  assertEquals([answer.updatedAfter, answer.removedDays], [before, [
    "2026-11-17",
  ]]);
  assertEquals(itemsOf(answer.series).map(({ value }) => value), [30]);
  const { answer: listed } = await mcp.call("get_revisions", {
    chainIds: [43114, 4337],
  });
  assertEquals(listed.count, 2);
});
