/** The layout of all pages, their security headers, and error pages. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { html } from "hono/html";
import { appOf } from "../../support/app.ts";
import { layout } from "../../../routes/pages/layout.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { newOwner } from "../../support/owners.ts";
import { succeed } from "../../support/jobs.ts";

const BROWSER =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const HTML = "text/html; charset=UTF-8";
const JSON_TYPE = "application/json";

async function ask(deps: TestDeps, path: string, accept?: string) {
  const headers: HeadersInit = accept ? { Accept: accept } : {};
  const response = await appOf(deps).request(path, { headers });
  return { response, text: await response.text() };
}

Deno.test("an error outside of the API is a page for browsers, and JSON for other clients", async (t) => {
  const rows: [path: string, accept: string | undefined, type: string][] = [
    ["/nowhere", BROWSER, HTML],
    ["/nowhere", "TEXT/HTML", HTML],
    ["/nowhere", "application/json;q=0.5, text/html", HTML],
    ["/nowhere", undefined, JSON_TYPE],
    ["/nowhere", "*/*", JSON_TYPE],
    ["/nowhere", "application/json", JSON_TYPE],
    ["/nowhere", "application/json, text/html;q=0.9", JSON_TYPE],
    ["/nowhere", "text/html;q=0", JSON_TYPE],
    ["/nowhere", "text/css", JSON_TYPE],
    ["/api/nowhere", BROWSER, JSON_TYPE],
    ["/api/chain-data/nowhere", BROWSER, JSON_TYPE],
    ["/api/v1/nowhere", BROWSER, JSON_TYPE],
  ];
  using deps = await testDeps();
  for (const [path, accept, type] of rows) {
    await t.step(`${path} for ${accept}`, async () => {
      const { response, text } = await ask(deps, path, accept);
      assertEquals(response.status, 404);
      const { headers } = response;
      assertEquals(headers.get("Content-Type"), type);
      assertEquals(headers.get("Cache-Control"), "no-store");
      const varies = (headers.get("Vary") ?? "").split(", ").includes("Accept");
      assertEquals(varies, !path.startsWith("/api/"));
      if (type === HTML) assertStringIncludes(text, "<h1>Page not found</h1>");
      else assertEquals(JSON.parse(text).code, "NOT_FOUND");
    });
  }
});

Deno.test("search engines list every kind of page but repetitions, and addresses that nobody claimed", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const stranger = exampleOf("ordinary");
  const body = { displayName: "Ada", slug: null, linksPublic: true };
  assertEquals((await owner.call("PUT", "/profile", { body })).status, 200);
  const rows: [path: string, isListed: boolean][] = [
    ["/", true],
    ["/chains", true],
    ["/disputes", true],
    ["/downloads", true],
    ["/status", true],
    ["/dashboard", true],
    ["/docs/privacy", true],
    ["/tools/score", true],
    [`/tools/score/${owner.wallet}`, true],
    [`/profiles/${owner.wallet}`, true],
    [`/tools/score/${stranger}`, false],
    [`/profiles/${stranger}`, false],
    ["/docs/search?q=limit", false],
    ["/embed/chart/txCount", false],
    ["/nowhere", false],
  ];
  for (const [path, isListed] of rows) {
    const { text } = await ask(deps, path, BROWSER);
    const isNoindex = text.includes('name="robots" content="noindex"');
    assertEquals(!isNoindex, isListed, path);
  }
});

Deno.test("prices, downloads, method, verification, licence and privacy are one click from every kind of page, and the footer names what is no page", async () => {
  using deps = await testDeps();
  const wanted = [
    "Prices",
    "Downloads",
    "Method",
    "Verification",
    "Licence",
    "Privacy",
  ];
  const targets = new Set<string>();
  for (
    const path of [
      "/",
      "/chains",
      "/charts/txCount",
      "/disputes",
      "/downloads",
      "/status",
      "/dashboard",
      "/docs/privacy",
      "/tools/score",
      `/tools/score/${exampleOf("ordinary")}`,
      `/profiles/${exampleOf("ordinary")}`,
      "/nowhere",
    ]
  ) {
    const { text } = await ask(deps, path, BROWSER);
    const [footer] = text.match(/<footer[^]*<\/footer>/)!;
    const links = new Map(
      footer.matchAll(/href="([^"]*)">([^<]*)/g)
        .map(([, href, words]) => [words, href!]),
    );
    for (const words of wanted) {
      assert(links.has(words), `${words} on ${path}`);
      targets.add(links.get(words)!);
    }
  }
  assertEquals(targets.size, wanted.length);
  const { text } = await ask(deps, "/", BROWSER);
  const [footer] = text.match(/<footer[^]*<\/footer>/)!;
  for (const [, target, words] of footer.matchAll(/href="([^"]*)">([^<]*)/g)) {
    const { response } = await ask(deps, target!.split("#")[0]!, BROWSER);
    const isPage = response.headers.get("Content-Type")!.includes("text/html");
    assertEquals(isPage, !words!.includes("JSON"), words);
  }
  for (const target of targets) {
    const { response, text } = await ask(deps, target.split("#")[0]!, BROWSER);
    assertEquals(response.status, 200, target);
    const [, id] = target.split("#");
    assert(id === undefined || text.includes(`id="${id}"`), target);
  }
});

Deno.test("an error page escapes the requested URL and redacts its keys", async () => {
  using deps = await testDeps();
  const path = "/%3Cscript%3Ealert(1)%3C/script%3Efirn_live_abc";
  const { text } = await ask(deps, path, BROWSER);
  assert(!text.includes("<script>alert"));
  assertStringIncludes(text, "&lt;script&gt;");
  assert(!text.includes("firn_live_abc"));
});

