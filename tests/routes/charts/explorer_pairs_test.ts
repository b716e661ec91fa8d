/** No click in the explorer ends on an error: all pairs of its controls, and what cannot be combined. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { CHART_NAMES } from "../../../services/charts/charts_schema.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import {
  askExplorer as ask,
  hrefsOf,
  wordsOf,
} from "../../support/charts/explorer.ts";
import { testDeps } from "../../support/deps.ts";
import { buildDownloads, fill } from "../../support/chain_data/downloads.ts";
import { checkDaily, succeed } from "../../support/jobs.ts";

/** Every value that each control sends. */
const CONTROLS: Readonly<Record<string, readonly string[]>> = {
  metric: CHART_NAMES,
  chain: ["C-Chain · 43114", "beam", ""],
  compare: ["99", "43114"],
  range: ["30d", "90d", "1y", "all", "days"],
  interval: ["day", "week", "month"],
  window: ["7", "90"],
  values: ["absolute", "index", "share", "total"],
  base: ["first", "7", "day"],
  average: ["7", "30"],
  scale: ["linear", "log"],
  layout: ["together", "panels"],
  unfinished: ["show", "hide"],
  upgrades: ["hide"],
  revisions: ["hide"],
};

/** Lists all pairs of values of two controls, as queries. */
function pairs(): string[] {
  const names = Object.keys(CONTROLS);
  return names.flatMap((one, nth) =>
    names.slice(nth + 1).flatMap((two) =>
      CONTROLS[one]!.flatMap((a) =>
        CONTROLS[two]!.map((b) =>
          // Few days, because every page is rendered.
          String(
            new URLSearchParams({
              ...one !== "range" && two !== "range" && { range: "30d" },
              [one]: a,
              [two]: b,
            }),
          )
        )
      )
    )
  );
}

Deno.test("every pair of controls leads to a chart, with the choices that it cannot have in its form", async () => {
  using deps = await testDeps();
  await fill(deps);
  await checkDaily(deps, 1);
  const app = createApp(deps);
  const headers = { Accept: "text/html" };
  let kept = 0;
  const rendered = new Set<string>();
  for (const query of pairs()) {
    let path = `/?${query}`;
    const first = await app.request(path, { headers });
    await first.body?.cancel();
    if (first.status === 302) path = first.headers.get("Location")!;
    else assertEquals(first.status, 200, path);
    // Most pairs lead to a chart that another pair has shown.
    if (rendered.has(path)) continue;
    rendered.add(path);
    const page = await app.request(path, { headers });
    const text = await page.text();
    assertEquals(page.status, 200, `${query}: ${path}`);
    assert(
      /<svg class="chart"|There are no values|There is nothing to draw/
        .test(text),
      path,
    );
    const given = new URLSearchParams(query);
    if (text.includes('id="kept"')) kept++;
    if (
      given.get("interval") === "week" && given.get("metric") === "validators"
    ) {
      assertStringIncludes(text, 'type="hidden" name="interval" value="week"');
    }
  }
  assert(rendered.size > 150, `${rendered.size}`);
  assert(kept > 20, `${kept}`);
});

Deno.test("a choice that a chart cannot have is said beside the controls, and comes back with another chart", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const rows = [
    [
      "metric=block-production&chainId=4337&chainId=43114&range=30d",
      "exists for the C-Chain only",
      "chainId",
    ],
    [
      "metric=monthly-transactions&range=90d&interval=week",
      "has no weeks, so it is shown by month",
      "interval",
    ],
    [
      "metric=activeAddresses&chainId=4337&chainId=43114&range=30d&interval=day&values=share",
      "an address can be active on several chains",
      "values",
    ],
    [
      "metric=txCount&chainId=43114&range=30d&interval=day&values=total",
      "total needs several chains",
      "values",
    ],
    [
      "metric=txCount&chainId=43114&range=90d&interval=week&average=7",
      "A moving average needs days.",
      "average",
    ],
    [
      "metric=cumulativeTxCount&chainId=43114&range=90d&interval=day&average=7",
      "A running total has no moving average.",
      "average",
    ],
    [
      "metric=transaction-fees&range=90d&interval=day&average=7",
      "This series has no moving average, because it compares the values of two sources.",
      "average",
    ],
  ] as const;
  for (const [query, words, name] of rows) {
    const { response } = await ask(deps, `/?${query}`);
    const path = response.headers.get("Location") ?? `/?${query}`;
    const { status, text } = await ask(deps, path);
    assertEquals(status, 200, query);
    assertMatch(wordsOf(text).toLowerCase(), new RegExp(words.toLowerCase()));
    assertStringIncludes(text, '<svg class="chart"');
    const form = text.slice(text.indexOf("<form"), text.indexOf("</form>"));
    const value = new URLSearchParams(query).get(name)!;
    assertMatch(
      form,
      new RegExp(
        `name="${name}"[^>]*value="${value}"|value="${value}" (?:selected|checked)|name="${name}" value="${value}"`,
      ),
    );
  }
});

