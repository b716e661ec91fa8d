/** The search of the documentation, and the links of all pages. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { GUIDE_SLUGS } from "../../../routes/docs/guides.ts";
import { testDeps } from "../../support/deps.ts";
import { getText, walkLinks } from "../../support/docs_pages.ts";

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
    const [, hits] = /<ol class="[^"]*docs-hits">(.*?)<\/ol>/s.exec(page) ?? [];
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

Deno.test("every internal link leads to a page and every fragment to an anchor, four links of each kind", async () => {
  const { dead, lost, pages } = await walkLinks({ ofAKind: 4 });
  assertEquals([dead, lost], [[], []]);
  assert(pages > GUIDE_SLUGS.length + 100, `${pages} pages`);
});
