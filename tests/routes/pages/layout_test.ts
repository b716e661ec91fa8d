/** The layout of every page: what its head says. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  type Assets,
  layout,
  NAV,
  type Page,
} from "../../../routes/pages/layout.ts";
import { html } from "hono/html";
import { unescape } from "../../support/outline.ts";

const ASSETS: Assets = {
  icon: "/icon.svg",
  styles: ["/a.css"],
  modules: ["/m.js", "/n.js"],
  imports: [],
};

const pageOf = (page: Partial<Page> = {}) =>
  String(layout({
    title: "A title",
    description: "Words",
    body: html`<h1>Body</h1>`,
    ...page,
  }, ASSETS));

const metasOf = (text: string) =>
  [...text.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)]
    .map(([, name, content]) => `${name}: ${content}`);

const EVERYWHERE = [
  "viewport: width=device-width, initial-scale=1",
  "description: Words",
  "og:site_name: Firn",
  "og:type: website",
  "og:title: A title",
  "og:description: Words",
  "color-scheme: light dark",
  "theme-color: #f7f9fb",
  "theme-color: #0c1318",
];

Deno.test("a page without URL and picture has a small preview, and no canonical link, facts or reload", () => {
  const text = pageOf();
  assertEquals(
    metasOf(text).toSorted(),
    [...EVERYWHERE, "twitter:card: summary"].toSorted(),
  );
  assertStringIncludes(text, "<title>A title · Firn</title>");
  assertEquals(
    /canonical|ld\+json|http-equiv|aria-current/.test(text),
    false,
  );
});

Deno.test("a page says its URL, its picture, that it is not indexed, and when it is loaded again", () => {
  const url = "https://firn.example/?a=1&b=2";
  const picture = "https://firn.example/p.png";
  const text = pageOf({ url, picture, isIndexed: false, refreshSeconds: 7 });
  assertEquals(
    metasOf(text).toSorted(),
    [
      ...EVERYWHERE,
      "robots: noindex",
      "og:url: https://firn.example/?a=1&amp;b=2",
      `og:image: ${picture}`,
      "og:image:type: image/png",
      "og:image:width: 1200",
      "og:image:height: 630",
      "og:image:alt: A title",
      "twitter:card: summary_large_image",
    ].toSorted(),
  );
  const [, canonical] = text.match(/<link rel="canonical" href="([^"]*)"/)!;
  assertEquals(unescape(canonical!), url);
  assertEquals(
    /<noscript><meta http-equiv="refresh"\s+content="7">/.test(text),
    true,
  );
  assertEquals(/noindex/.test(pageOf({ isIndexed: true })), false);
});

Deno.test("the navigation marks only the entry of the page", () => {
  for (const nav of Object.keys(NAV) as (keyof typeof NAV)[]) {
    const [part] = pageOf({ nav }).match(
      /<nav class="site-nav"[\s\S]*?<\/nav>/,
    )!;
    const links = [...part.matchAll(/<a href="([^"]*)"([^>]*)>([^<]*)/g)]
      .map(([, href, mark, label]) => ({ href, label, mark: mark!.trim() }));
    assertEquals(
      links,
      Object.entries(NAV).map(([name, entry]) => ({
        ...entry,
        mark: name === nav ? 'aria-current="page"' : "",
      })),
    );
  }
});

Deno.test("facts cannot end their block, and styles and modules come before the content", () => {
  const text = pageOf({ facts: { name: "</script><b>" } });
  const [, json] = text.match(/ld\+json">([^<]*)<\/script>/)!;
  assertEquals(JSON.parse(json!), {
    "@context": "https://schema.org",
    name: "</script><b>",
  });
  const order = ["/a.css", "/m.js", "/n.js", "<h1>Body"]
    .map((part) => text.indexOf(part));
  assertEquals(order, order.toSorted((one, other) => one - other));
  assertEquals(order.includes(-1), false);
});
