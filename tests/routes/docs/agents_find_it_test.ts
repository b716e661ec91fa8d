/** How programs and agents find the APIs: texts for language models, links, and facts of pages. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { GUIDE_SLUGS } from "../../../routes/docs/guides.ts";
import { listOperations } from "../../../routes/docs/openapi_document.ts";
import { layout } from "../../../routes/pages/layout.ts";
import { testDeps } from "../../support/deps.ts";

const PUBLIC_URL = "https://firn.test";

async function open() {
  const deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const read = async (
    path: string,
  ): Promise<{ text: string; headers: Headers }> => {
    const response = await app.request(path, {
      headers: { Accept: "text/html" },
    });
    // The explorer redirects to the canonical query.
    const canonical = response.headers.get("Location");
    if (canonical !== null) return await read(canonical);
    assertEquals(response.status, 200, path);
    return { text: await response.text(), headers: response.headers };
  };
  return { app, read, [Symbol.dispose]: () => deps[Symbol.dispose]() };
}

/** Returns the facts of a page, as JSON. */
function factsOf(html: string) {
  const [, json] =
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return json === undefined ? null : JSON.parse(json);
}

Deno.test("/llms-full.txt has every guide whole, under one title, and every endpoint", async () => {
  using service = await open();
  const { text, headers } = await service.read("/llms-full.txt");
  assert(headers.get("Content-Type")!.startsWith("text/plain"));
  const withoutCode = text.replaceAll(/^```[^]*?^```/gm, "");
  assertEquals(withoutCode.match(/^# .*/gm), ["# Firn"]);
  for (const slug of GUIDE_SLUGS) {
    const { text: guide } = await service.read(`/docs/${slug}.md`);
    const lines = guide.split("\n").filter((line) => !line.startsWith("#"));
    for (const line of lines) assert(text.includes(line), `${slug}: ${line}`);
  }
  const document = JSON.parse((await service.read("/openapi.json")).text);
  for (const { method, path } of listOperations(document)) {
    assertStringIncludes(text, `\`${method} ${path}\``);
  }
  assertStringIncludes(
    (await service.read("/llms.txt")).text,
    `${PUBLIC_URL}/llms-full.txt`,
  );
});

Deno.test("the OpenAPI document is linked as service-desc by every page and by the index of both APIs", async () => {
  using service = await open();
  for (const path of ["/", "/docs", "/status", "/tools/score", "/dashboard"]) {
    const { text } = await service.read(path);
    assertStringIncludes(
      text,
      '<link rel="service-desc" type="application/json" href="/openapi.json">',
    );
  }
  for (const path of ["/api/chain-data", "/api/v1"]) {
    const { headers } = await service.read(path);
    assertStringIncludes(
      headers.get("Link")!,
      '</openapi.json>; rel="service-desc"',
    );
  }
});

Deno.test("the documentation is a WebAPI, and each view of the explorer a Dataset whose downloads answer", async () => {
  using service = await open();
  const api = factsOf((await service.read("/docs")).text);
  assertEquals([api["@context"], api["@type"]], [
    "https://schema.org",
    "WebAPI",
  ]);
  assertEquals(api.documentation, `${PUBLIC_URL}/docs`);
  for (const query of ["?metric=avgTps&range=30d", "?metric=validators"]) {
    const { text, headers } = await service.read(`/${query}`);
    const data = factsOf(text);
    assertEquals(data["@type"], "Dataset");
    assert(/^\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d$/.test(data.temporalCoverage));
    assertEquals(data.distribution.length, 2);
    assertEquals(data.license, `${PUBLIC_URL}/docs/bulk-files#licence`);
    assert(query.includes(data.variableMeasured[0].name));
    for (const { contentUrl, encodingFormat } of data.distribution) {
      const { headers } = await service.read(
        contentUrl.slice(PUBLIC_URL.length),
      );
      assert(headers.get("Content-Type")!.startsWith(encodingFormat));
    }
    const policy = headers.get("Content-Security-Policy")!;
    assertStringIncludes(policy, "script-src 'self';");
  }
});

Deno.test("facts cannot end their block: names of third parties stay text", async () => {
  const page = await layout({
    title: "t",
    description: "d",
    body: "" as never,
    facts: { name: "</script><script>alert(1)</script>" },
  }, { icon: "", styles: [], modules: [], imports: [] });
  assertEquals(String(page).match(/<script/g)?.length, 1);
  assertEquals(
    factsOf(String(page)).name,
    "</script><script>alert(1)</script>",
  );
});
