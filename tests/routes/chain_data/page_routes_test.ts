/** The pages under `/chains`: what they show, sort, filter and keep. */
import { coverageOf } from "../../../services/chain_data/catalogue/chains_schema.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { gzipSync } from "node:zlib";
import { createApp } from "../../../routes/app.ts";
import { renderPage } from "../../../routes/pages/page.ts";
import { chainPage } from "../../../routes/chain_data/one_chain_page.ts";
import { chainsPage } from "../../../routes/chain_data/all_chains_page.ts";
import {
  overviewOf,
  standingOf,
} from "../../../services/chain_data/overview/overview.ts";
import {
  type Overview,
  OverviewQuery,
} from "../../../services/chain_data/overview/overview_schema.ts";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import { indexSeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import {
  makeOverview,
  readOverview,
} from "../../../services/downloads/read_overview.ts";
import { seriesOf } from "../../../services/chain_data/series/series.ts";
import { formatDay, parseDay } from "../../../services/platform/days.ts";
import { buildDownloads, fill } from "../../support/chain_data/downloads.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { rowsOf } from "../../support/charts/explorer.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { succeed } from "../../support/jobs.ts";
import { putSeries } from "../../support/series.ts";

const SPOOFED = `<img src=x>\u202eniahC`;

/** Chains with 100, 200, 300 … transactions a day, one of them 9 days late. */
async function swept(): Promise<TestDeps> {
  const deps = await testDeps();
  const names = { 43114: "C-Chain", 7: "Seven", 8: "Eight", 9: SPOOFED };
  await sweep(deps, {
    chains: names,
    metrics: ["txCount", "gasUsed"],
    published: Math.floor(Date.parse("2026-11-20") / 864e5),
    valuesOf: (chainId, metric) => ({
      from: chainId === 9 ? "2026-10-23" : "2026-11-01",
      values: Array.from(
        { length: 20 },
        (_, nth) =>
          metric === "gasUsed" && nth === 9
            ? null
            : (chainId === 43114 ? 1000 : chainId) * (100 + nth) *
              (metric === "gasUsed" ? 1e9 : 1),
      ),
    }),
  });
  return deps;
}

/** Returns the names of the table's chains, in order. */
function namesIn(html: string): string[] {
  return [...html.matchAll(/<th scope="row">.*?<bdi>(.*?)<\/bdi>/gs)]
    .map(([, name]) => name!.replace(/<[^>]*>/g, ""));
}

Deno.test("/chains sorts and filters by its parameters, without a script", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const ask = async (query: string) =>
    namesIn(await (await app.request(`/chains${query}`)).text());
  const [first, nine] = ["C-Chain", "&lt;img src=x&gt;niahC"];
  assertEquals(await ask(""), [first, "Eight", "Seven", nine]);
  assertEquals(await ask("?sort=transactions"), [
    "Seven",
    "Eight",
    first,
    nine,
  ]);
  assertEquals(await ask("?sort=name"), [nine, first, "Eight", "Seven"]);
  assertEquals(await ask("?q=EI"), ["Eight"]);
  assertEquals(await ask("?q=7&sort=-age"), ["Seven"]);
  assertEquals(await ask("?state=served&q=chain"), [first]);
  assertEquals(await ask("?state=stopped"), []);
  assertEquals(await ask("?state=&utm_source=x&q=nowhere"), []);
  const refused = await app.request("/chains?sort=size");
  assertEquals(refused.status, 400);
  assertStringIncludes(
    (await refused.json()).error,
    `Invalid sort "size": expected one of name, -name,`,
  );
  const state = await app.request("/chains?state=foo");
  assertEquals(state.status, 400);
  assertStringIncludes(
    (await state.json()).error,
    `Invalid state "foo": expected one of `,
  );
});

Deno.test("/chains shows the figures of the release, which are also served as files", async () => {
  using deps = await testDeps();
  await fill(deps);
  const app = createApp(deps);
  const before = await (await app.request("/chains")).text();
  assertStringIncludes(
    before,
    "The files appear when all series have been read.",
  );
  assert(!before.includes("contentUrl"), "search engines are told of no file");
  await succeed(deps, "build-downloads");
  deps.advance(60_000);
  const page = await (await app.request("/chains")).text();
  const file = await app.request("/downloads/chains-overview.json");
  const overview: Overview = await file.json();
  assertEquals(overview.day, "2026-11-19");
  assertEquals(overview.chains.length, 3);
  assertStringIncludes(page, "contentUrl");
  assertStringIncludes(page, `${overview.countedChainCount} of 3 chains`);
  const beam = overview.chains.find(({ chainId }) => chainId === 4337)!;
  assertStringIncludes(page, beam.txCount!.toLocaleString("en-US"));
  const list = await (await app.request("/downloads/index.json")).json();
  const names = list.files.map(({ name }: { name: string }) => name);
  for (const ending of ["csv.gz", "ndjson.gz", "parquet", "json"]) {
    assert(names.includes(`chains-overview.${ending}`), ending);
  }
});

