/** The search of the documentation, and the links of all pages. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { GUIDE_SLUGS } from "../../../routes/docs/guides.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";
import { get, getText } from "../../support/docs_pages.ts";

const PUBLIC_URL = "https://firn.test";

Deno.test("/docs/search finds sections, codes, settings and endpoints, best first", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const cases: [query: string, href: string][] = [
    ["avgTps", "/docs/quick-start-chain-data#avgTps"],
    ["quota exceeded", "/docs/errors#QUOTA_EXCEEDED"],
    ["KV_PATH", "/docs/self-hosting#KV_PATH"],
    ["POST /api/v1/score/batch", "/docs/reference/scores#postBatch"],
    ["verifing attestaton", "/docs/attestations"],
    ["sybil", "/docs/terms#sybil"],
    ["pagination", "/docs/terms#pagination"],
    ["rate limit", "/docs/terms#rate-limit"],
    ["ENS", "/docs/terms#ens-and-other-names"],
    ["TVL", "/docs/terms#tvl-and-prices"],
  ];
  for (const [query, href] of cases) {
    const page = await getText(
      app,
      `/docs/search?q=${encodeURIComponent(query)}`,
    );
    const [, hits] = /<ol class="docs-hits">(.*?)<\/ol>/s.exec(page) ?? [];
    const found = [...(hits ?? "").matchAll(/href="([^"]*)"/g)];
    assertEquals(found[0]?.[1], href, query);
  }
  assertMatch(
    await getText(app, "/docs/search?q=%3Cscript%3Exyzzy"),
    /Results for “&lt;script&gt;xyzzy”.*Nothing was found/s,
  );
  assertMatch(await getText(app, "/docs/search"), /Type a word/);
  const long = await getText(app, `/docs/search?q=${"a".repeat(500)}`);
  assert(!long.includes("a".repeat(101)));
});

Deno.test("every place of the search index exists on its page", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const response = await app.request("/docs/search.json");
  const { places }: { places: { href: string }[] } = await response.json();
  assert(places.length > 200, `${places.length}`);
  const pages = new Map<string, string>();
  for (const { href } of places) {
    const [path, id] = href.split("#") as [string, string | undefined];
    const page = pages.get(path) ?? await getText(app, path);
    pages.set(path, page);
    if (id !== undefined) assert(page.includes(`id="${id}"`), href);
  }
});
/** The pages of chains have the same links, so the C-Chain's page stands for all. Pictures have tests of their own. */
const ALIKE = /^\/chains\/(?!43114$)|^\/chart\/.*\.png$/;

Deno.test("every internal link leads to a page and every fragment to an anchor", async () => {
  using deps = await testDeps({
    settings: { PUBLIC_URL, METRICS_CALLS_PER_MINUTE: "800" },
  });
  const app = createApp(deps);
  const waiting = new Set(["/", "/docs", "/status", "/tools/score"]);
  waiting.add(`/tools/score/${exampleOf("heavy")}`);
  const pages = new Map<string, string>();
  const dead: string[] = [];
  const anchors: [from: string, path: string, id: string][] = [];
  for (const path of waiting) {
    // First reads are limited, and there are more metrics than calls in a minute.
    deps.advance(1_000);
    const response = await get(app, path);
    const moved = response.headers.get("Location");
    if (moved !== null) waiting.add(moved);
    else if (response.status !== 200) dead.push(`${path}: ${response.status}`);
    const isPage = response.headers.get("Content-Type")?.includes("html");
    const text = await response.text();
    if (!isPage) continue;
    pages.set(path, text);
    for (const [, quoted] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const url = new URL(
        quoted!.replaceAll("&amp;", "&"),
        `${PUBLIC_URL}${path}`,
      );
      if (url.origin !== PUBLIC_URL || ALIKE.test(url.pathname)) continue;
      waiting.add(`${url.pathname}${url.search}`);
      if (url.hash !== "") {
        anchors.push([path, `${url.pathname}${url.search}`, url.hash.slice(1)]);
      }
    }
  }
  assertEquals(dead, []);
  const lost = anchors.filter(([, path, id]) =>
    !pages.get(path)?.includes(`id="${id}"`)
  );
  assertEquals(lost, []);
  assert(pages.size > GUIDE_SLUGS.length + 10);
});
