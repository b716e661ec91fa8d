/** `/embed/chart/{name}`: what a frame of another site gets. */
import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { appOf } from "../../support/app.ts";
import { findRoute } from "../../../routes/http/route_name.ts";
import { CHECKED_CHART_NAMES } from "../../../services/charts/charts_schema.ts";
import { checkedDeps } from "../../support/jobs.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

/** One chart of each kind: reading all of them would exceed the share of one network. */
const NAMES = ["txCount", "cumulativeTxCount", ...CHECKED_CHART_NAMES] as const;

const PATH = "/embed/chart/txCount?range=30d";

async function ask(deps: TestDeps, path: string, init?: RequestInit) {
  const response = await appOf(deps).request(path, init);
  return { response, text: await response.text() };
}

/** What every embed must be: framed by anybody, and a document that runs and loads nothing. */
function assertEmbed({ headers }: Response, text: string) {
  const policy = headers.get("Content-Security-Policy")!;
  assertStringIncludes(policy, "default-src 'none'");
  assertStringIncludes(policy, "frame-ancestors *");
  assert(!policy.includes("script-src"), policy);
  assertEquals(headers.get("X-Frame-Options"), null);
  assertEquals(headers.get("Cross-Origin-Resource-Policy"), "cross-origin");
  assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
  assertEquals(headers.get("Set-Cookie"), null);
  assertStringIncludes(headers.get("Content-Type")!, "text/html");
  assert(!/<(script|img|iframe|link rel="stylesheet|form)\b/.test(text), text);
  assert(!/\son\w+=/.test(text), text);
}

Deno.test("charts have a page for frames, with its source and a link to the same view of the explorer", async () => {
  using deps = await checkedDeps();
  for (const name of NAMES) {
    const { response, text } = await ask(deps, `/embed/chart/${name}`);
    assertEquals(response.status, 200, `${name}: ${text}`);
    assertEmbed(response, text);
    assertEquals(text.match(/<svg /g)?.length, 2, name);
    assertStringIncludes(text, "Source: ");
    assertStringIncludes(
      text,
      `<a href="${deps.publicUrl}/?metric=${name}" target="_blank" rel="noopener">`,
    );
  }
  const query = "chainId=43114&range=90d&interval=week&scale=log";
  const { text } = await ask(
    deps,
    `/embed/chart/gasUsed?${query}&theme=dark&width=900`,
  );
  assertStringIncludes(
    text,
    `rel="canonical" href="${deps.publicUrl}/?metric=gasUsed&amp;${
      query.replaceAll("&", "&amp;")
    }"`,
  );
});

Deno.test("only embeds may be framed: pages and charts refuse it", async () => {
  using deps = await testDeps();
  for (const path of ["/", "/docs", "/chains", "/nothing", "/embed"]) {
    const { response: { headers } } = await ask(deps, path, {
      headers: { Accept: "text/html" },
    });
    assertStringIncludes(
      headers.get("Content-Security-Policy")!,
      "frame-ancestors 'none'",
      path,
    );
    assertEquals(headers.get("X-Frame-Options"), "DENY", path);
  }
});

Deno.test("an embed follows the reader's colours unless a theme is given", async () => {
  using deps = await testDeps();
  const dark = "body{background:#121b22";
  const light = "body{background:#fff";
  const { text: auto } = await ask(deps, PATH);
  assertStringIncludes(auto, "@media (prefers-color-scheme:dark)");
  assert(auto.includes(light) && auto.includes(dark));
  const themes = [["light", light, dark], ["dark", dark, light]] as const;
  for (const [theme, has, lacks] of themes) {
    const { text } = await ask(deps, `${PATH}&theme=${theme}`);
    assert(!text.includes("prefers-color-scheme"), theme);
    assert(text.includes(has) && !text.includes(lacks), theme);
    assertStringIncludes(text, `color-scheme:${theme}`);
  }
});

Deno.test("an embed is kept as bytes with the same headers, also for a reader with a session", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const first = await app.request(PATH);
  await first.body?.cancel();
  const etag = first.headers.get("ETag")!;
  // From memory: these spellings ask for the same content, the size of another one aside.
  for (const path of [PATH, `${PATH}&width=900`]) {
    const kept = await app.request(path);
    assertEquals(kept.headers.get("ETag"), etag);
    assertEmbed(kept, await kept.text());
  }
  const known = await app.request(PATH, {
    headers: { "If-None-Match": etag, Cookie: "firn_session=x" },
  });
  assertEquals(known.status, 304);
  assertEmbed(known, "");
  assert(first.headers.get("Cache-Control")!.startsWith("public, max-age="));
  const dark = await app.request(`${PATH}&theme=dark`);
  await dark.body?.cancel();
  assertNotEquals(dark.headers.get("ETag"), etag);
});

Deno.test("a refusal is a page for the frame, too, and says what is accepted", async () => {
  using deps = await testDeps();
  const cases = [
    ["/embed/chart/nothing", 400, "Invalid metric"],
    ["/embed/chart/txCount?theme=pink", 400, "Invalid theme"],
    ["/embed/chart/txCount?range=%3Cb%3E", 400, "expected one of"],
    ["/embed/chart/txCount?chainId=999", 404, "999"],
    ["/embed/txCount", 404, "Cannot find /embed/txCount"],
  ] as const;
  for (const [path, status, words] of cases) {
    const { response, text } = await ask(deps, path);
    assertEquals(response.status, status, path);
    assertEmbed(response, text);
    assertStringIncludes(text, words);
    assert(!text.includes("<b>"));
  }
});

Deno.test("an embed's path is redirected, refused and named like any other", async () => {
  using deps = await testDeps();
  const slash = await ask(deps, "/embed/chart/txCount/");
  assertEquals(slash.response.status, 301);
  assertEquals(slash.response.headers.get("Location"), "/embed/chart/txCount");
  const method = "POST";
  const unknown = await ask(deps, "/embed/nothing", { method });
  assertEquals(unknown.response.status, 404);
  const refused = await ask(deps, "/embed/chart/txCount", { method });
  assertEquals(refused.response.headers.get("Allow"), "GET, HEAD");
  const request = new Request(`${deps.publicUrl}/embed/chart/txCount`);
  assertEquals(findRoute(createApp(deps), request), "/embed/chart/:metric");
});