Deno.test("an error page leads to the nearest page", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const rows: [path: string, status: number, next: string][] = [
    ["/nowhere", 404, "/"],
    ["/chains/999", 404, "/chains"],
    ["/chains?sort=size", 400, "/chains"],
    ["/docs/nowhere", 404, "/docs/search"],
    ["/account/link/github", 501, "/dashboard/profile"],
  ];
  for (const [path, status, next] of rows) {
    const { response, text } = await ask(deps, path, BROWSER);
    assertEquals(response.status, status, path);
    assertStringIncludes(text, `class="button button-primary" href="${next}"`);
    assert(!text.includes("<h1>Something went wrong</h1>"), path);
  }
});

Deno.test("an unexpected error is a page without its message, and is logged in full", async () => {
  using deps = await testDeps();
  deps.store.scores.find = () => Promise.reject(new Error("secret detail"));
  const path = `/tools/score/${exampleOf("ordinary")}`;
  const { response, text } = await ask(deps, path, BROWSER);
  assertEquals(response.status, 500);
  assertEquals(response.headers.get("Cache-Control"), "no-store");
  assertStringIncludes(text, "<h1>Something went wrong on our side</h1>");
  assert(!text.includes("secret"));
  const id = response.headers.get("X-Request-Id")!;
  assertStringIncludes(text, `internal error; request id ${id}`);
  assertMatch(deps.lines.join("\n"), /secret detail/);
});

Deno.test("a 503 page names its reason", async (t) => {
  const upstream = { upstream: "explorer", retryAfterMs: 30_000 };
  const cases: [error: Error, heading: string][] = [
    [
      new Fault("no", { kind: "upstreamDown", ...upstream }),
      "A data source is unreachable",
    ],
    [
      new Fault("no", { kind: "contended", retryAfterMs: 1_000 }),
      "Too many simultaneous requests",
    ],
    [
      new Fault("no", { kind: "storeFull", retryAfterMs: 60_000 }),
      "Changes cannot be saved right now",
    ],
  ];
  for (const [error, heading] of cases) {
    await t.step(heading, async () => {
      using deps = await testDeps();
      deps.store.scores.find = () => Promise.reject(error);
      const path = `/tools/score/${exampleOf("ordinary")}`;
      const { response, text } = await ask(deps, path, BROWSER);
      assertEquals(response.status, 503);
      assertStringIncludes(text, `<h1>${heading}</h1>`);
      assertMatch(text, /<a [^>]*href="">Try again<\/a>/);
    });
  }
});

Deno.test("a refusal that stays is not offered again, and its names of orders do not break", async () => {
  using deps = await testDeps();
  const { response, text } = await ask(deps, "/chains?sort=nope", BROWSER);
  assertEquals(response.status, 400);
  assertEquals(text.includes("Try again"), false);
  assertStringIncludes(text, '<span class="nowrap">-value</span>');
});

Deno.test("every page may load from its own origin only, without inline code or framing", async () => {
  using deps = await testDeps();
  for (const path of ["/tools/score", "/nowhere"]) {
    const { headers } = (await ask(deps, path, BROWSER)).response;
    assertEquals(
      headers.get("Content-Security-Policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; " +
        "img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
    assertEquals(headers.get("X-Frame-Options"), "DENY");
    assertEquals(
      headers.get("Referrer-Policy"),
      "strict-origin-when-cross-origin",
    );
    assertEquals(headers.get("Cross-Origin-Opener-Policy"), "same-origin");
    assertMatch(headers.get("Permissions-Policy")!, /camera=\(\)/);
  }
});

Deno.test("the API does not send the headers of pages", async () => {
  using deps = await testDeps();
  for (const path of ["/api/chain-data", "/api/v1", "/api/v1/health"]) {
    const { headers } = (await ask(deps, path)).response;
    assertEquals(headers.get("Content-Security-Policy"), null, path);
  }
});

Deno.test("layout() escapes every value that it is given", async () => {
  const nasty = `"><script>alert('x')</script>`;
  const page = String(
    await layout({
      title: nasty,
      description: nasty,
      url: `https://firn.test/${nasty}`,
      body: html`<h1>${nasty}</h1>`,
    }, {
      icon: "/i",
      styles: ["/s"],
      modules: ["/m"],
      imports: [],
    }),
  );
  assert(!page.includes("<script>"));
  assertEquals(page.match(/<script/g)?.length, 1, "the module");
});

Deno.test("The first paint waits for a page's stylesheets alone: modules come last, with low priority", async () => {
  const page = String(
    await layout({ title: "T", description: "D", body: html`<h1>T</h1>` }, {
      icon: "/i",
      styles: ["/own.css"],
      modules: ["/chart.js"],
      imports: ["/part.js"],
    }),
  );
  assert(page.indexOf("/own.css") < page.indexOf("</head>"));
  const [, end = ""] = page.split("</footer>");
  assertMatch(end, /<script[^>]* fetchpriority="low"[^>]* src="\/chart.js"/);
  assertMatch(end, /modulepreload" fetchpriority="low" href="\/part.js"/);
});

Deno.test("layout() marks the current navigation entry, and pages that are not for search engines", async () => {
  const assets = {
    icon: "/i",
    styles: [],
    modules: [],
    imports: [],
  };
  const shared = { title: "T", description: "D", body: html`` };
  const shown = String(await layout({ ...shared, nav: "score" }, assets));
  assertStringIncludes(
    shown,
    '<a href="/tools/score" aria-current="page">Score</a>',
  );
  assertEquals(shown.match(/aria-current/g)?.length, 1);
  assert(!shown.includes("noindex"));
  const hidden = layout({ ...shared, isIndexed: false }, assets);
  assertStringIncludes(String(await hidden), 'content="noindex"');
});
