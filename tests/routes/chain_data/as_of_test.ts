import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { MetricsAnswer } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { DAY_MS, HOUR_MS } from "../../../services/platform/days.ts";
import {
  askMetrics,
  errorOf,
  PATH,
} from "../../support/chain_data/metrics_answers.ts";
import { START, type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily, runNamed, succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";
import { asFetch, simulateUpstreams } from "../../../simnet/upstreams.ts";

const BASE = "/api/chain-data";
const ID = { subject: 43114, metric: "txCount" } as const;
const DAYS = "from=2026-11-16&to=2026-11-20";

/** Puts a series every hour: a day grows, then a complete one is restated, one is withdrawn, one is added. */
async function putHistory(deps: TestDeps): Promise<string[]> {
  const instants: string[] = [];
  for (
    const values of [
      [1, 2, 3],
      [1, 2, 30],
      [1, 20, 30, 4],
      [1, null, 30, 4],
      [1, null, 30, 4, 5],
    ]
  ) {
    if (instants.length > 0) deps.advance(HOUR_MS);
    await putSeries(deps, ID, { from: "2026-11-16", values });
    instants.push(deps.now().toISOString());
  }
  return instants;
}

/** Returns days and values of an answer. */
async function valuesAt(deps: TestDeps, query: string) {
  const { status, body } = await askMetrics(deps, `${DAYS}&${query}`);
  assertEquals(status, 200, JSON.stringify(body));
  return body.series.map(({ day, value }) => `${day.slice(8)}: ${value}`);
}

Deno.test("asOf answers the complete days of an instant, with the values that they had then", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const instants = await putHistory(deps);
  const expected = [
    ["16: 1", "17: 2"],
    ["16: 1", "17: 2"],
    ["16: 1", "17: 20", "18: 30"],
    ["16: 1", "18: 30"],
    ["16: 1", "18: 30", "19: 4"],
  ];
  for (const [nth, asOf] of instants.entries()) {
    assertEquals(await valuesAt(deps, `asOf=${asOf}`), expected[nth]);
    const justBefore = new Date(Date.parse(asOf) - 1).toISOString();
    if (nth > 0) {
      assertEquals(
        await valuesAt(deps, `asOf=${justBefore}`),
        expected[nth - 1],
      );
    }
  }
  const { body } = await askMetrics(deps, `${DAYS}&asOf=${instants[2]}`);
  assertEquals(body.asOf, instants[2]);
  assertEquals(body.fetchedAt, instants[2]);
  assertEquals(body.dataThrough, "2026-11-18");
  assertEquals(
    body.series.map(({ revisedAt }) => revisedAt),
    [undefined, instants[2], undefined],
  );
});

Deno.test("updatedAfter returns the days that were seen, completed, revised or withdrawn since", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const instants = await putHistory(deps);
  const expected = [
    ["18: 30", "19: 4", "20: 5"],
    ["18: 30", "19: 4", "20: 5"],
    ["19: 4", "20: 5"],
    ["19: 4", "20: 5"],
    [],
  ];
  for (const [nth, after] of instants.entries()) {
    const query = `updatedAfter=${after}`;
    assertEquals(await valuesAt(deps, query), expected[nth], query);
    const { body } = await askMetrics(deps, `${DAYS}&${query}`);
    assertEquals(body.updatedAfter, after);
    assertEquals(body.removedDays, nth < 3 ? ["2026-11-17"] : []);
  }
  const all = await valuesAt(deps, "updatedAfter=2020-01-01T00:00:00Z");
  assertEquals(all, ["16: 1", "18: 30", "19: 4", "20: 5"], "before the record");
  assertEquals(
    await valuesAt(deps, `updatedAfter=${instants[0]}&asOf=${instants[2]}`),
    ["17: 20", "18: 30"],
  );
});

Deno.test("asOf and updatedAfter are refused with what is accepted", async (t) => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await putHistory(deps);
  const now = deps.now().toISOString();
  const refusals: [query: string, error: RegExp][] = [
    ["asOf=yesterday", /^Invalid asOf "yesterday": expected an instant in UTC/],
    ["asOf=2026-02-30T00:00:00Z", /^Invalid asOf/],
    ["asOf=2027-01-01T00:00:00Z", RegExp(`expected an instant up to ${now}`)],
    [
      "asOf=2026-11-21T07:59:59.999Z",
      RegExp(`expected an instant from ${START} on.*txCount of chain 43114`),
    ],
    [
      "metric=gasUsed&asOf=2026-11-21T08:00:00Z",
      /gasUsed.* was never stored whole/,
    ],
    ["updatedAfter=2027-01-01T00:00:00Z", /^Invalid updatedAfter/],
    [
      "updatedAfter=2026-11-21T08:00:00Z&interval=week",
      /^Invalid interval "week": expected day together with updatedAfter/,
    ],
  ];
  for (const [query, error] of refusals) {
    await t.step(query, async () => {
      const { status, body, response } = await askMetrics(deps, query);
      assertEquals(status, 400, JSON.stringify(body));
      assertMatch(errorOf(body), error);
      assertEquals(response.headers.get("Cache-Control"), "no-store");
    });
  }
});

