import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/csv";
import { xml2js } from "xml-js";
import { createApp } from "../../../routes/app.ts";
import { disputesFeed } from "../../../routes/chain_data/disputes_feed.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
} from "../../../services/chain_data/checks/check_rules_schema.ts";
import type { CheckedTail } from "../../../services/chain_data/checks/checked_series_schema.ts";
import {
  type Dispute,
  DisputesAnswer,
} from "../../../services/chain_data/checks/disputes_schema.ts";
import { QualityAnswer } from "../../../services/chain_data/quality/quality_schema.ts";
import type { SeriesId } from "../../../services/chain_data/series/series_id.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily, succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";

const BASE = "/api/chain-data";
const HOUR_MS = 3_600_000;

const OURS: SeriesId = { subject: 43114, metric: "txCount" };
const SECOND: SeriesId = { subject: "explorer-index", metric: "txCount" };

async function ask(deps: TestDeps, path: string, init?: RequestInit) {
  const response = await createApp(deps).request(`${BASE}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

async function readQuality(deps: TestDeps): Promise<QualityAnswer> {
  const { status, text } = await ask(deps, "/quality");
  assertEquals(status, 200, text);
  const body = JSON.parse(text);
  assertEquals(QualityAnswer.parse(body), body);
  return body;
}

async function readDisputes(deps: TestDeps): Promise<DisputesAnswer> {
  const { status, text } = await ask(deps, "/disputes");
  assertEquals(status, 200, text);
  const body = JSON.parse(text);
  assertEquals(DisputesAnswer.parse(body), body);
  return body;
}

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly updated: string;
  readonly summary: string;
}

type Element = Record<string, unknown>;

/** The text of an element, its CDATA sections joined. */
function textOf(parent: Element, name: string): string {
  const { _text, _cdata } = parent[name] as Element;
  return [_text ?? _cdata].flat().join("");
}

/** Parses a feed with a strict parser, which throws where it is not well-formed. */
function parseFeed(text: string) {
  const { feed } = xml2js(text, { compact: true }) as { feed: Element };
  const attributesOf = (element: Element) =>
    element._attributes as Record<string, string>;
  const elements = [feed.entry ?? []].flat() as Element[];
  const entries = elements.map((entry): Entry => ({
    id: textOf(entry, "id"),
    title: textOf(entry, "title"),
    link: attributesOf(entry.link as Element).href!,
    updated: textOf(entry, "updated"),
    summary: textOf(entry, "summary"),
  }));
  return {
    namespace: attributesOf(feed).xmlns,
    id: textOf(feed, "id"),
    title: textOf(feed, "title"),
    updated: textOf(feed, "updated"),
    author: textOf(feed.author as Element, "name"),
    links: (feed.link as Element[]).map(attributesOf),
    entries,
  };
}

async function readFeed(deps: TestDeps) {
  const { status, headers, text } = await ask(deps, "/disputes?format=atom");
  assertEquals(status, 200, text);
  assertEquals(
    headers.get("Content-Type"),
    "application/atom+xml; charset=utf-8",
  );
  return parseFeed(text);
}

/** Reads HTML as a browser shows it; markup is dropped. */
function shownOf(html: string): string {
  const entities: Record<string, string> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&amp;": "&",
  };
  return html.replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!);
}

/** The daily values of a checked series, below `BASE`. */
function wholeSeriesPath(name: CheckName): string {
  const { endpoint, dailyQuery } = CHECKS[name];
  return `/${endpoint}?${dailyQuery}range=all`;
}

const PLANTED: [day: string, series: Dispute["series"]][] = [
  ["2026-11-11", "transactions"],
  ["2026-11-11", "fees"],
  ["2026-11-06", "blocks"],
  ["2025-07-02", "transactions"],
  ["2024-06-18", "transactions"],
  ["2024-03-13", "fees"],
  ["2023-11-22", "transactions"],
];

Deno.test("quality and disputes after eight days of checks", async (t) => {
  using deps = await testDeps({ start: "2026-11-14T08:00:00Z" });
  await checkDaily(deps, 8);
  const app = createApp(deps);
  for (const name of CHECK_NAMES) {
    await (await app.request(BASE + wholeSeriesPath(name))).body?.cancel();
  }
  const callCount = () =>
    Object.values(deps.upstreams)
      .reduce((count, { calls }) => count + calls.length, 0);
  const made = callCount();

  await t.step(
    "GET /disputes lists all that are planted, the newest first",
    async () => {
      const { count, disputes, checkedAt } = await readDisputes(deps);
      assertEquals(count, PLANTED.length);
      assertEquals(disputes.map(({ day, series }) => [day, series]), PLANTED);
      assertMatch(checkedAt!, /^2026-11-21T08:/);
      for (const dispute of disputes) {
        const { value, crossCheckValue, differencePct, tolerancePct } = dispute;
        const exact = (crossCheckValue / value - 1) * 100;
        assert(Math.abs(exact - differencePct!) < 1e-4);
        assert(Math.abs(exact) > tolerancePct);
        assert(dispute.source !== dispute.crossCheckSource);
      }
      assertEquals(Object.keys(disputes[0]!), [
        "series",
        "day",
        "value",
        "crossCheckValue",
        "differencePct",
        "unit",
        "tolerancePct",
        "source",
        "crossCheckSource",
      ]);
    },
  );
  await t.step(
    "GET /disputes has the disputes of the series' own answers",
    async () => {
      const { disputes } = await readDisputes(deps);
      for (const name of CHECK_NAMES) {
        const { checks }: CheckedTail = JSON.parse(
          (await ask(deps, wholeSeriesPath(name))).text,
        );
        assertEquals(
          disputes.filter(({ series }) => series === name)
            .map(({ day, value, crossCheckValue, differencePct }) => ({
              day,
              value,
              crossCheckValue,
              differencePct,
            })).toReversed(),
          checks.disputedDays,
          name,
        );
      }
    },
  );
  await t.step("GET /disputes as CSV has the same rows", async () => {
    const { disputes } = await readDisputes(deps);
    const { headers, text } = await ask(deps, "/disputes?format=csv");
    assertEquals(
      headers.get("Content-Type"),
      "text/csv; charset=utf-8; header=present",
    );
    const [header, ...rows] = parse(text);
    assertEquals(header, [
      "series",
      "day",
      "value",
      "crossCheckValue",
      "differencePct",
      "tolerancePct",
      "unit",
      "source",
      "crossCheckSource",
    ]);
    assertEquals(
      rows,
      disputes.map((dispute) =>
        header!.map((column) => String(dispute[column as keyof Dispute]))
      ),
    );
  });
  await t.step("GET /disputes as Atom has the same entries", async () => {
    const { disputes } = await readDisputes(deps);
    const { entries, ...feed } = await readFeed(deps);
    const self = "http://localhost:8000/api/chain-data/disputes";
    assertEquals({ ...feed, updated: "" }, {
      namespace: "http://www.w3.org/2005/Atom",
      id: self,
      title: "Firn: open disputes between data sources",
      updated: "",
      author: "Firn",
      links: [
        { rel: "alternate", href: self },
        { rel: "self", href: `${self}?format=atom` },
      ],
    });
    assertMatch(feed.updated, /^2026-11-21T08:/);
    assertEquals(
      entries.map(({ id }) => id),
      PLANTED.map(([day, series]) => `${self}#${series}/${day}`),
    );
    assertEquals(new Set(entries.map(({ id }) => id)).size, PLANTED.length);
    for (const [index, { title, updated, summary }] of entries.entries()) {
      const { series, day, ...dispute } = disputes[index]!;
      assertEquals(title, `${series} of ${day} are disputed`);
      assertEquals(updated, `${day}T00:00:00.000Z`);
      for (
        const part of [dispute.value, dispute.crossCheckValue, dispute.source]
      ) {
        assert(shownOf(summary).includes(`${part}`), summary);
      }
    }
  });
  await t.step(
    "an entry links to an answer that shows its dispute",
    async () => {
      for (const { id, link } of (await readFeed(deps)).entries) {
        const url = new URL(link);
        const response = await app.request(url.pathname + url.search);
        assertEquals(response.status, 200);
        const { checks }: CheckedTail = await response.json();
        assertEquals(checks.disputedDays.map(({ day }) => day), [
          id.split("/").at(-1)!,
        ]);
      }
    },
  );
  await t.step(
    "GET /quality says of every series how far its sources agree",
    async () => {
      const { checks } = await readQuality(deps);
      assertEquals(checks.map(({ series }) => series), CHECK_NAMES);
      for (const check of checks) {
        const path = wholeSeriesPath(check.series);
        const own: CheckedTail = JSON.parse((await ask(deps, path)).text);
        assertEquals(check, {
          series: check.series,
          source: own.source,
          crossCheckSource: own.checks.source,
          checkedThrough: own.checks.checkedThrough,
          comparedDayCount: own.checks.comparedDayCount,
          agreementPct: own.checks.agreementPct,
          recentAgreementPct: own.recentAgreementPct,
          openDisputeCount: own.disputedDayCount,
        });
      }
      assertEquals(
        checks.reduce((sum, check) => sum + check.openDisputeCount, 0),
        PLANTED.length,
      );
    },
  );
  await t.step("no upstream was asked for any of it", () => {
    assertEquals(callCount(), made);
  });
  await t.step("a day later the entries have the ids they had", async () => {
    const before = await readFeed(deps);
    deps.advance(24 * HOUR_MS);
    const after = await readFeed(deps);
    assertEquals(
      after.entries.map(({ id }) => id),
      before.entries.map(({ id }) => id),
    );
  });
});

