/** Charts over HTTP: drawing, caching and errors. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { askChart } from "../../support/charts/chart_requests.ts";
import { createApp } from "../../../routes/app.ts";
import {
  chartDocument,
  chartOfError,
} from "../../../routes/charts/chart_svg.ts";
import type { MetricsAnswer } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import {
  CHART_NAMES,
  CHECKED_CHART_NAMES,
  CHECKED_SERIES_OF,
  isChecked,
} from "../../../services/charts/charts_schema.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { askChecked } from "../../support/checked_answers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkedDeps } from "../../support/jobs.ts";
import {
  chart,
  elementsOf,
  point,
  withClass,
} from "../../support/charts/charts.ts";

async function askMetrics(deps: TestDeps, query: string) {
  const url = `/api/chain-data/metrics?${query}`;
  const response = await createApp(deps).request(url);
  return { status: response.status, body: await response.json() };
}

/** Returns the number of subpaths. */
const runsOf = (path: string | undefined) => path!.split("M").length - 1;

Deno.test("GET /chart/{name}.svg draws every metric and checked series, with title, source and date", async (t) => {
  using deps = await checkedDeps();
  for (const name of CHART_NAMES) {
    await t.step(name, async () => {
      const { response, status, text, elements } = await askChart(
        deps,
        `${name}.svg`,
      );
      assertEquals(status, 200, text);
      // Readers have 24 calls to the Metrics API a minute.
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

Deno.test("a chart of a chain without a published day says that its days are inferred, up to a week ago", async () => {
  using deps = await testDeps();
  const query = `chainId=${ANOMALY_CHAIN_IDS.never}&range=30d`;
  const { text } = await askChart(deps, `txCount.svg?${query}`);
  assertMatch(text, /21 inferred days, dashed/);
  assertMatch(
    text,
    />Data through 2026-11-12, read 2026-11-21 08:0\d UTC, by Firn</,
  );
});

Deno.test("a gap interrupts the line", async () => {
  using deps = await testDeps();
  const query = `chainId=${ANOMALY_CHAIN_IDS.missingWeek}&range=90d`;
  const { body } = await askMetrics(deps, query);
  assertEquals((body as MetricsAnswer).gaps.length, 1);
  const { elements } = await askChart(deps, `txCount.svg?${query}`);
  const [dashed, solid] = withClass(elements, "line");
  assertEquals(runsOf(solid!.attributes.d), 2);
  assertEquals(runsOf(dashed!.attributes.d), 0);
  const [summary] = elements.filter(({ attributes: { id } }) =>
    id === "summary"
  );
  assertMatch(summary!.text, /\b1 gap\b/);
  const whole = await askChart(deps, "txCount.svg?range=90d");
  assertEquals(runsOf(withClass(whole.elements, "line")[1]!.attributes.d), 1);
});

Deno.test("disputed days are ringed, with both values", async (t) => {
  using deps = await checkedDeps();
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
      const { elements } = await askChart(deps, `${name}.svg?${query}`);
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
    const { elements } = await askChart(deps, "monthly-transactions.svg");
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
        withClass((await askChart(deps, path)).elements, "disputed");
      for (const metric of ["txCount", "feesPaid"] as const) {
        const own = await rings(`${metric}.svg?range=all&interval=month`);
        assert(own.length > 0);
        assertEquals(own, await rings(`${CHECKED_SERIES_OF[metric]}.svg`));
      }
    },
  );
});

Deno.test("the picture of a checked series has the scale that the explorer offers and draws for it", async () => {
  using deps = await checkedDeps();
  const app = createApp(deps);
  const pageLines = async (query: string) => {
    // The address of the page has every choice.
    const { headers } = await app.request(`/?${query}`);
    const page = await app.request(headers.get("Location")!);
    return (await page.text()).match(/<path class="line[^>]*>/g);
  };
  for (const name of CHECKED_CHART_NAMES) {
    const lines = async (query: string) =>
      withClass((await askChart(deps, `${name}.svg${query}`)).elements, "line")
        .map(({ attributes: { d } }) => d);
    const linear = await lines("");
    assertEquals(await lines("?scale=linear"), linear, name);
    assertNotEquals(await lines("?scale=log"), linear, name);
    const onPage = await pageLines(`metric=${name}`);
    assert(onPage !== null, name);
    assertNotEquals(await pageLines(`metric=${name}&scale=log`), onPage, name);
  }
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

Deno.test("a complete bucket without neighbours is a dot, and others are none", () => {
  const axis = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"];
  const dotsOf = (...points: ReturnType<typeof point>[]) =>
    withClass(
      elementsOf(String(chartDocument(chart(axis, points)))),
      "line-alone",
    ).map(({ attributes }) => runsOf(attributes.d));
  const [first, second, third, last] = axis.map((day) => point(day, 5));
  assertEquals(dotsOf(first!, third!), [2]);
  assertEquals(dotsOf(first!, second!, last!), [1]);
  assertEquals(dotsOf(first!, second!), []);
  const open = point(axis[1]!, 5, { complete: false });
  assertEquals(dotsOf(first!, open), [1], "no line leads to an open bucket");
  assertEquals(dotsOf(open), [], "a ring shows it");
});
