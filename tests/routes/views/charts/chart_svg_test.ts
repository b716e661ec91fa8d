/** Charts over HTTP: drawing, caching and errors. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../../routes/app.ts";
import {
  chartDocument,
  chartOfError,
} from "../../../../routes/views/charts/chart_svg.ts";
import type { MetricsAnswer } from "../../../../services/chain_data/metrics_schema.ts";
import {
  CHART_NAMES,
  CHECKED_SERIES_OF,
  isChecked,
} from "../../../../services/charts/charts_schema.ts";
import { ANOMALY_CHAIN_IDS } from "../../../../simnet/series/anomalies.ts";
import {
  chart,
  elementsOf,
  point,
  withClass,
} from "../../../support/charts.ts";
import { askChecked } from "../../../support/checked_answers.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { assertDrawn } from "../../../support/readable.ts";
import { checkDaily } from "../../../support/jobs.ts";

const HOUR_MS = 3_600_000;

async function ask(deps: TestDeps, path: string, init?: RequestInit) {
  const response = await createApp(deps).request(`/chart/${path}`, init);
  const text = await response.text();
  const elements = text === "" ? [] : elementsOf(text);
  if (elements.length > 0) assertDrawn(elements);
  return { response, status: response.status, text, elements };
}

async function askMetrics(deps: TestDeps, query: string) {
  const url = `/api/chain-data/metrics?${query}`;
  const response = await createApp(deps).request(url);
  return { status: response.status, body: await response.json() };
}

/** Returns the number of subpaths. */
const runsOf = (path: string | undefined) => path!.split("M").length - 1;

Deno.test("GET /chart/{name}.svg draws every metric and checked series, with title, source and date", async (t) => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  for (const name of CHART_NAMES) {
    await t.step(name, async () => {
      const { response, status, text, elements } = await ask(
        deps,
        `${name}.svg`,
      );
      assertEquals(status, 200, text);
      // Readers have 28 calls to the Metrics API a minute.
      deps.advance(10_000);
      const { headers } = response;
      assertEquals(headers.get("Content-Type"), "image/svg+xml; charset=utf-8");
      const [svg] = elements.filter((element) => element.name === "svg");
      assertEquals(svg!.attributes.role, "img");
      assertEquals(svg!.attributes["aria-labelledby"], "title");
      const named = elements.filter(({ attributes: { id } }) => id);
      const [title, summary] = named.map((element) => element.text);
      assertMatch(
        title!,
        name === "validators" ? /Primary Network/ : /C-Chain/,
      );
      assertMatch(summary!, /lowest .*, highest .*, latest .*incomplete/);
      assertStringIncludes(text, "Source: simulated");
      assertMatch(
        text,
        /Data through 2026-11-\d\d, read 2026-11-21 08:0\d UTC/,
      );
      assertEquals(
        text.includes("Checked: "),
        isChecked(name) || name in CHECKED_SERIES_OF,
      );
      assert(withClass(elements, "line")[1]!.attributes.d!.length > 100);
    });
  }
});

Deno.test("a chart of a chain without a published day says that no day is complete", async () => {
  using deps = await testDeps();
  const query = `chainId=${ANOMALY_CHAIN_IDS.never}&range=30d`;
  const { text } = await ask(deps, `txCount.svg?${query}`);
  assertMatch(text, /21 inferred days, dashed/);
  assertMatch(text, />No complete day, read 2026-11-21 08:0\d UTC, by Firn</);
});

Deno.test("a gap interrupts the line", async () => {
  using deps = await testDeps();
  const query = `chainId=${ANOMALY_CHAIN_IDS.missingWeek}&range=90d`;
  const { body } = await askMetrics(deps, query);
  assertEquals((body as MetricsAnswer).gaps.length, 1);
  const { elements } = await ask(deps, `txCount.svg?${query}`);
  const [dashed, solid] = withClass(elements, "line");
  assertEquals(runsOf(solid!.attributes.d), 2);
  assertEquals(runsOf(dashed!.attributes.d), 1);
  const [summary] = elements.filter(({ attributes: { id } }) =>
    id === "summary"
  );
  assertMatch(summary!.text, /\b1 gap\b/);
  const whole = await ask(deps, "txCount.svg?range=90d");
  assertEquals(runsOf(withClass(whole.elements, "line")[1]!.attributes.d), 1);
});