Deno.test("coverage and proof are the same on /chains, a chain's page, in its API and in the next file", async () => {
  using deps = await buildDownloads();
  const app = createApp(deps);
  const listStopped = async () => {
    deps.advance(60_000);
    return namesIn(await (await app.request("/chains?state=stopped")).text());
  };
  assertEquals(await listStopped(), []);
  const { series } = (await deps.store.series.find({
    subject: 4337,
    metric: "txCount",
  }))!;
  const last = parseDay("2026-11-05");
  const values = [...series.values];
  const ended = values.slice(0, last - series.firstDay + 1);
  const from = formatDay(series.firstDay);
  await putSeries(deps, { subject: 4337, metric: "txCount" }, {
    from,
    values: ended,
  });
  await putSeries(deps, indexSeriesId(4337, "txCount"), { from, values });
  assertEquals(await listStopped(), ["Beam L1"]);
  const all = await (await app.request("/chains?q=4337")).text();
  const page = await (await app.request("/chains/4337")).text();
  for (const html of [all, page]) {
    assertMatch(
      html,
      /source stopped\s+<span class="nowrap">since 2026-11-06</,
    );
  }
  assertMatch(all, /Agree 100 %/);
  assertMatch(page, /Two sources agree on 100 % of/);
  deps.advance(3_600_000);
  const { chains } = await (await app.request("/api/chain-data/chains")).json();
  const { coverage, proof, agreementPct } = chains.find((
    { chainId }: { chainId: number },
  ) => chainId === 4337);
  assertEquals([coverage.state, coverage.since], ["stopped", "2026-11-06"]);
  assertEquals([proof, agreementPct], ["agree", 100]);
  const { overview } = await readOverview(deps);
  const tracked = (await deps.store.chains.find())!.chains;
  const made = await makeOverview(deps, tracked, {
    publishedDay: parseDay("2026-11-20"),
    today: parseDay("2026-11-21"),
  });
  const summaryOf = ({ chains }: Overview) => {
    const { state, since, proof } = chains.find(({ chainId }) =>
      chainId === 4337
    )!;
    return { state, since, proof };
  };
  assertEquals(summaryOf(made), {
    state: "stopped",
    since: "2026-11-06",
    proof: "agree",
  });
  assertEquals(summaryOf(overview), summaryOf(made));
});

Deno.test("/chains and the page of a chain are cited with their release, and are each a Dataset whose files answer", async () => {
  using deps = await buildDownloads();
  const app = createApp(deps);
  const index = await (await app.request("/downloads/index.json")).json();
  const found = { "/chains": 3, "/chains/4337": METRIC_NAMES.length };
  for (const [path, files] of Object.entries(found)) {
    const page = await (await app.request(path)).text();
    assertStringIncludes(page, "@misc{firn-2026-11-21");
    assertStringIncludes(page, `url = {${deps.publicUrl}${path}}`);
    assertStringIncludes(page, `SHA-256 ${index.release.manifestSha256}`);
    const [, json] = page.match(/application\/ld\+json">([^<]*)/)!;
    const data = JSON.parse(json!);
    assertEquals([data["@type"], data.url], ["Dataset", deps.publicUrl + path]);
    assertEquals(data.distribution.length, files);
    for (const { contentUrl, encodingFormat } of data.distribution) {
      const file = await app.request(contentUrl.slice(deps.publicUrl.length));
      await file.body?.cancel();
      assertEquals(file.status, 200, contentUrl);
      const type = file.headers.get("Content-Type")!;
      assert(type.startsWith(encodingFormat), `${contentUrl} is ${type}`);
    }
  }
});

Deno.test("/chains is rendered once, and repeated as bytes with the headers of a page", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const first = await app.request("/chains");
  await first.body?.cancel();
  const etag = first.headers.get("ETag")!;
  await deps.store.series.remove({ subject: 7, metric: "txCount" });
  const ask = () =>
    app.request("/chains", { headers: { "If-None-Match": etag } });
  const again = await ask();
  assertEquals(again.status, 304);
  for (const { headers } of [first, again]) {
    assertMatch(
      headers.get("Content-Security-Policy")!,
      /default-src 'none'; script-src 'self'/,
    );
    assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
    assertEquals(headers.get("Cache-Control"), "no-cache");
  }
  // A minute later it is rendered anew.
  deps.advance(60_000);
  const later = await ask();
  assertEquals(later.status, 200);
  assertStringIncludes(await later.text(), "not read yet");
  // Nothing is known of a chain that was not read: not even that it has no day.
  const page = await (await app.request("/chains/7")).text();
  const facts = page.slice(page.indexOf('<dl class="facts"'));
  assertEquals(facts.match(/<dd>not read yet<\/dd>/g)?.length, 2);
});