Deno.test("GET /quality tells the lag of every source in hours", async () => {
  using deps = await testDeps();
  const lags = async () =>
    (await readQuality(deps)).sources.map(({ lagHours }) => lagHours);
  const { sources } = await readQuality(deps);
  assertEquals(
    sources.map(({ url, source, lastSuccessAt }) => [
      new URL(url).host,
      source.replace(/ \(.*/, ""),
      lastSuccessAt,
    ]),
    [
      ["metrics.test", "Avalanche Metrics API", null],
      ["explorer.test", "explorer index", null],
      ["c-chain.test", "C-Chain RPC", null],
      ["p-chain.test", "P-Chain RPC", null],
    ],
  );
  assertEquals(await lags(), [null, null, null, null], "never read");

  await succeed(deps, "snapshot-validators");
  const takenAt = deps.now().toISOString();
  deps.advance(2.5 * HOUR_MS);
  await (await createApp(deps).request(`${BASE}/monthly-transactions`)).body
    ?.cancel();
  assertEquals(await lags(), [0, null, null, 2.5]);
  for (const upstream of Object.values(deps.upstreams)) {
    upstream.switch.set({ mode: "refuse" });
  }
  deps.advance(30 * HOUR_MS);
  assertEquals(await lags(), [30, null, null, 32.5]);
  assertEquals((await readQuality(deps)).sources[3]!.lastSuccessAt, takenAt);
});

Deno.test("GET /quality counts any series of the explorer index as its success", async () => {
  using deps = await testDeps();
  await (await createApp(deps).request(`${BASE}/block-production`)).body
    ?.cancel();
  const { sources } = await readQuality(deps);
  const { lagHours, source } = sources[1]!;
  assertEquals(lagHours, 0);
  assertEquals(source, "simulated (simnet in place of the explorer index)");
});

Deno.test("GET /quality is never unmodified by date: its lags grow by themselves", async () => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  await (await createApp(deps).request(`${BASE}/monthly-transactions`)).body
    ?.cancel();
  const first = await ask(deps, "/quality");
  deps.advance(2 * HOUR_MS);
  const since = first.headers.get("Last-Modified") ?? deps.now().toUTCString();
  const { status, text } = await ask(deps, "/quality", {
    headers: { "If-Modified-Since": since },
  });
  assertEquals(status, 200);
  assertEquals(JSON.parse(text).sources[0].lagHours, 2);
});

