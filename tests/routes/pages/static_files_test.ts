/** Static files: content, caching, and no access to other files. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  importedUrls,
  staticUrl,
  STYLES_FOLDER,
  STYLESHEETS,
} from "../../../routes/pages/static_files.ts";
import { testDeps } from "../../support/deps.ts";

const FOLDER = new URL("../../../static/", import.meta.url);

async function ask(path: string, init?: RequestInit) {
  using deps = await testDeps();
  const response = await createApp(deps).request(path, init);
  return { response, bytes: await response.bytes() };
}

/** Lists the files of a folder of `static/` that have URLs of their own. */
function listFiles(folder = ""): string[] {
  return Deno.readDirSync(new URL(folder, FOLDER)).toArray()
    .flatMap(({ name, isFile }) =>
      isFile ? [`${folder}${name}`] : listFiles(`${folder}${name}/`)
    )
    .filter((path) => !path.startsWith(STYLES_FOLDER));
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
};

Deno.test("every file of static/ is served unchanged, with its type", async (t) => {
  for (const name of listFiles()) {
    await t.step(name, async () => {
      const { response, bytes } = await ask(staticUrl(name));
      assertEquals(response.status, 200);
      const { headers } = response;
      assertEquals(
        headers.get("Content-Type"),
        TYPES[name.split(".").at(-1)!],
      );
      assertEquals(headers.get("X-Content-Type-Options"), "nosniff");
      assertEquals(bytes, await Deno.readFile(new URL(name, FOLDER)));
    });
  }
});

Deno.test("every file of static/styles/ is a part of one stylesheet", async () => {
  const styles = new URL(STYLES_FOLDER, FOLDER);
  const files: string[] = [];
  for await (const { name, isFile } of Deno.readDir(styles)) {
    if (isFile) files.push(name);
    else {
      for await (const part of Deno.readDir(new URL(`${name}/`, styles))) {
        files.push(`${name}/${part.name}`);
      }
    }
  }
  assertEquals(files.sort(), Object.values(STYLESHEETS).flat().sort());
});

Deno.test("a stylesheet is sent with every rule of its parts, without comments", async () => {
  for (const [name, parts] of Object.entries(STYLESHEETS)) {
    const { bytes } = await ask(staticUrl(name));
    const sent = new TextDecoder().decode(bytes);
    assert(!sent.includes("/*"), name);
    const written = parts.map((part) =>
      Deno.readTextFileSync(new URL(`${STYLES_FOLDER}${part}`, FOLDER))
    ).join("");
    const rulesOf = (text: string) =>
      text.split("*/").map((rest) => rest.split("/*")[0]).join("")
        .replaceAll(/\s+/g, "");
    assertEquals(rulesOf(sent), rulesOf(written), name);
  }
});

Deno.test("a URL with the release is immutable; any other is revalidated", async () => {
  const url = staticUrl("firn.css");
  assertMatch(url, /^\/static\/[0-9a-f]{12}\/firn\.css$/);
  const other = "/static/0123456789ab/firn.css";
  for (
    const [path, cacheControl] of [
      [url, "public, max-age=31536000, immutable"],
      [other, "public, no-cache"],
      ["/static/firn.css", "public, no-cache"],
    ] as const
  ) {
    const { headers } = (await ask(path)).response;
    assertEquals(headers.get("Cache-Control"), cacheControl, path);
  }
});

Deno.test("gzip is sent to clients that accept it, with its own ETag", async () => {
  const url = staticUrl("firn.css");
  const plain = await ask(url);
  const headers = { "Accept-Encoding": "gzip, br" };
  const { response, bytes } = await ask(url, { headers });
  assertEquals(response.headers.get("Content-Encoding"), "gzip");
  assertEquals(response.headers.get("Vary"), "Accept-Encoding");
  const tags = [plain.response, response].map((r) => r.headers.get("ETag"));
  assertEquals(new Set(tags).size, 2);
  const body = new Blob([bytes]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  assertEquals(await new Response(body).bytes(), plain.bytes);
});

Deno.test("a matching ETag gets 304, also one of another encoding", async () => {
  const url = staticUrl("firn.css");
  const encodings = ["identity", "gzip"];
  for (const held of encodings) {
    const headers = { "Accept-Encoding": held };
    const tag = (await ask(url, { headers })).response.headers.get("ETag")!;
    for (const accepted of encodings) {
      const { response, bytes } = await ask(url, {
        headers: {
          "Accept-Encoding": accepted,
          "If-None-Match": `"x", ${tag}`,
        },
      });
      assertEquals([response.status, bytes.length], [304, 0], accepted);
      assertMatch(response.headers.get("ETag")!, new RegExp(`-${accepted}"$`));
    }
  }
  const other = { "If-None-Match": '"other-gzip"' };
  assertEquals((await ask(url, { headers: other })).response.status, 200);
});

Deno.test("no file outside of static/ and the table is served", async (t) => {
  const release = staticUrl("firn.css").split("/")[2];
  const paths = [
    "/static",
    "/static/nothing.css",
    "/static/styles/firn/tokens.css",
    `/static/${release}/styles/firn/tokens.css`,
    "/static/vendor/nothing.js",
    "/static/vendor/toString",
    "/static/vendor/__proto__",
    "/static/vendor/qr.js/x",
    "/static/../deno.json",
    "/static/%2e%2e/deno.json",
    "/static/..%2fdeno.json",
    "/static/..%5cdeno.json",
    "/static/%00",
    "/static//etc/passwd",
    "/static/file:///etc/passwd",
    `/static/${release}/../../deno.json`,
    `/static/${release}/..%2f..%2fdeno.json`,
    `/static/${release}/vendor/..%2fqr.js`,
  ];
  for (const path of paths) {
    await t.step(path, async () => {
      assertEquals((await ask(path)).response.status, 404);
    });
  }
});

Deno.test("staticUrl() throws for a file that does not exist", () => {
  for (const path of ["nothing.css", "../deno.json", "vendor/nothing.js"]) {
    assertThrows(() => staticUrl(path), Error, "Cannot find");
  }
});

Deno.test("importedUrls() lists what a module loads, directly or not, and each module once", () => {
  assertEquals(importedUrls("tabs.js"), []);
  assertEquals(
    importedUrls("dashboard/problems.js"),
    [staticUrl("dashboard/elements.js")],
  );
  const urls = importedUrls("dashboard/main.js");
  assertEquals(urls.length, new Set(urls).size);
  assert(urls.includes(staticUrl("dashboard/elements.js")), "behind the keys");
  assert(!urls.includes(staticUrl("dashboard/main.js")));
});