Deno.test("/chains/{chainId} shows every metric, and says which are missing", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const html = await (await app.request("/chains/7")).text();
  for (const metric of METRIC_NAMES) {
    assertStringIncludes(html, `href="/?metric=${metric}&amp;chainId=7"`);
  }
  assertEquals(html.match(/Not read yet/g)?.length, METRIC_NAMES.length - 2);
  assertEquals(html.match(/class="spark"/g)?.length, 2);
  // The line of gas breaks at the missing day, which also prevents a change.
  assertStringIncludes(html, "a day of the two weeks is missing");
  const paths = [...html.matchAll(/class="spark"[^]*?<path\s+d="([^"]*)"/g)]
    .map(([, path]) => path!.split("M").length - 1);
  assertEquals(paths, [1, 2]);
  const refusals = [["/chains/999", 404], ["/chains/x", 400]] as const;
  for (const [path, status] of refusals) {
    const refused = await app.request(path);
    assertEquals(refused.status, status, path);
    await refused.body?.cancel();
  }
});

Deno.test("the page of a chain has the rank and the share of /chains, before a release and after it", async () => {
  const standsAs = async (deps: TestDeps, chainId: number, name: string) => {
    const app = createApp(deps);
    const all = rowsOf(await (await app.request("/chains")).text());
    const row = all.find((cells) => cells[1]!.includes(name))!;
    const page = await (await app.request(`/chains/${chainId}`)).text();
    const words = page.replace(/<[^>]*>/g, "").replace(/\s+/g, " ");
    const [, rank, count, share] = words
      .match(/Rank (\d+) of (\d+) by transactions on [\d-]+, (\S+ %) of all/)!;
    assertEquals(rank, row[0]);
    assert(row.includes(share!), `${share} is not in ${row}`);
    return { rank, count };
  };
  {
    using deps = await swept();
    // The ninth chain is nine days late, so it has no value of the day.
    assertEquals(await standsAs(deps, 7, "Seven"), { rank: "3", count: "3" });
  }
  using deps = await buildDownloads();
  await standsAs(deps, 4337, "Beam L1");
});

Deno.test("the page of a chain counts the read chains as /chains does, also when one is unread after the release", async () => {
  using deps = await testDeps();
  await fill(deps);
  await succeed(deps, "build-downloads");
  await deps.store.series.remove({ subject: 99, metric: "txCount" });
  const app = createApp(deps);
  for (const path of ["/chains", "/chains/4337"]) {
    const page = await (await app.request(path)).text();
    assertStringIncludes(page, "2 of 3 chains are read so far");
  }
});

Deno.test("the page of a chain is a 503 before the list of chains is read", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request("/chains/43114");
  assertEquals(response.status, 503);
  assertEquals(response.headers.get("Retry-After"), "60");
  assertMatch((await response.json()).error, /has not been read yet/);
});

Deno.test("/chains stays below 100 kB compressed with 300 chains, and a chain's page below 20 kB", async () => {
  const day = 20_000;
  const chains = Array.from({ length: 300 }, (_, nth) => ({
    chain: {
      chainId: nth === 0 ? 43114 : 1_000_003 * nth % 999_983,
      chainName: `Chain of number ${nth * 7919 % 1009}`,
      token: `T${nth}`,
      blockchainId: "b",
      subnetId: "s",
    },
    coverage: coverageOf("late", "2024-10-04"),
    check: null,
    txCount: seriesOf(Array.from({ length: 60 }, (_, slot) => ({
      day: day - slot,
      value: (nth + 3) * 7919 * (slot + 5) % 99_991,
    }))),
  }));
  const moment = { publishedDay: day, today: day + 1 };
  const overview = overviewOf(chains, moment);
  const query = OverviewQuery.parse({});
  const publicUrl = "https://firn.test";
  const retrievedOn = "2026-11-21";
  const bytesOf = async (page: Parameters<typeof renderPage>[0]) =>
    gzipSync(String(await renderPage(page))).byteLength;
  const all = await bytesOf(
    chainsPage({
      overview,
      checks: new Map(),
      release: null,
      query,
      publicUrl,
      retrievedOn,
    }),
  );
  assert(all < 100_000, `${all} bytes`);
  const { chain, txCount: series } = chains[0]!;
  const recent = Array.from(
    { length: 90 },
    (_, slot) => series.values.at(slot - 90) ?? null,
  );
  const one = await bytesOf(chainPage({
    chain,
    summary: overview.chains[0]!,
    check: null,
    from: "2024-01-01",
    to: "2024-03-30",
    metrics: METRIC_NAMES.map((metric) => ({
      metric,
      isLacking: false,
      day: "2024-03-30",
      value: series.values.at(-1)!,
      changePct: 12.34,
      noChange: null,
      recent,
    })),
  }, {
    publicUrl,
    cited: { release: null, retrievedOn },
    standing: standingOf(overview, chain.chainId),
  }));
  assert(one < 20_000, `${one} bytes`);
});