Deno.test("a mistake in a link keeps the chart, with the message above it", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const rows = [
    [
      "/?metric=gasUsed&range=30d&chain=beem",
      400,
      "Gas used on C-Chain",
      'Invalid chain "beem"',
    ],
    [
      "/?metric=gasUsed&range=2y&chainId=4337",
      400,
      "Gas used on Beam",
      'Invalid range "2y"',
    ],
    [
      "/?range=days&from=2026-11-10&to=2026-11-01",
      400,
      "Transactions on C-Chain",
      "Invalid from",
    ],
    [
      "/?metric=gasUsed&chainId=999&range=30d&interval=day",
      404,
      "Gas used on C-Chain",
      "999",
    ],
    [
      `/?metric=cumulativeAddresses&chainId=${ANOMALY_CHAIN_IDS.nullAddresses}&range=30d&interval=day`,
      200,
      "Transactions on",
      "Not indexed",
    ],
  ] as const;
  for (const [path, status, title, message] of rows) {
    const page = await ask(deps, path);
    assertEquals(page.status, status, path);
    const words = wordsOf(page.text);
    assertStringIncludes(words, message);
    assertStringIncludes(words, title);
    assertStringIncludes(page.text, '<svg class="chart"');
    assertStringIncludes(page.text, 'name="robots" content="noindex"');
  }
  const { text } = await ask(deps, "/?metric=gasUsed&range=30d&chain=beem");
  assert(hrefsOf(text).some((href) => href.includes("chainId=4337")));
});

Deno.test("tracking parameters are ignored by pages, pictures, embeds and files, and the API refuses them", async () => {
  using deps = await buildDownloads();
  const app = createApp(deps);
  const TRACKED = "utm_source=x&utm_campaign=y&fbclid=1&gclid=2&ref=hn&_=3";
  const paths = [
    "/?metric=txCount&chainId=43114&range=30d&interval=day",
    "/chains",
    "/chains/43114",
    "/disputes",
    "/revisions",
    "/status",
    "/docs",
    "/docs/limits",
    "/downloads",
    "/downloads/index.json",
    "/downloads/txCount-2026.csv.gz",
    "/charts/txCount",
    "/days/txCount/43114/2026-11-04",
    "/tools/score",
    `/tools/score/${exampleOf("ordinary")}`,
    `/profiles/${exampleOf("ordinary")}`,
    "/chart/txCount.svg?range=30d",
    "/chart/validators.svg?range=30d",
    "/chart/txCount.csv?range=30d",
    "/embed/chart/txCount?range=30d",
    "/card/chain/43114.png",
  ];
  for (const path of paths) {
    const given = `${path}${path.includes("?") ? "&" : "?"}${TRACKED}`;
    let response = await app.request(given);
    await response.body?.cancel();
    if (response.status === 302) {
      response = await app.request(response.headers.get("Location")!);
      await response.body?.cancel();
    }
    assertEquals(response.status, 200, given);
  }
  const refused = await app.request(`/api/chain-data/metrics?${TRACKED}`);
  assertEquals(refused.status, 400);
  await refused.body?.cancel();
});

Deno.test("an unknown parameter of a picture, embed or file is named by it, and refused by a frozen link and by the API", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const app = createApp(deps);
  for (
    const path of [
      "/chart/txCount.svg",
      "/chart/validators.svg",
      "/embed/chart/txCount",
    ]
  ) {
    const response = await app.request(`${path}?range=30d&x-color=red`);
    assertEquals(response.status, 200, path);
    assertStringIncludes(await response.text(), "unknown parameter x-color");
    const plain = await app.request(`${path}?range=30d`);
    assert(!(await plain.text()).includes("unknown parameter"));
  }
  const file = await app.request("/chart/txCount.csv?range=30d&x-color=red");
  assertEquals(file.status, 200);
  await file.body?.cancel();
  assertStringIncludes(
    file.headers.get("Content-Disposition")!,
    "-unknown-parameter-x-color.csv",
  );
  const picture = await app.request("/chart/txCount.png?range=30d&x-color=red");
  assertEquals(picture.status, 200);
  await picture.body?.cancel();
  for (
    const path of [
      "/chart/txCount.svg",
      "/embed/chart/txCount",
      "/chart/txCount.csv",
    ]
  ) {
    const frozen = await app.request(
      `${path}?from=2026-10-01&to=2026-11-01&asOf=2026-11-21T07:00:00Z&x-color=red`,
    );
    assertEquals(frozen.status, 400, path);
    assertStringIncludes(await frozen.text(), "x-color");
  }
  const api = await app.request(
    "/api/chain-data/metrics?range=30d&x-color=red",
  );
  assertEquals(api.status, 400);
  await api.body?.cancel();
});
