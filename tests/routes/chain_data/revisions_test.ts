import { assertEquals, assertMatch } from "@std/assert";
import { appOf } from "../../support/app.ts";
import type { StoredMetric } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import {
  RevisionsAnswer,
  RevisionsQuery,
} from "../../../services/chain_data/series/revisions_schema.ts";
import { CLOCK_SKEW_MS } from "../../../services/platform/clock.ts";
import { HOUR_MS } from "../../../services/platform/days.ts";
import { errorOf } from "../../support/chain_data/metrics_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";
import { revisionsFeed } from "../../../routes/chain_data/quality.ts";
import { elementsOf } from "../../support/charts/charts.ts";

const PATH = "/api/chain-data/revisions";

async function ask(deps: TestDeps, query: string) {
  const response = await appOf(deps).request(`${PATH}?${query}`);
  return { response, status: response.status, text: await response.text() };
}

async function read(deps: TestDeps, query = "") {
  const { status, text } = await ask(deps, query);
  assertEquals(status, 200, text);
  const body = JSON.parse(text);
  assertEquals(RevisionsAnswer.parse(body), body);
  return body as RevisionsAnswer;
}

const put = (
  deps: TestDeps,
  metric: StoredMetric,
  values: readonly (number | null)[],
) =>
  putSeries(deps, { subject: 43114, metric }, { from: "2026-11-16", values });

/** Returns dependencies with four revisions, of two metrics and at three instants. */
async function revisedDeps(): Promise<TestDeps> {
  const deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await put(deps, "txCount", [1, 2, 3, 4]);
  await put(deps, "feesPaid", [0.5, 1.5, 2.5]);
  deps.advance(HOUR_MS);
  await put(deps, "txCount", [1, 20, 3, 5]);
  deps.advance(HOUR_MS);
  await put(deps, "txCount", [1, 0, 3, 5]);
  await put(deps, "feesPaid", [0.25, 1.5, 2.75]);
  deps.advance(HOUR_MS);
  await put(deps, "txCount", [1, 0, null, 5]);
  return deps;
}

const HOURS = ["09", "10", "11"].map((hour) => `2026-11-21T${hour}:00:00.000Z`);
const C_CHAIN = { chainId: 43114, chainName: "C-Chain" };
const shared = { metric: "txCount", unit: "count", ...C_CHAIN } as const;
const EXPECTED: RevisionsAnswer["revisions"] = [
  {
    ...{ day: "2026-11-18", ...shared, oldValue: 3, newValue: null },
    ...{ cause: "withdrawn", seenAt: HOURS[2]! },
  },
  {
    ...{ day: "2026-11-17", ...shared, oldValue: 20, newValue: 0 },
    ...{ cause: "withdrawn", seenAt: HOURS[1]! },
  },
  {
    ...{ day: "2026-11-16", metric: "feesPaid", oldValue: 0.5, newValue: 0.25 },
    ...{ unit: "avax", cause: "restated", seenAt: HOURS[1]!, ...C_CHAIN },
  },
  {
    ...{ day: "2026-11-17", ...shared, oldValue: 2, newValue: 20 },
    ...{ cause: "restated", seenAt: HOURS[0]! },
  },
];

Deno.test("GET /revisions lists what changed, from what to what, when and why; growth is no revision", async () => {
  using deps = await revisedDeps();
  assertEquals(await read(deps), {
    chainId: 43114,
    chainName: "C-Chain",
    count: 4,
    revisions: EXPECTED,
    nextCursor: null,
  });
});

Deno.test("GET /revisions selects a metric, days and what was seen since", async () => {
  using deps = await revisedDeps();
  const cases: [query: string, expected: number[]][] = [
    ["metric=feesPaid", [2]],
    ["from=2026-11-17", [0, 1, 3]],
    ["from=2026-11-17&to=2026-11-17", [1, 3]],
    ["to=2026-11-16", [2]],
    [`since=${HOURS[0]}`, [0, 1, 2]],
    [`since=${HOURS[2]}`, []],
    ["metric=gasUsed", []],
    ["chainId=53935", []],
  ];
  for (const [query, expected] of cases) {
    const { revisions, count } = await read(deps, query);
    assertEquals(revisions, expected.map((nth) => EXPECTED[nth]!), query);
    assertEquals(count, expected.length);
  }
});