Deno.test("/chains shows any metric over a day, a week or a month, ranked, and every link and form keeps the choice", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const ask = async (query: string) =>
    await (await app.request(`/chains${query}`)).text();
  const cellsOf = (page: string) =>
    rowsOf(page).map(([rank, name, , value]) => [
      rank,
      name!.split(/\s/)[0],
      value!.replace(/\D+$/, ""),
    ]);
  // The newest complete day is the 19th, the nineteenth of the series.
  const week = await ask("?metric=gasUsed&period=week&q=&state=");
  const sum = (chain: number) =>
    Array.from({ length: 7 }, (_, nth) => chain * (112 + nth))
      .reduce((a, b) => a + b).toLocaleString("en-US");
  assertEquals(cellsOf(week).slice(0, 3), [
    ["1", "C-Chain", sum(1000)],
    ["2", "Eight", sum(8)],
    ["3", "Seven", sum(7)],
  ]);
  assertStringIncludes(week, "Gas used, total of the 7 days to 2026-11-19");
  assertStringIncludes(week, ">Gas used, Ggas<");
  const metric = await (await app.request("/charts/gasUsed")).text();
  assertMatch(metric, /together:\s*<strong>119,770 Ggas<\/strong>/);
  assertMatch(metric, /Chains by gas used, in Ggas/);
  // The month lacks days, so it has no total and no rank.
  const month = await ask("?metric=gasUsed&period=month");
  assertEquals(
    cellsOf(month).map(([rank, , value]) => [rank, value]),
    Array(4).fill(["–", ""]),
  );
  const links = [...week.matchAll(/<thead>[\s\S]*<\/thead>/g)][0]![0]
    .match(/href="[^"]*"/g)!;
  for (const link of links) {
    assertStringIncludes(link, "metric=gasUsed&amp;period=week");
  }
  for (const chosen of ['value="gasUsed" selected', 'value="week" selected']) {
    assertStringIncludes(week, chosen);
  }
  assertStringIncludes(week, 'name="metric" value="gasUsed"');
  // The ranks are those of all chains, also below a search and upside down.
  assertEquals(cellsOf(await ask("?metric=gasUsed&q=seven")), [
    ["3", "Seven", "826"],
  ]);
  assertEquals(
    cellsOf(await ask("?sort=value")).map(([rank]) => rank),
    ["3", "2", "1", "–"],
  );
});

Deno.test("/chains ranks and shares nothing while a chain is unread, and no amounts in different tokens", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const ask = async (query: string) =>
    await (await app.request(`/chains${query}`)).text();
  const ranksIn = (page: string) => rowsOf(page).map(([rank]) => rank);
  const days = { from: "2026-11-01", values: Array(20).fill(5) };
  for (const subject of [43114, 7, 8]) {
    await putSeries(deps, { subject, metric: "feesPaid" }, days);
    await putSeries(deps, { subject, metric: "avgTps" }, days);
  }
  const unread = await ask("?metric=avgTps");
  assertStringIncludes(
    unread,
    "3 of 4 chains are read so far, so none is ranked",
  );
  assertEquals(new Set(ranksIn(unread)), new Set(["–"]));
  await putSeries(deps, { subject: 9, metric: "feesPaid" }, days);
  await putSeries(deps, { subject: 9, metric: "avgTps" }, days);
  deps.advance(120_000);
  assertEquals(ranksIn(await ask("?metric=avgTps")).slice(0, 3), [
    "1",
    "1",
    "1",
  ]);
  const fees = await ask("?metric=feesPaid");
  assertStringIncludes(fees, "Each chain has its own token");
  // Tokens do not add up, so there is no share.
  const headsIn = (page: string) =>
    [...page.matchAll(/<th scope="col"[^>]*>([\s\S]*?)<\/th>/g)]
      .map(([, cell]) => cell!.replace(/<[^>]*>/g, "").trim());
  assertEquals(headsIn(fees).includes("Share"), false);
  assertEquals(new Set(rowsOf(fees).map((row) => row.length)), new Set([7]));
  assertEquals(headsIn(await ask("?metric=gasUsed")).includes("Share"), true);
  assertEquals(new Set(ranksIn(fees)), new Set(["–"]));
});