Deno.test("incomplete buckets are dashed and hollow", async () => {
  using deps = await testDeps();
  for (
    const [query, count] of [["range=30d", 1], ["range=all&interval=month", 1]]
  ) {
    const { body } = await askMetrics(deps, String(query));
    const { series } = body as MetricsAnswer;
    assertEquals(series.filter(({ complete }) => !complete).length, count);
    const { elements } = await ask(deps, `txCount.svg?${query}`);
    const [dashed] = withClass(elements, "line-incomplete");
    assertEquals(runsOf(dashed!.attributes.d), count);
    assertEquals(withClass(elements, "provisional").length, count);
  }
});

Deno.test("disputed days are ringed, with both values", async (t) => {
  using deps = await testDeps();
  await checkDaily(deps, 1);
  for (
    const [name, query] of [
      ["monthly-transactions", "interval=day"],
      ["transaction-fees", "interval=day&range=1y"],
      ["monthly-transactions", "from=2026-01-01&to=2026-06-30&interval=day"],
      ["txCount", "range=all&interval=day"],
      ["feesPaid", "range=1y&interval=day"],
    ] as const
  ) {
    await t.step(`${name} ${query}`, async () => {
      const series = isChecked(name) ? name : CHECKED_SERIES_OF[name]!;
      const { checks } = await askChecked(deps, `/${series}`, query);
      const { elements } = await ask(deps, `${name}.svg?${query}`);
      const words = withClass(elements, "disputed").map(({ text }) => text);
      assertEquals(
        words.map((text) => text.slice(0, 10)),
        checks.disputedDays.map(({ day }) => day),
      );
      checks.disputedDays.forEach(({ value, crossCheckValue }, index) => {
        for (const shown of [value, crossCheckValue]) {
          const whole = Math.floor(shown).toLocaleString("en-US");
          assertStringIncludes(words[index]!, whole);
        }
      });
    });
  }
  await t.step("a month names its disputed day", async () => {
    const { checks } = await askChecked(deps, "/monthly-transactions");
    const { elements } = await ask(deps, "monthly-transactions.svg");
    const words = withClass(elements, "disputed").map(({ text }) => text);
    assertEquals(words.length, checks.disputedDays.length);
    checks.disputedDays.forEach(({ day }, index) =>
      assertStringIncludes(words[index]!, day)
    );
  });
  await t.step(
    "a metric's months are those of its checked series",
    async () => {
      const rings = async (path: string) =>
        withClass((await ask(deps, path)).elements, "disputed");
      for (const metric of ["txCount", "feesPaid"] as const) {
        const own = await rings(`${metric}.svg?range=all&interval=month`);
        assert(own.length > 0);
        assertEquals(own, await rings(`${CHECKED_SERIES_OF[metric]}.svg`));
      }
    },
  );
});

Deno.test("GET /chart/{metric}.svg rejects the same queries as GET /metrics, as an image", async (t) => {
  using deps = await testDeps();
  const queries = [
    "range=2y",
    "interval=hour",
    "chainId=abc",
    "chainId=0",
    "from=2026-02-30",
    "from=2026-11-02&to=2026-11-01",
    "range=30d&from=2026-11-01",
    "from=2026-11-22",
    "to=2020-09-20",
    "chainId=999999999",
  ];
  for (const query of queries) {
    await t.step(query, async () => {
      const expected = await askMetrics(deps, query);
      const { status, response, elements } = await ask(
        deps,
        `txCount.svg?${query}`,
      );
      assertEquals(status, expected.status);
      const [summary] = elements.filter(({ name }) => name === "desc");
      assertEquals(summary!.text, expected.body.error);
      const { headers } = response;
      assertEquals(headers.get("Content-Type"), "image/svg+xml; charset=utf-8");
      assertEquals(headers.get("Cache-Control"), "no-store");
      assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    });
  }
  const others: [path: string, accepted: RegExp][] = [
    ["gas.svg", /metric "gas": expected one of txCount, .*validators$/],
    ["%3Cb%3E.svg", /metric "<b>": expected one of/],
    ["txCount.svg?metric=gasUsed", /expected one of range, from, to/],
    ["txCount.svg?format=csv", /expected one of/],
    [
      "validators.svg?interval=day",
      /expected one of range, from, to, theme, width, density, unfinished, upgrades, revisions$/,
    ],
    ["txCount.svg?chainId=1&chainId=1", /expected each chain once/],
    ["txCount.svg?chainId=1&chainId=x", /"x": expected an EVM chain id/],
    ["txCount.svg?base=7", /Invalid base "7": expected values=index beside it/],
    [
      "feesPaid.svg?chainId=43114&chainId=4337&values=total",
      /each chain has its own token; expected one of index, absolute, or metric txCount or gasUsed$/,
    ],
    ["block-production.svg?window=8", /expected one of 7, 30, 90/],
    ["transaction-fees.svg?interval=week", /expected one of month, day/],
  ];
  for (const [path, accepted] of others) {
    await t.step(path, async () => {
      const { status, elements } = await ask(deps, path);
      assertEquals(status, 400);
      const [summary] = elements.filter(({ name }) => name === "desc");
      assertMatch(summary!.text, accepted);
    });
  }
});

