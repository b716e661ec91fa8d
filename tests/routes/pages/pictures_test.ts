/** Pictures of charts, chains, scores and profiles as PNG. */
import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { putSeries } from "../../support/series.ts";

const FROM = "2026-10-01";
const PUBLISHED = Math.floor(Date.parse("2026-11-19") / 864e5);

const valuesOf = (factor: number) => ({
  from: FROM,
  values: Array.from({ length: 50 }, (_, nth) => factor * (100 + nth * 7 % 30)),
});

async function swept(): Promise<TestDeps> {
  const deps = await testDeps();
  await sweep(deps, {
    chains: { 43114: "C-Chain", 7: "\u202eSeven <b>" },
    metrics: ["txCount"],
    published: PUBLISHED,
    valuesOf: (chainId) => valuesOf(chainId),
  });
  return deps;
}

/** Returns the size that the header of a PNG says. */
function sizeOf(png: Uint8Array<ArrayBuffer>): [width: number, height: number] {
  assertEquals(
    png.slice(0, 8),
    Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10),
  );
  const view = new DataView(png.buffer);
  return [view.getUint32(16), view.getUint32(20)];
}

/** Inflates the pixels, and returns how many bytes they are. */
async function countPixelBytes(png: Uint8Array<ArrayBuffer>): Promise<number> {
  const view = new DataView(png.buffer);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 8; at < png.byteLength;) {
    const length = view.getUint32(at);
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    if (type === "IDAT") parts.push(png.slice(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const inflated = new Blob(parts).stream()
    .pipeThrough(new DecompressionStream("deflate"));
  return (await new Response(inflated).bytes()).byteLength;
}

Deno.test("pictures are PNG of 1200 by 630 pixels or twice that, which show the data and are kept", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const ask = async (path: string) => {
    const response = await app.request(path);
    assertEquals(response.status, 200, path);
    assertEquals(response.headers.get("Content-Type"), "image/png");
    return {
      png: await response.bytes(),
      etag: response.headers.get("ETag")!,
      keptFor: response.headers.get("Cache-Control"),
    };
  };
  const chart = "/chart/txCount.png?chainId=7&range=30d";
  const address = `0x${"ab".repeat(20)}`;
  const paths = [
    `${chart}&theme=dark`,
    "/card/chain/7.png",
    `/card/score/${address}.png`,
    `/card/profile/${address}.png`,
  ];
  const [first, twice, ...others] = await Promise.all(
    [chart, `${chart}&density=2`, ...paths].map(ask),
  );
  assertEquals(sizeOf(twice!.png), [2400, 1260]);
  for (const { png } of [first!, ...others]) {
    assertEquals(sizeOf(png), [1200, 630]);
    // Four bytes a pixel, and one a row for its filter.
    assertEquals(await countPixelBytes(png), 630 * (1200 * 4 + 1));
  }
  assertEquals(new Set([first!, ...others].map(({ etag }) => etag)).size, 5);
  for (const [nth, path] of paths.slice(1).entries()) {
    const { etag } = others[nth + 1]!;
    assertEquals((await ask(`${path}?theme=auto`)).etag, etag, path);
    assertNotEquals((await ask(`${path}?theme=dark`)).etag, etag, path);
    const refused = await app.request(`${path}?theme=sepia`);
    assertEquals(refused.status, 400, path);
  }
  // A name that is hidden or deleted leaves its picture within a minute.
  assertEquals(others.map(({ keptFor }) => keptFor), [
    ...Array(3).fill("public, max-age=600"),
    "public, max-age=60",
  ]);
  // Kept for ten minutes, then drawn anew.
  await putSeries(deps, { subject: 7, metric: "txCount" }, valuesOf(11));
  assertEquals((await ask("/card/chain/7.png")).etag, others[1]!.etag);
  deps.advance(600_000);
  assertNotEquals((await ask("/card/chain/7.png")).etag, others[1]!.etag);
});

Deno.test("charts, chains, scores and profiles name their picture for previews of links", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const address = exampleOf("heavy");
  const chart = "metric=txCount&chainId=7&range=30d&interval=day";
  const pages = {
    [`/?${chart}`]:
      "/chart/txCount.png?chainId=7&amp;range=30d&amp;interval=day",
    "/chains/7": "/card/chain/7.png",
    [`/tools/score/${address}`]: `/card/score/${address}.png`,
    [`/profiles/${address}`]: `/card/profile/${address}.png`,
  };
  for (const [path, picture] of Object.entries(pages)) {
    const html = await (await app.request(path)).text();
    assertStringIncludes(
      html,
      `"og:image" content="${deps.publicUrl}${picture}"`,
    );
    assertStringIncludes(html, `"twitter:card" content="summary_large_image"`);
  }
});

Deno.test("a picture that cannot be drawn is an error that says why", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const cases: [path: string, status: number, words: string][] = [
    ["/chart/txCount.png?density=3", 400, "Invalid density"],
    ["/chart/txCount.svg?theme=pink", 400, "Invalid theme"],
    ["/chart/txCount.svg?width=100", 400, "a whole number from 320 to 1600"],
    ["/chart/nothing.png", 400, "Invalid metric"],
    ["/card/chain/999.png", 404, "999"],
    ["/card/score/0x1.png", 400, "Invalid score"],
    [`/card/profile/${"a".repeat(65)}.png`, 400, "at most 64 characters"],
    ["/card/profile/nobody-is-here.png", 404, "not claimed"],
    ["/card/profile/0xjunk.png", 404, "not claimed"],
  ];
  for (const [path, status, words] of cases) {
    const response = await app.request(path);
    const text = await response.text();
    assertEquals(response.status, status, path);
    assert(text.includes(words), `${path}: ${text}`);
  }
  assertEquals(await deps.store.waitingScores.list(), []);
});

Deno.test("the width of a chart changes nothing of its PNG, which is rendered once", async () => {
  using deps = await swept();
  const app = createApp(deps);
  for (
    const chart of [
      "/chart/txCount.png?chainId=7&range=30d",
      "/chart/monthly-transactions.png?range=30d",
    ]
  ) {
    const etagOf = async (query: string) => {
      const response = await app.request(chart + query);
      assertEquals(response.status, 200);
      await response.body!.cancel();
      return response.headers.get("ETag")!;
    };
    const usual = await etagOf("");
    // Other values, which only a new rendering would draw.
    await putSeries(deps, { subject: 7, metric: "txCount" }, valuesOf(13));
    await putSeries(deps, { subject: 43114, metric: "txCount" }, valuesOf(13));
    assertEquals(await etagOf("&width=400"), usual, chart);
    assertNotEquals(await etagOf("&width=400&theme=dark"), usual, chart);
  }
});

Deno.test("theme and width change the SVG", async () => {
  using deps = await swept();
  const app = createApp(deps);
  const ask = async (query: string) =>
    await (await app.request(`/chart/txCount.svg?chainId=7&range=30d${query}`))
      .text();
  const [usual, dark, narrow] = await Promise.all(
    ["", "&theme=dark", "&width=400"].map(ask),
  );
  assert(usual!.includes("prefers-color-scheme"));
  assert(!dark!.includes("prefers-color-scheme"));
  assert(dark!.includes("#121b22"));
  assert(usual!.includes('viewBox="0 0 800 '));
  assert(narrow!.includes('viewBox="0 0 400 '));
});