Deno.test("GET /revisions pages by a cursor, also while revisions are added", async () => {
  using deps = await revisedDeps();
  for (const limit of [1, 2, 3]) {
    const found: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const after = cursor === "" ? "" : `&cursor=${cursor}`;
      const page: RevisionsAnswer = await read(deps, `limit=${limit}${after}`);
      found.push(...page.revisions);
      cursor = page.nextCursor;
    }
    assertEquals(found, EXPECTED);
  }
  const { nextCursor } = await read(deps, "limit=2");
  deps.advance(HOUR_MS);
  await put(deps, "txCount", [7, 0, null, 5]);
  const { revisions } = await read(deps, `cursor=${nextCursor}`);
  assertEquals(revisions, EXPECTED.slice(2));
  assertEquals((await read(deps)).count, 5);
});

Deno.test("GET /revisions pages through two revisions of a day, the second by a clock that is behind", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  await put(deps, "txCount", [1, 2, 3]);
  deps.advance(HOUR_MS);
  await put(deps, "txCount", [1, 20, 3]);
  deps.advance(-CLOCK_SKEW_MS / 2);
  await put(deps, "txCount", [1, 21, 3]);
  deps.advance(CLOCK_SKEW_MS);
  const first = await read(deps, "limit=1");
  const second = await read(deps, `limit=1&cursor=${first.nextCursor}`);
  const { revisions } = await read(deps);
  assertEquals(revisions.map(({ newValue }) => newValue), [21, 20]);
  assertEquals([...first.revisions, ...second.revisions], revisions);
});

Deno.test("GET /revisions answers as CSV and as an Atom feed", async () => {
  using deps = await revisedDeps();
  const csv = await ask(deps, "limit=1&format=csv");
  assertEquals(
    csv.text,
    "period,metric,oldValue,newValue,unit,cause,seenAt,chainId,chainName\r\n" +
      `2026-11-18,txCount,3,,count,withdrawn,${HOURS[2]},43114,C-Chain\r\n`,
  );
  const { text, response } = await ask(deps, "format=atom");
  assertMatch(response.headers.get("Content-Type")!, /^application\/atom\+xml/);
  assertEquals(text.match(/<entry>/g)?.length, 4);
  assertMatch(text, /txCount of 2026-11-18 was withdrawn/);
  assertMatch(text, RegExp(`<updated>${HOURS[2]}</updated>`));
});

Deno.test("GET /revisions lists the revisions of several chains in one order, page by page", async () => {
  using deps = await revisedDeps();
  const put = (value: number) =>
    putSeries(deps, { subject: 4337, metric: "txCount" }, {
      from: "2026-11-16",
      values: [value, 8, 9],
    });
  await put(7);
  deps.advance(HOUR_MS);
  await put(70);
  const beam = {
    ...shared,
    ...{ chainId: 4337, chainName: "Beam L1", day: "2026-11-16" },
    ...{ oldValue: 7, newValue: 70, cause: "restated" as const },
    seenAt: "2026-11-21T12:00:00.000Z",
  };
  const query = "chainIds=43114,4337,43114";
  const both = await read(deps, query);
  assertEquals(both, {
    chainId: null,
    chainName: null,
    count: 5,
    revisions: [beam, ...EXPECTED],
    nextCursor: null,
  });
  const first = await read(deps, `${query}&limit=1`);
  assertEquals(first.revisions, [beam]);
  const rest = await read(deps, `${query}&cursor=${first.nextCursor}`);
  assertEquals(rest.revisions, EXPECTED);
  const { text } = await ask(deps, `${query}&format=atom`);
  assertMatch(text, /revisions of chains 43114,4337</);
  assertMatch(text, /txCount on Beam L1 of 2026-11-16 was restated/);
  const csv = await ask(deps, `${query}&format=csv&metric=txCount`);
  assertMatch(csv.text, /,4337,Beam L1\r\n2026-11-18,.*,43114,C-Chain\r\n/);
});

Deno.test("GET /revisions refuses invalid parameters and names the accepted values", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const cases: [query: string, status: number, error: RegExp][] = [
    ["metric=gas", 400, /^Invalid metric "gas": expected one of txCount/],
    ["limit=0", 400, /^Invalid limit "0": expected a whole number from 1 to/],
    ["limit=1001", 400, /^Invalid limit "1001": expected a whole number/],
    ["cursor=x", 400, /^Invalid cursor "x": expected the nextCursor/],
    ["since=2027-01-01T00:00:00Z", 400, /expected an instant up to 2026-11-21/],
    ["from=2026-11-02&to=2026-11-01", 400, /on or before to/],
    ["chainId=999", 404, /Cannot find chain 999/],
    ["chainIds=43114,999", 404, /Cannot find chain 999/],
    ["chainIds=43114,", 400, /^Invalid chainIds "43114,": expected EVM chain/],
    ["chainIds=43114,abc", 400, /^[^;]*, such as 43114,4337$/],
    [
      "chainIds=43114&chainId=4337",
      400,
      /^Invalid chainId "4337": expected chainId or chainIds, not both$/,
    ],
    ["chainIds=1,2,3,4,5", 400, /expected at most 50 chain ids with metric/],
  ];
  for (const [query, status, error] of cases) {
    const answer = await ask(deps, query);
    assertEquals(answer.status, status, query);
    assertMatch(errorOf(JSON.parse(answer.text)), error);
  }
});