Deno.test("a chart is cached like its data and allows every origin", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const path = "/chart/txCount.svg?range=30d";
  const data = await app.request("/api/chain-data/metrics?range=30d");
  for (const turn of ["drawn", "warm"]) {
    const { headers, status } = await app.request(path);
    assertEquals(status, 200);
    for (const name of ["Cache-Control", "Last-Modified", "Vary"]) {
      assertEquals(
        headers.get(name),
        data.headers.get(name),
        `${name} ${turn}`,
      );
    }
    assertMatch(headers.get("ETag")!, /^"[\w-]{22}"$/);
    assertEquals(headers.get("Access-Control-Allow-Origin"), "*");
    assertEquals(headers.get("Cross-Origin-Resource-Policy"), "cross-origin");
    assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
    assertMatch(headers.get("Content-Security-Policy")!, /^default-src 'none'/);
  }
  const { headers } = await app.request(path);
  const ifNoneMatch = { "If-None-Match": headers.get("ETag")! };
  const again = await app.request(path, { headers: ifNoneMatch });
  assertEquals([again.status, await again.text()], [304, ""]);
  const head = await app.request(path, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
});

Deno.test("an unreachable source is a 503 with Retry-After, unless the request accepts stale data", async () => {
  using deps = await testDeps();
  const path = "txCount.svg?range=30d";
  assertEquals((await ask(deps, path)).status, 200);
  deps.advance(HOUR_MS + 1000);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const { response, status, elements } = await ask(deps, path);
  assertEquals(status, 503);
  assert(Number(response.headers.get("Retry-After")) > 0);
  const [summary] = elements.filter(({ name }) => name === "desc");
  assertMatch(summary!.text, /metrics\.test/);
  const stale = await ask(deps, path, {
    headers: { "Cache-Control": "max-stale" },
  });
  assertEquals(stale.status, 200);
  assert(Number(stale.response.headers.get("Age")) > HOUR_MS / 1000);
});

Deno.test("names and messages are escaped", async (t) => {
  const texts = [
    `<script>alert(1)</script>`,
    `"]]>&amp;'`,
    "\u0000\u001b[31m\ud800 \u202egnp.exe \ufffe",
    "𝔸valanche ❄️ ".repeat(40),
    "x".repeat(4000),
  ];
  for (const text of texts) {
    await t.step(JSON.stringify(text).slice(0, 40), async () => {
      const days = ["2026-11-01", "2026-11-02"];
      const drawn = chart(days, days.map((day) => point(day, 1)), {
        line: { chainName: text, source: text },
      });
      for (
        const picture of [
          chartDocument(drawn),
          chartOfError({ status: 400, message: text }),
        ]
      ) {
        const svg = String(await picture);
        const names = new Set(elementsOf(svg).map(({ name }) => name));
        assert(!names.has("script"));
        assert(svg.isWellFormed());
        // deno-lint-ignore no-control-regex
        assert(!/[\u0000-\u0008\u001b\u202e\ufffe]/.test(svg));
      }
    });
  }
});
