/** The layout of documentation pages, their index, and the page of search results. */
import { assertEquals } from "@std/assert";
import { html } from "hono/html";
import {
  docsHome,
  type DocsPage,
  docsPage,
  searchForm,
  searchResults,
} from "../../../routes/docs/docs_page.ts";
import { outlineOf } from "../../support/outline.ts";

const link = (name: string) => ({ href: `/docs/${name}`, label: name });

function shown(more: Partial<DocsPage> = {}) {
  const { body, ...head } = docsPage({
    title: "Limits",
    description: "About limits",
    url: "https://firn.example/docs/limits",
    path: "/docs/limits",
    groups: [
      { title: "Start", links: [link("start")] },
      { title: "More", links: [link("limits"), link("errors")] },
    ],
    body: html`<h1>Limits</h1>`,
    ...more,
  });
  return { head, lines: outlineOf(String(body), /^docs-(contents|trail)/) };
}

Deno.test("a page of the documentation has its search, its trail and its navigation", () => {
  assertEquals(shown().lines, [
    "input[name=q value]",
    "button Search",
    "ul[hidden]",
    "p.docs-trail [href=/docs]Docs / Limits",
    "h1 Limits",
    "p Start",
    "li [href=/docs/start]start",
    "p More",
    "li [href=/docs/limits aria-current=page]limits",
    "li [href=/docs/errors]errors",
  ]);
  assertEquals(shown().head, {
    title: "Limits",
    description: "About limits",
    url: "https://firn.example/docs/limits",
    nav: "docs",
    styles: ["docs.css"],
    modules: ["copy.js", "tabs.js", "docs_search.js"],
    isIndexed: true,
  });
  const facts = { "@type": "WebAPI" };
  const { head } = shown({ isIndexed: false, facts });
  assertEquals([head.isIndexed, head.facts], [false, facts]);
});

Deno.test("a page of the documentation lists its sections from two on, and its source if it has one", () => {
  const plain = shown().lines;
  const added = (more: Partial<DocsPage>) =>
    shown(more).lines.filter((line) => !plain.includes(line));
  assertEquals(added({ contents: [link("a")] }), []);
  assertEquals(added({ contents: [link("a"), link("b")] }), [
    "nav.docs-contents",
    "p On this page",
    "li [href=/docs/a]a",
    "li [href=/docs/b]b",
  ]);
  assertEquals(added({ markdown: "/docs/limits.md" }), [
    "p.docs-trail [href=/docs]Docs / Limits [href=/docs/limits.md]View as Markdown",
  ]);
  assertEquals(added({ query: "quota" }), [
    "input[name=q value=quota]",
  ]);
  const home = shown({ path: "/docs" }).lines;
  assertEquals(home.some((line) => line.includes("docs-trail")), false);
});

Deno.test("the index of the documentation has each guide and each tag with its description", () => {
  const card = (name: string) => ({ ...link(name), description: `On ${name}` });
  const page = docsHome({
    groups: [{ title: "Guides", guides: [card("one"), card("two")] }],
    tags: [card("three")],
  });
  assertEquals(outlineOf(String(page)), [
    "h1 Documentation",
    "p Two JSON APIs over HTTP: chain data without a key, and wallet scores with an API key. You can run every example as it is.",
    "p [href=/docs/quick-start-chain-data]Get chain data [href=/docs/quick-start-scores]Get a score [href=/docs/reference]Reference",
    "h2 Guides",
    "li [href=/docs/one]one On one",
    "li [href=/docs/two]two On two",
    "h2 Reference",
    "li [href=/docs/three]three On three",
    "p Machine-readable: [href=/openapi.json]OpenAPI 3.1, [href=/llms.txt]llms.txt, and each guide as Markdown: add .md to its URL.",
  ]);
});

Deno.test("the results of a search are links with excerpts, or say what to do", () => {
  const hit = {
    href: "/docs/limits#a",
    title: "A",
    page: "Limits",
    excerpt: "An excerpt",
  };
  const of = (...given: Parameters<typeof searchResults>) =>
    outlineOf(String(searchResults(...given)));
  assertEquals(of("", [hit]), [
    "h1 Search",
    "p Type a word: an endpoint, an error code, a metric, a setting.",
  ]);
  assertEquals(of("b", []), [
    "h1 Results for “b”",
    "p Nothing was found. Try fewer or shorter words.",
  ]);
  assertEquals(of("<a>", [hit, { ...hit, title: "B" }]), [
    "h1 Results for “<a>”",
    "li [href=/docs/limits#a]A Limits",
    "p An excerpt",
    "li [href=/docs/limits#a]B Limits",
    "p An excerpt",
  ]);
  assertEquals(/maxlength="(\d+)"/.exec(String(searchForm("")))![1], "100");
});
