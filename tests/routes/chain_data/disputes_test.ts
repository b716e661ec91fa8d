import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { parse } from "@std/csv";
import { createApp } from "../../../routes/app.ts";
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
} from "../../../services/chain_data/catalogue/cross_checks_schema.ts";
import type {
  CheckedTail,
  Dispute,
} from "../../../services/chain_data/checks/checked_series_schema.ts";
import { recordDisputes } from "../../../services/chain_data/checks/disputes.ts";
import type { SeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import { testDeps } from "../../support/deps.ts";
import { checkDaily, succeed } from "../../support/jobs.ts";
import { BASE } from "../../support/checked_answers.ts";
import {
  askChainData,
  parseFeed,
  readDisputes,
  readFeed,
  readQuality,
  shownOf,
} from "../../support/chain_data/quality_answers.ts";
import { putSeries } from "../../support/series.ts";
import { disputesFeed } from "../../../routes/chain_data/quality.ts";

const HOUR_MS = 3_600_000;

const OURS: SeriesId = { subject: 43114, metric: "txCount" };
const SECOND: SeriesId = { subject: "explorer-index", metric: "txCount" };

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
    "GET /disputes lists the planted disputes, newest first",
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
        "foundAt",
        "chainId",
        "chainName",
        "token",
        "unit",
        "tolerancePct",
        "source",
        "crossCheckSource",
      ]);
    },
  );
  await t.step(
    "GET /disputes lists the same disputes as the series",
    async () => {
      const { disputes } = await readDisputes(deps);
      for (const name of CHECK_NAMES) {
        const { checks }: CheckedTail = JSON.parse(
          (await askChainData(deps, wholeSeriesPath(name))).text,
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
    const { headers, text } = await askChainData(deps, "/disputes?format=csv");
    assertEquals(
      headers.get("Content-Type"),
      "text/csv; charset=utf-8; header=present",
    );
    const [header, ...rows] = parse(text);
    assertEquals(header, [
      "period",
      "series",
      "value",
      "crossCheckValue",
      "differencePct",
      "tolerancePct",
      "unit",
      "source",
      "crossCheckSource",
      "foundAt",
      "chainId",
      "chainName",
    ]);
    assertEquals(
      rows,
      disputes.map(({ day, ...dispute }) =>
        header!.map((column) =>
          column === "period"
            ? day
            : String(dispute[column as keyof typeof dispute])
        )
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
    const newest = disputes.map(({ foundAt }) => foundAt).toSorted().at(-1);
    assertEquals(feed.updated, newest);
    assertEquals(
      entries.map(({ id }) => id),
      PLANTED.map(([day, series]) => `${self}#${series}/${day}`),
    );
    assertEquals(new Set(entries.map(({ id }) => id)).size, PLANTED.length);
    for (const [index, { title, updated, summary }] of entries.entries()) {
      const { series, day, foundAt, ...dispute } = disputes[index]!;
      assertEquals(title, `${series} of ${day} are disputed`);
      assertEquals(updated, foundAt);
      for (
        const part of [dispute.value, dispute.crossCheckValue, dispute.source]
      ) {
        assert(shownOf(summary).includes(`${part}`), summary);
      }
    }
  });
  await t.step(
    "an entry links to the series with its dispute",
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
    "GET /quality returns the agreement of every series",
    async () => {
      const { checks } = await readQuality(deps);
      assertEquals(checks.map(({ series }) => series), CHECK_NAMES);
      for (const check of checks) {
        const path = wholeSeriesPath(check.series);
        const own: CheckedTail = JSON.parse(
          (await askChainData(deps, path)).text,
        );
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
  await t.step("quality and disputes call no upstream", () => {
    assertEquals(callCount(), made);
  });
  await t.step(
    "a day later the entries have the same ids and dates",
    async () => {
      const before = await readFeed(deps);
      deps.advance(24 * HOUR_MS);
      const after = await readFeed(deps);
      assertEquals(
        after.entries.map(({ id, updated }) => [id, updated]),
        before.entries.map(({ id, updated }) => [id, updated]),
      );
    },
  );
});
Deno.test("a dispute closes when either source is corrected", async () => {
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
  assertEquals((await readFeed(deps)).entries.map(({ title }) => title), [
    "No dispute is open",
  ]);
});

Deno.test("a dispute keeps the instant at which it was found until it closes", async () => {
  using deps = await testDeps();
  const days = { from: "2026-11-10", values: [1_000, 1_000, 1_000, 1_000] };
  const wrong = { ...days, values: days.values.with(1, 1_100) };
  const foundAt = async () =>
    (await readDisputes(deps)).disputes.map(({ foundAt }) => foundAt);
  const at = () => deps.now().toISOString();
  await putSeries(deps, OURS, days);
  await putSeries(deps, SECOND, wrong);
  const first = at();
  assertEquals(await foundAt(), [first], "before any job");
  await Promise.all([recordDisputes(deps), recordDisputes(deps)]);

  deps.advance(HOUR_MS);
  await putSeries(deps, OURS, days);
  await putSeries(deps, SECOND, { ...wrong, values: [1_000, 1_200, 1, 1_000] });
  await recordDisputes(deps);
  assertEquals(await foundAt(), [at(), first], "a new day, and the known one");

  deps.advance(HOUR_MS);
  await putSeries(deps, SECOND, days);
  await recordDisputes(deps);
  assertEquals(await foundAt(), []);
  deps.advance(HOUR_MS);
  await putSeries(deps, SECOND, wrong);
  await recordDisputes(deps);
  assertEquals(await foundAt(), [at()], "it is disputed again");
});

Deno.test("a dispute keeps its instant while our newest day grows every hour", async () => {
  using deps = await testDeps({ chains: 2 });
  await succeed(deps, "refresh-chains");
  await succeed(deps, "cross-check");
  await succeed(deps, "refresh-series");
  const found = async () =>
    (await readDisputes(deps)).disputes.map(({ day, foundAt }) => [
      day,
      foundAt,
    ]);
  const before = await found();
  assert(before.length > 0);
  deps.advance(HOUR_MS);
  const id = { subject: 43114, metric: "txCount" } as const;
  const { versionstamp, ...stored } = (await deps.store.series.find(id))!;
  await deps.store.series.replace(id, {
    ...stored,
    changedAt: deps.now().getTime(),
    versionstamp,
  });
  assertEquals(await found(), before);
});

Deno.test("disputesFeed is well-formed and complete for any source name", () => {
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
    chainId: 43114,
    chainName: "C-Chain",
    token: "AVAX",
    day: `2026-11-${20 - index}`,
    value: 1.5,
    crossCheckValue: 2.5,
    differencePct: index === 0 ? null : 66.6667,
    unit: "avax",
    tolerancePct: 0.5,
    foundAt: "2026-11-21T08:00:00.000Z",
    source,
    crossCheckSource: `other ${source}`,
  }));
  const answer = { count: disputes.length, disputes, checkedAt: null };
  const text = disputesFeed(answer, "https://firn.test");
  assertStringIncludes(text, "<updated>2026-11-21T08:00:00.000Z</updated>");
  const none = {
    count: 0,
    disputes: [],
    checkedAt: "2026-11-20T08:00:00.000Z",
  };
  assertStringIncludes(
    disputesFeed(none, "https://firn.test"),
    "<updated>2026-11-20T08:00:00.000Z</updated>",
  );
  const { entries } = parseFeed(text);
  assertEquals(
    entries.map(({ summary }) => shownOf(summary)),
    names.map((name, index) => {
      const difference = index === 0 ? "" : ", a difference of 66.6667 %";
      return `${name}: 1.5 avax. other ${name}: 2.5 avax${difference}; ` +
        "tolerance 0.5 %.";
    }),
  );
});

Deno.test("disputesFeed names the chain and its own token, and links to its series", () => {
  const dispute: Dispute = {
    series: "feesPaid",
    chainId: 4337,
    chainName: "Beam",
    token: "BEAM",
    day: "2026-11-20",
    value: 1.5,
    crossCheckValue: 2.5,
    differencePct: 66.6667,
    unit: "avax",
    tolerancePct: 0.5,
    foundAt: "2026-11-21T08:00:00.000Z",
    source: "A",
    crossCheckSource: "B",
  };
  const read = (dispute: Dispute) =>
    disputesFeed(
      { count: 1, disputes: [dispute], checkedAt: null },
      "https://firn.test",
    );
  const text = read(dispute);
  assertStringIncludes(text, "A: 1.5 BEAM. B: 2.5 BEAM, a difference");
  assertStringIncludes(text, "feesPaid of Beam on 2026-11-20 is disputed");
  assertStringIncludes(text, "disputes#feesPaid/4337/2026-11-20");
  assertStringIncludes(
    text,
    "/metrics?metric=feesPaid&amp;chainId=4337&amp;from=2026-11-20&amp;to=2026-11-20",
  );
  assertStringIncludes(read({ ...dispute, token: null }), "1.5 native tokens.");
});

Deno.test("disputesFeed lists the last found first, dates each entry by its own day, and is a feed without disputes too", () => {
  const dispute = (series: "fees" | "transactions", day: string, at: string) =>
    ({ series, day, foundAt: `${at}T08:00:00.000Z` }) as Dispute;
  const disputes = [
    dispute("fees", "2026-11-20", "2026-11-21"),
    dispute("fees", "2026-11-18", "2026-11-22"),
    dispute("fees", "2026-11-17", "2026-11-21"),
    dispute("transactions", "2026-11-19", "2026-11-22"),
  ];
  const read = (disputes: Dispute[]) =>
    parseFeed(
      disputesFeed(
        { count: disputes.length, disputes, checkedAt: null },
        "https://firn.test",
      ),
    );
  const { entries, updated } = read(disputes);
  assertEquals(updated, "2026-11-22T08:00:00.000Z");
  assertEquals(
    entries.map(({ published, updated }) => [published, updated.slice(0, 10)]),
    [
      ["2026-11-20T00:00:00.000Z", "2026-11-22"],
      ["2026-11-19T00:00:00.000Z", "2026-11-22"],
      ["2026-11-21T00:00:00.000Z", "2026-11-21"],
      ["2026-11-18T00:00:00.000Z", "2026-11-21"],
    ],
  );
  // Some readers take a feed without entries for no feed.
  assertEquals(read([]).entries.map(({ title }) => title), [
    "No dispute is open",
  ]);
});
