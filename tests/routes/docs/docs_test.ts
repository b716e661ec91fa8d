/** Guides and the API reference. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { GUIDE_SLUGS } from "../../../routes/docs/guides.ts";
import {
  listOperations,
  type OpenApi,
} from "../../../routes/docs/openapi_document.ts";
import {
  docsOfError,
  ERROR_CODES,
} from "../../../services/platform/error_codes_schema.ts";
import {
  GRAPH_FLAG_NAMES,
  TIER_IDS,
} from "../../../services/model/score_terms_schema.ts";
import { REASON_CODES } from "../../../services/model/reasons_schema.ts";
import { type ElementCompact, xml2js } from "xml-js";
import { testDeps } from "../../support/deps.ts";
import { get, getText } from "../../support/docs_pages.ts";

const PUBLIC_URL = "https://firn.test";

Deno.test("every guide is served as a page, and as Markdown with .md after its path", async (t) => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const home = await getText(app, "/docs");
  const llms = await getText(app, "/llms.txt");
  for (const slug of GUIDE_SLUGS) {
    await t.step(slug, async () => {
      const page = await getText(app, `/docs/${slug}`);
      const response = await get(app, `/docs/${slug}.md`);
      assertEquals(
        response.headers.get("Content-Type"),
        "text/markdown; charset=utf-8",
      );
      const source = await response.text();
      const title = /^# (.+)$/m.exec(source)![1]!;
      assert(page.includes(`<h1>${title}</h1>`));
      assert(page.includes(`href="/docs/${slug}" aria-current="page"`));
      assert(page.includes(`href="/docs/${slug}.md"`));
      const regions = [
        ...page.matchAll(/role="region"\s+aria-label="([^"]*)"/g),
      ]
        .map(([, label]) => label);
      assertEquals(regions, [...new Set(regions)], "labels of regions");
      assert(home.includes(title) && llms.includes(`[${title}]`));
      assert(llms.includes(`${PUBLIC_URL}/docs/${slug}.md`));
      assert(!/\{\{|firn\.example/.test(source), "placeholder left");
    });
  }
});

Deno.test("the index describes each page in one sentence", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const home = await getText(createApp(deps), "/docs");
  const [, cards] = home.split("<h2>Chain data</h2>");
  const texts = [...cards!.matchAll(/<span>(.*?)<\/span>\s*<\/li>/gs)]
    .map(([, text]) => text!.replace(/<[^>]+>/g, ""));
  assert(texts.length > GUIDE_SLUGS.length);
  for (const text of texts) assertMatch(text, /^\S(?!.*\.\s).*\.$/s);
  assert(
    texts.includes(
      "Which values are final: every point has a field complete, and the value of an incomplete point can still change.",
    ),
  );
});

Deno.test("GUIDE_SLUGS lists every Markdown file", async () => {
  const folder = new URL("../../../routes/docs/guides/", import.meta.url);
  const files = (await Array.fromAsync(Deno.readDir(folder)))
    .flatMap(({ name }) => /^(.*)\.md$/.exec(name)?.[1] ?? []);
  assertEquals([...files, "changelog"].toSorted(), GUIDE_SLUGS.toSorted());
});

Deno.test("/docs/changelog is CHANGELOG.md, with an Atom feed that has an entry for each version", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const page = await getText(app, "/docs/changelog");
  assertMatch(page, /type="application\/atom\+xml"[^>]*\s+href="([^"]+)"/);
  const [, href] = /type="application\/atom\+xml"[^>]*\s+href="([^"]+)"/.exec(
    page,
  )!;
  const response = await get(app, href!);
  assertEquals(response.status, 200);
  assertMatch(response.headers.get("Content-Type")!, /^application\/atom\+xml/);
  const text = await Deno.readTextFile(
    new URL("../../../CHANGELOG.md", import.meta.url),
  );
  const versions = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  assert(versions.length > 0);
  const feed: ElementCompact = xml2js(await response.text(), { compact: true });
  const entries = [feed.feed.entry].flat();
  assertEquals(
    entries.map((entry) => entry.title._text ?? entry.title._cdata),
    versions.map((name) => `Firn ${name}`),
  );
  for (const [nth, entry] of entries.entries()) {
    const [, id] = entry.link._attributes.href.split("#");
    assert(page.includes(`id="${id}"`), versions[nth]);
    assertMatch(entry.updated._text, /^20\d\d-\d\d-\d\dT/);
    assert(entry.content._cdata.includes("<li>"));
  }
});

Deno.test("the guides on errors and reasons name every code, flag and tier", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const wanted: [slug: string, words: readonly string[]][] = [
    ["errors", ERROR_CODES],
    ["reasons", [...REASON_CODES, ...GRAPH_FLAG_NAMES, ...TIER_IDS]],
  ];
  for (const [slug, words] of wanted) {
    const source = await getText(app, `/docs/${slug}.md`);
    const absent = words.filter((word) => !source.includes(`\`${word}\``));
    assertEquals(absent, [], slug);
  }
});

Deno.test("the tables of plans and limits are filled from the rules", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const rowsOf = async (slug: string) =>
    (await getText(app, `/docs/${slug}.md`)).split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.replaceAll(/[\s|`]+/g, " ").trim());
  const limits = await rowsOf("limits");
  for (
    const row of [
      "Free 2,500 free single-address scoring",
      "Builder 25,000 49.00 USDC batch screening, 90-day history",
      "score Free 60 1",
      "batch Builder 10 1 per address",
    ]
  ) assertEquals(limits.filter((each) => each.startsWith(row)).length, 1, row);
});

Deno.test("a bar within a setting's meaning ends no cell of its table", async () => {
  using deps = await testDeps();
  const page = await getText(createApp(deps), "/docs/self-hosting");
  assert(page.includes("-outform DER | base64</code>. It is never logged"));
});

Deno.test("the guide on the scoring method contains no number of the model", async () => {
  using deps = await testDeps();
  const source = await getText(createApp(deps), "/docs/scoring-method.md");
  const numbers = source.replaceAll(/^\|.*$/gm, "").match(/\d+(\.\d+)?/g);
  // Bounds of scores, confidence and factors, and the hours of the cache.
  const known = ["0", "1", "100", "24"];
  assertEquals(numbers!.filter((number) => !known.includes(number)), ["4"]);
  assert(source.includes("`s4.confidence`"), "the 4 is part of `s4`");
});

Deno.test("the guide on attestations takes domain and types from the published document", async () => {
  using deps = await testDeps();
  const source = await getText(createApp(deps), "/docs/attestations.md");
  const sent = /signed(\.|\[")(domain|types|primaryType)|domain.*\} = signed/;
  assert(
    !sent.test(source),
    "these fields come with the score and can be forged",
  );
  assertMatch(source, /const \{ domain, types, signers \} = await read\(/);
  assertMatch(source, /"types": published\["types"\]/);
});

Deno.test("the reference shows every operation with its parameters and statuses", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const response = await app.request("/openapi.json");
  const document: OpenApi = await response.json();
  const list = await getText(app, "/docs/reference");
  for (const { name } of document.tags) {
    const path = `/docs/reference/${name.toLowerCase().replaceAll(" ", "-")}`;
    const page = (await getText(app, path)).replaceAll("<wbr>", "");
    assert(!page.includes("undefined"), `${name}: a value is missing`);
    for (
      const { path: target, method, operation } of listOperations(
        document,
        name,
      )
    ) {
      const { operationId, parameters = [], responses } = operation;
      const [, section] = page.split(`id="${operationId}"`);
      assert(section, operationId);
      const [head] = section.split("<h3>");
      const schemes = (operation.security ?? []).flatMap(Object.keys);
      const isKeyed = schemes.includes("ApiKey");
      assertEquals(head!.includes("needs an API key"), isKeyed, operationId);
      const hasForm = (isKeyed || method === "GET") && target !== "/mcp" &&
        !schemes.includes("Session");
      assertEquals(head!.includes("<form"), hasForm, operationId);
      assert(list.includes(`${path}#${operationId}`), operationId);
      assert(page.includes(target), target);
      for (const word of parameters.map((parameter) => parameter.name)) {
        assert(page.includes(`<code>${word}</code>`), `${operationId} ${word}`);
      }
      for (const { name, required = false } of parameters) {
        const row = section.split("<tr>")
          .find((row) => row.includes(`<code>${name}</code>`));
        assertEquals(row?.includes(">required<"), required, operationId);
      }
      for (const status of Object.keys(responses)) {
        assert(page.includes(status), `${operationId} ${status}`);
      }
    }
  }
});

Deno.test("the reference distinguishes defaults from examples", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const cells: [tag: string, operation: string, name: string, cell: RegExp][] =
    [
      ["scores", "getHistory", "days", /default <code>30<\/code>/],
      ["scores", "getHistory", "include", /e\.g\. <code>breakdown<\/code>/],
      ["scores", "getScore", "address", /e\.g\. <code>0x/],
      ["attestations", "getSigned", "ttl", /default <code>604800<\/code>/],
      ["chain-data", "getMetrics", "chainId", /default <code>43114<\/code>/],
      [
        "embeds",
        "getMetricChart",
        "chainId",
        /default <code>\[43114\]<\/code>/,
      ],
      ["payments", "postQuote", "periods", /default <code>1<\/code>/],
    ];
  for (const [tag, operation, name, cell] of cells) {
    await t.step(`${operation} ${name}`, async () => {
      const page = await getText(app, `/docs/reference/${tag}`);
      const [, section] = page.split(`id="${operation}"`) as [string, string];
      const row = section.split("<tr>").find((row) =>
        row.includes(`<code>${name}</code>`)
      );
      assertMatch(row!, cell);
    });
  }
});

Deno.test("an unknown page of the documentation is a 404", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  for (const path of ["nope", "nope.md", "reference/nope", "..%2fmain.md"]) {
    assertEquals((await get(app, `/docs/${path}`)).status, 404, path);
  }
});

Deno.test("every error code has an anchor, and errors name its path", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const page = await getText(app, "/docs/errors");
  for (const code of ERROR_CODES) {
    assertEquals(docsOfError(code), `/docs/errors#${code}`);
    assert(page.includes(`<tr id="${code}">`), code);
  }
  const refused = await app.request("/api/chain-data/metrics?interval=hour");
  assertEquals((await refused.json()).docs, docsOfError("BAD_REQUEST"));
});