Deno.test("GET /quality has every tracked chain and all identities", async () => {
  using deps = await testDeps({ chains: 3 });
  await succeed(deps, "refresh-chains");
  await succeed(deps, "refresh-series");
  const { chains, identities } = await readQuality(deps);
  assertEquals(identities.length, 9);
  assertEquals(chains.length, 3);
  assert(chains.every(({ checkedDayCount }) => checkedDayCount > 0));
});

Deno.test("quality and disputes answer before anything was read", async () => {
  using deps = await testDeps();
  const { checks, chains } = await readQuality(deps);
  assertEquals([checks, chains], [[], []]);
  assertEquals(await readDisputes(deps), {
    count: 0,
    disputes: [],
    checkedAt: null,
  });
  assertEquals((await readFeed(deps)).entries, []);
  assertEquals(
    Object.values(deps.upstreams).flatMap(({ calls }) => calls),
    [],
  );
});

Deno.test("quality and disputes refuse what they do not accept, and say what they do", async (t) => {
  using deps = await testDeps();
  const refusals: [query: string, error: string][] = [
    [
      "/disputes?format=xml",
      'Invalid format "xml": expected one of json, csv, atom',
    ],
    [
      "/disputes?format=csv&format=atom",
      "Invalid format: given 2 times, expected once",
    ],
    [
      "/disputes?series=fees",
      'Unknown parameter "series": expected format',
    ],
    [
      "/quality?format=csv",
      'Unknown parameter "format": expected no parameters',
    ],
  ];
  for (const [path, error] of refusals) {
    await t.step(path, async () => {
      const { status, text } = await ask(deps, path);
      assertEquals(status, 400);
      assertEquals(JSON.parse(text).error, error);
    });
  }
});