Deno.test("asOf an answer's confirmedAt repeats its values, also if the upstream took long", async () => {
  let isSlow = false;
  let revised = 0;
  const upstream = asFetch(simulateUpstreams({ now: () => deps.now() }));
  using deps: TestDeps = await testDeps({
    async fetch(input, init) {
      const request = new Request(input, init);
      if (isSlow) deps.advance(1_000);
      const response = await upstream(request);
      if (revised === 0 || !request.url.includes("gasUsed")) return response;
      const { results, ...rest } = await response.json();
      results[5].value += revised;
      return Response.json({ ...rest, results });
    },
  });
  await succeed(deps, "refresh-chains");
  isSlow = true;
  for (const change of [0, 777]) {
    revised = change;
    const query = "metric=gasUsed&range=30d";
    const { body } = await askMetrics(deps, query);
    const { confirmedAt, series } = body as MetricsAnswer;
    assertEquals(series.some(({ revisedAt }) => revisedAt), change > 0);
    const then = await askMetrics(deps, `${query}&asOf=${confirmedAt}`);
    assertEquals(
      (then.body as MetricsAnswer).series,
      series.filter(({ complete }) => complete),
      errorOf(then.body),
    );
    deps.advance(1.5 * HOUR_MS);
  }
});

Deno.test("asOf an instant in an unfinished first fill is refused, and never a part of the series", async () => {
  let calls = 0;
  const upstream = asFetch(simulateUpstreams({ now: () => deps.now() }));
  using deps: TestDeps = await testDeps({
    fetch(input, init) {
      const request = new Request(input, init);
      return request.url.includes("dailyblkcount") && ++calls > 2
        ? Promise.resolve(new Response(null, { status: 500 }))
        : upstream(request);
    },
  });
  const app = createApp(deps);
  const askBlocks = async (query: string) => {
    const response = await app.request(`${BASE}/block-production?${query}`);
    return { status: response.status, body: await response.json() };
  };
  await succeed(deps, "refresh-chains");
  await runNamed(deps, "cross-check");
  deps.advance(HOUR_MS);
  const partial = `asOf=${deps.now().toISOString()}`;
  const during = await askBlocks(partial);
  assertEquals(during.status, 400);
  assertMatch(errorOf(during.body), /expected none, .* was never stored whole/);
  deps.advance(HOUR_MS);
  calls = -Infinity;
  await succeed(deps, "cross-check");
  const { status, body } = await askBlocks(partial);
  assertEquals(status, 400);
  const [, first] = /expected an instant from (\S+) on/.exec(errorOf(body))!;
  const then: Checked = (await askBlocks(`asOf=${first}`)).body;
  const now: Checked = (await askBlocks("")).body;
  assertEquals(then.series, now.series.filter(({ complete }) => complete));
});

Deno.test("an unknown chain is not found, also as of an instant and with an old list of chains", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  deps.advance(1.5 * HOUR_MS);
  const query = `chainId=999999&asOf=${deps.now().toISOString()}`;
  const { status, body } = await askMetrics(deps, query);
  assertEquals([status, errorOf(body)], [
    404,
    "Cannot find chain 999999: no tracked mainnet chain has this id",
  ]);
});

Deno.test("an answer as of a past instant is immutable, except in its first minute", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const [first] = await putHistory(deps);
  const app = createApp(deps);
  const cacheOf = async (query: string) => {
    const response = await app.request(`${PATH}?${query}`);
    assertEquals(response.status, 200);
    await response.body?.cancel();
    return response.headers.get("Cache-Control");
  };
  for (const format of ["json", "csv"]) {
    assertEquals(
      await cacheOf(`asOf=${first}&format=${format}`),
      "public, max-age=3600, stale-if-error=86400, immutable",
    );
    assertEquals(
      await cacheOf(`asOf=${deps.now().toISOString()}&format=${format}`),
      "public, max-age=60, stale-if-error=86400",
    );
  }
});

interface Checked {
  series: { day: string; complete: boolean }[];
  checks: { fetchedAt: string | null };
  fetchedAt: string;
  confirmedAt: string;
  lagHours?: number;
  asOf?: string;
}

/** Returns the part of a checked answer that asOf repeats. */
function repeated({ series, checks, ...answer }: Checked) {
  const { fetchedAt: _, confirmedAt: __, lagHours: ___, asOf: ____, ...rest } =
    answer;
  return {
    ...rest,
    lastPeriodComplete: null,
    checks: { ...checks, fetchedAt: null },
    series: series.filter(({ complete }) => complete),
  };
}

Deno.test("asOf repeats the checked series of each of six days, while their sources restate days", async () => {
  const paths = [
    "/monthly-transactions?interval=day",
    "/monthly-transactions?",
    "/transaction-fees?interval=day",
    "/block-production?",
    "/validators?",
  ];
  using deps = await testDeps({ start: "2026-11-14T08:00:00Z" });
  const app = createApp(deps);
  const ask = async (path: string): Promise<Checked> => {
    const response = await app.request(BASE + path);
    const body = await response.json();
    assertEquals(response.status, 200, JSON.stringify(body));
    return body;
  };
  const recorded: { path: string; asOf: string; answer: Checked }[] = [];
  for (let day = 0; day < 6; day++) {
    await checkDaily(deps, 1);
    for (const path of paths) {
      const answer = await ask(path);
      recorded.push({ path, asOf: deps.now().toISOString(), answer });
    }
    deps.advance(DAY_MS);
  }
  for (const { path, asOf, answer } of recorded) {
    const earlier = await ask(`${path}&asOf=${asOf}`);
    assertEquals(repeated(earlier), repeated(answer), `${path} ${asOf}`);
    const days = earlier.series.filter(({ complete }) => !complete);
    assertEquals(days.length <= (path.endsWith("?") ? 1 : 0), true, path);
  }
  assert(
    recorded.some(({ answer }) => JSON.stringify(answer).includes("revisedAt")),
  );
});
