/** The page of each metric: its answer, its ranking, and where it is found. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { appOf } from "../../support/app.ts";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { wordsOf } from "../../support/charts/explorer.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { putSeries } from "../../support/series.ts";

const DAYS = 20;

/** Chains whose values are their id times 1 to 20; the newest complete day has 19 times it. */
async function swept(): Promise<TestDeps> {
  const deps = await testDeps();
  await sweep(deps, {
    chains: { 43114: "C-Chain", 7: "Seven", 8: "Eight" },
    published: Date.parse("2026-11-20") / 864e5,
    valuesOf: (chainId) => ({
      from: "2026-11-01",
      values: Array.from({ length: DAYS }, (_, nth) => chainId * (nth + 1)),
    }),
  });
  return deps;
}

async function pageOf(deps: TestDeps, metric: string) {
  const response = await appOf(deps).request(`/charts/${metric}`, {
    headers: { Accept: "text/html" },
  });
  return { status: response.status, text: await response.text() };
}

const leadersIn = (page: string) =>
  [...page.matchAll(/<li value="(\d+)">([\s\S]*?)<\/li>/g)]
    .map(([, rank, item]) => [rank, ...wordsOf(item!).trim().split(" ")]);

Deno.test("/charts/{metric} answers what people search for: figure, day, proof and ranking", async () => {
  using deps = await swept();
  const { status, text } = await pageOf(deps, "txCount");
  assertEquals(status, 200);
  const title = "Avalanche transactions per day: C-Chain and L1s";
  assertStringIncludes(text, `<h1>${title}</h1>`);
  assertStringIncludes(text, `<title>${title} · Firn</title>`);
  assertStringIncludes(
    wordsOf(text),
    "Transactions of the C-Chain on 2026-11-19 : 819,166 transactions , +77.78 % in the last seven days",
  );
  assertStringIncludes(
    wordsOf(text),
    `On 3 of 3 chains together: ${
      (19 * (43114 + 15)).toLocaleString("en")
    } transactions .`,
  );
  assertEquals(leadersIn(text), [
    ["1", "C-Chain", "819,166"],
    ["2", "Eight", "152"],
    ["3", "Seven", "133"],
  ]);
  assertStringIncludes(text, 'class="badge');
  assertStringIncludes(
    text,
    '<link rel="canonical" href="http://localhost:8000/charts/txCount">',
  );
  // Addresses of several chains do not add up.
  const addresses = await pageOf(deps, "activeAddresses");
  assert(!wordsOf(addresses.text).includes("together"));
  assertEquals((await pageOf(deps, "gas")).status, 400);
});

Deno.test("the pages of metrics rank nothing while a chain is unread, nor amounts in different tokens", async () => {
  using deps = await swept();
  const fees = await pageOf(deps, "feesPaid");
  assertEquals(leadersIn(fees.text), []);
  assertStringIncludes(fees.text, "Each chain has its own token");
  using unread = await testDeps();
  await sweep(unread, {
    chains: { 43114: "C-Chain", 7: "Seven" },
    metrics: ["txCount"],
    valuesOf: () => ({ from: "2026-11-01", values: Array(DAYS).fill(5) }),
  });
  const subject = { subject: 43114, metric: "gasUsed" } as const;
  await putSeries(unread, subject, { from: "2026-11-01", values: [5] });
  const { text } = await pageOf(unread, "gasUsed");
  assertEquals(leadersIn(text), []);
  assertStringIncludes(wordsOf(text), "1 of 2 chains are read so far");
});

Deno.test("each metric has one page, which the sitemap lists and the others link, with a title of its own", async () => {
  using deps = await swept();
  const sitemap = await (await appOf(deps).request("/sitemap.xml")).text();
  const titles = new Set<string>();
  for (const metric of METRIC_NAMES) {
    assertStringIncludes(sitemap, `/charts/${metric}</loc>`);
    const { text } = await pageOf(deps, metric);
    titles.add(text.match(/<title>([^<]*)/)![1]!);
    for (const other of METRIC_NAMES) {
      assertEquals(text.includes(`href="/charts/${other}"`), other !== metric);
    }
  }
  assertEquals(titles.size, METRIC_NAMES.length);
});