Deno.test("a dispute is closed when either source corrects itself", async () => {
  using deps = await testDeps();
  const days = { from: "2026-11-10", values: [1_000, 1_000, 1_000, 1_000] };
  const wrong = { ...days, values: days.values.with(1, 1_100) };
  await putSeries(deps, OURS, days);
  await putSeries(deps, SECOND, wrong);
  assertEquals((await readDisputes(deps)).disputes.map(({ day }) => day), [
    "2026-11-11",
  ]);
  assertEquals((await readFeed(deps)).entries.length, 1);
  await putSeries(deps, OURS, wrong);
  assertEquals((await readDisputes(deps)).count, 0);
  await putSeries(deps, OURS, days);
  await putSeries(deps, SECOND, days);
  assertEquals((await readDisputes(deps)).count, 0);
  assertEquals((await readFeed(deps)).entries.length, 0);
});

Deno.test("disputesFeed() is well-formed and says everything, whatever sources are called", () => {
  const names = [
    "A & B",
    "a < b > c",
    "<b>bold</b> <script>alert(1)</script>",
    "]]>",
    "]]]]><![CDATA[>",
    "&amp; &lt; &#39;",
    `"quoted" 'names'`,
    "<!-- & -->",
  ];
  const disputes: Dispute[] = names.map((source, index) => ({
    series: "fees",
    day: `2026-11-${20 - index}`,
    value: 1.5,
    crossCheckValue: 2.5,
    differencePct: index === 0 ? null : 66.6667,
    unit: "avax",
    tolerancePct: 0.5,
    source,
    crossCheckSource: `other ${source}`,
  }));
  const answer = { count: disputes.length, disputes, checkedAt: null };
  const { entries } = parseFeed(disputesFeed(answer, "https://firn.test"));
  assertEquals(
    entries.map(({ summary }) => shownOf(summary)),
    names.map((name, index) => {
      const difference = index === 0 ? "" : ", 66.6667 % apart";
      return `${name}: 1.5 avax. other ${name}: 2.5 avax${difference}; ` +
        "tolerance 0.5 %.";
    }),
  );
});