const REVISION = {
  chainId: 7,
  chainName: "Seven",
  day: "2026-11-18",
  metric: "txCount",
  oldValue: 3,
  newValue: 4,
  unit: "count",
  cause: "restated",
  seenAt: "2026-11-20T08:00:00.000Z",
};

/** The text of each element of a name, or an attribute of it. */
function readFeed(
  { revisions, ...query }: {
    revisions: unknown[];
    chainIds?: string;
    [name: string]: unknown;
  },
  name: string,
  attribute?: string,
): (string | undefined)[] {
  const feed = revisionsFeed(
    {
      chainId: query.chainIds ? null : 7,
      chainName: query.chainIds ? null : "Seven",
      count: revisions.length,
      revisions,
      nextCursor: null,
    } as unknown as RevisionsAnswer,
    RevisionsQuery.parse({ format: "atom", ...query }),
    "https://firn.example",
  );
  return elementsOf(feed).filter((element) => element.name === name)
    .map(({ attributes, text }) => attribute ? attributes[attribute] : text);
}

const SELF = "https://firn.example/api/chain-data/revisions";

Deno.test("an entry says what a value became, when that was seen, and when its day ended", () => {
  const revisions = [
    { ...REVISION, oldValue: null },
    { ...REVISION, newValue: null, cause: "withdrawn" },
  ];
  assertEquals(readFeed({ revisions }, "summary"), [
    "no value became 4; unit count.",
    "3 became no value; unit count.",
  ]);
  assertEquals(
    readFeed({ revisions }, "updated"),
    Array(3).fill(REVISION.seenAt),
  );
  const ended = "2026-11-19T00:00:00.000Z";
  assertEquals(readFeed({ revisions }, "published"), [ended, ended]);
  const gas = { revisions: [{ ...REVISION, metric: "gasUsed" }] };
  assertEquals(
    readFeed(gas, "link", "href").at(-1),
    "https://firn.example/api/chain-data/metrics?chainId=7&metric=gasUsed&from=2026-11-18&to=2026-11-18",
  );
  // Some readers take a feed without entries for no feed.
  assertEquals(readFeed({ revisions: [] }, "title").slice(1), [
    "No revision was seen",
  ]);
});

Deno.test("each selection is a feed with its own id and links, and an entry has one id in all of them", () => {
  const entry = `${SELF}?chainId=7#txCount/2026-11-18/${REVISION.seenAt}`;
  const since = "2026-11-01T00:00:00Z";
  const cases: [query: Record<string, string>, selected: string][] = [
    [{}, ""],
    [{ limit: "100" }, ""],
    [{ limit: "10" }, "&limit=10"],
    [{ metric: "txCount" }, "&metric=txCount"],
    [{ since }, `&since=${since}`],
    [{ cursor: "1.2.3.4" }, "&cursor=1.2.3.4"],
    [
      { limit: "5", to: "2026-11-20", from: "2026-11-18", metric: "txCount" },
      "&metric=txCount&from=2026-11-18&to=2026-11-20&limit=5",
    ],
  ];
  for (const [query, selected] of cases) {
    const given = { revisions: [REVISION], ...query };
    const self = `${SELF}?chainId=7${selected}`;
    assertEquals(readFeed(given, "id"), [self, entry]);
    assertEquals(readFeed(given, "link", "href").slice(0, 2), [
      self,
      `${self}&format=atom`,
    ]);
  }
  assertEquals(
    readFeed({ revisions: [], chainIds: "7,8", metric: "txCount" }, "id")[0],
    `${SELF}?chainIds=7,8&metric=txCount`,
  );
});

Deno.test("the feed names the token that fees are in", () => {
  const fees = { ...REVISION, metric: "feesPaid", unit: "avax" };
  const chainIds = [43114, 4337, 7];
  const revisions = chainIds.map((chainId) => ({ ...fees, chainId }));
  assertEquals(
    readFeed({ revisions, chainIds: chainIds.join(",") }, "summary"),
    ["AVAX", "BEAM", "the token of the chain"]
      .map((token) => `3 became 4; unit ${token}.`),
  );
});
