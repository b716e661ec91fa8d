/** What is shared or cited today shows the same figures in five years. */
import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { appOf } from "../../support/app.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { hrefsOf, rowsOf, wordsOf } from "../../support/charts/explorer.ts";
import { sweep } from "../../support/chain_data/swept.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { putSeries } from "../../support/series.ts";
import { unescape } from "../../support/outline.ts";

const DAYS = 120;
const FIRST = "2026-07-24";

/** Publishes 120 days of two chains, each value multiplied. */
async function publish(
  deps: TestDeps,
  { times, names, token = "BEAM", days = DAYS }: {
    readonly times: number;
    /** The token of the L1. */
    readonly token?: string;
    readonly names: Readonly<Record<number, string>>;
    readonly days?: number;
  },
): Promise<void> {
  await sweep(deps, {
    chains: names,
    tokens: { 43114: "AVAX", 4337: token },
    metrics: ["txCount", "feesPaid", "gasUsed"],
    published: Date.parse(FIRST) / DAY_MS + days,
    valuesOf: (chainId) => ({
      from: FIRST,
      values: Array.from(
        { length: days },
        (_, nth) => (1000 + (chainId * 31 + nth * 7919) % 997) * times,
      ),
    }),
  });
  await putSeries(deps, { subject: "explorer-index", metric: "txCount" }, {
    from: FIRST,
    values: Array.from(
      { length: days },
      (_, nth) =>
        (1000 + (43114 * 31 + nth * 7919) % 997) * times +
        (nth === 90 ? 90 : 0),
    ),
  });
}

async function read(deps: TestDeps, path: string) {
  const response = await appOf(deps).request(path, {
    headers: { Accept: "text/html" },
  });
  const text = await response.text();
  assertEquals(response.status, 200, `${path}: ${text.slice(0, 300)}`);
  return text;
}

/** The drawn lines of a picture or an embed. */
const pathsOf = (svg: string) =>
  [...svg.matchAll(/class="line[^"]*"\s+d="([^"]*)"/g)].map(([, path]) => path);

/** The colours of the first line and of the second source. */
const LINES = ["0a6c96", "7a3fb5"];

/** Decodes a PNG of 8-bit RGBA, and lists the pixels that have a colour of the lines. */
async function linePixels(deps: TestDeps, path: string): Promise<string[]> {
  const response = await appOf(deps).request(path);
  assertEquals(response.status, 200, path);
  const png = await response.bytes();
  const view = new DataView(png.buffer);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  assertEquals([png[24], png[25], png[28]], [8, 6, 0], "8-bit RGBA, in order");
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 8; at < png.byteLength; at += 12 + view.getUint32(at)) {
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    if (type === "IDAT") {
      parts.push(png.slice(at + 8, at + 8 + view.getUint32(at)));
    }
  }
  const raw = await new Response(
    new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate")),
  ).bytes();
  const row = 4 * width;
  const found: string[] = [];
  let above = new Uint8Array(row);
  for (let y = 0; y < height; y++) {
    const at = y * (row + 1);
    const line = raw.slice(at + 1, at + 1 + row);
    for (let x = 0; x < row; x++) {
      const [a, b, c] = [line[x - 4] ?? 0, above[x]!, above[x - 4] ?? 0];
      const near = [a, b, c].toSorted((one, two) =>
        Math.abs(a + b - c - one) - Math.abs(a + b - c - two)
      )[0]!;
      line[x]! += [0, a, b, (a + b) >> 1, near][raw[at]!]!;
    }
    for (let x = 0; x < width; x++) {
      const colour = line.subarray(4 * x, 4 * x + 3).toHex();
      if (LINES.includes(colour)) found.push(`${x},${y}`);
    }
    above = line;
  }
  return found;
}

/** The rows of complete buckets: what still grows has no value that stays. */
const completeOf = (rows: readonly string[][]) =>
  rows.filter((row) => !row.at(-1)!.startsWith("no"));

/** The numbers of a CSV, without its heading, which has the names of the chains. */
const numbersOf = (csv: string) => csv.split("\n").slice(1).join("\n");

/** What the share window of a page links and writes. */
function shared(deps: TestDeps, page: string) {
  const from = page.indexOf('aria-labelledby="share"');
  const part = page.slice(from, page.indexOf("</section>\n", from) + 20_000)
    .split('aria-labelledby="take-away"')[0]!;
  const links = hrefsOf(part);
  const urls = [
    ...unescape(part).matchAll(/http:\/\/localhost:8000([^\s"'<),}]*)/g),
  ]
    .map(([, path]) => unescape(path!));
  const find = (pattern: RegExp) => {
    const found = [...links, ...urls].find((path) => pattern.test(path));
    assert(found, `${pattern}: ${links}`);
    return found;
  };
  assertEquals(deps.publicUrl, "http://localhost:8000");
  return {
    link: find(/^\/\?/),
    svg: find(/\.svg\?/),
    png: find(/\.png\?/),
    csv: find(/\.csv\?|format=csv/),
    embed: find(/^\/embed\//),
    all: [...links, ...urls].filter((path) => path.includes("?")),
  };
}

const CHARTS = [
  "/?metric=txCount&chainId=43114&range=90d&interval=day",
  "/?metric=txCount&chainId=43114&range=90d&interval=week",
  "/?metric=txCount&chainId=43114&range=90d&interval=day&average=7",
  "/?metric=feesPaid&chainId=4337&range=30d&interval=day",
  "/?metric=txCount&chainId=43114&chainId=4337&range=90d&interval=day",
  "/?metric=txCount&chainId=43114&chainId=4337&range=90d&interval=month&values=share",
  "/?metric=monthly-transactions&range=90d&interval=day",
];

Deno.test("link, picture, data, embed and citation show the same figures in five years, after revisions, a renamed chain and a changed token", async (t) => {
  using deps = await testDeps();
  await publish(deps, {
    times: 1,
    names: { 43114: "C-Chain", 4337: "Beam L1" },
  });
  deps.advance(60_000);
  const before = [];
  for (const path of CHARTS) {
    const live = await read(deps, path);
    const { link, svg, csv, embed, png, all } = shared(deps, live);
    for (const url of all) assertStringIncludes(url, "asOf=", path);
    before.push({
      path,
      urls: { link, svg, csv, embed, png },
      live: completeOf(rowsOf(live)),
      rows: rowsOf(await read(deps, link)),
      lines: pathsOf(await read(deps, svg)),
      numbers: numbersOf(await read(deps, csv)),
      embedded: pathsOf(await read(deps, embed)),
      // The label at a line of a comparison has its colour.
      pixels: path.split("chainId=").length > 2
        ? null
        : await linePixels(deps, png),
    });
  }

  deps.advance(5 * 365 * DAY_MS);
  await publish(deps, {
    times: 3,
    // As long as before: the room for names is part of a picture.
    names: { 43114: "Chain-C", 4337: "Moon L2" },
    token: "MOON",
    days: DAYS + 5 * 365,
  });
  deps.advance(60_000);

  for (const old of before) {
    const { path, urls, live, rows, lines, numbers, embedded, pixels } = old;
    await t.step(path, async () => {
      assert(lines.some((line) => line !== ""), path);
      const page = await read(deps, urls.link);
      assertEquals(rowsOf(page), rows);
      assertEquals(completeOf(rowsOf(page)), live, "what was shown");
      assertEquals(pathsOf(await read(deps, urls.svg)), lines);
      assertEquals(numbersOf(await read(deps, urls.csv)), numbers);
      assertEquals(pathsOf(await read(deps, urls.embed)), embedded);
      if (pixels !== null) {
        assert(pixels.length > 500, `${pixels.length} pixels`);
        assertEquals(await linePixels(deps, urls.png), pixels);
      }
      assertStringIncludes(wordsOf(page), "These figures are frozen");
      // What a frozen page shares is the same frozen page.
      assertEquals(shared(deps, page).link, urls.link);
      const newest = await read(deps, path);
      assertNotEquals(rowsOf(newest), rows);
    });
  }
});

Deno.test("the data of a chart are one file, named for chain, metric, unit and days", async () => {
  using deps = await testDeps();
  await publish(deps, {
    times: 1,
    names: { 43114: "C-Chain", 4337: "Beam L1" },
  });
  const app = createApp(deps);
  const cases = [
    [
      "txCount.csv?from=2026-10-01&to=2026-10-31",
      "c-chain-txCount-count-2026-10-01-2026-10-31",
    ],
    [
      "feesPaid.csv?chainId=43114&from=2026-10-01&to=2026-10-31",
      "c-chain-feesPaid-AVAX-2026-10-01-2026-10-31",
    ],
    [
      "gasUsed.csv?chainId=43114&chainId=4337&from=2026-10-01&to=2026-10-31",
      "2-chains-gasUsed-gas-2026-10-01-2026-10-31",
    ],
  ];
  for (const [path, name] of cases) {
    const response = await app.request(`/chart/${path}`);
    await response.body?.cancel();
    assertEquals(
      response.headers.get("Content-Disposition"),
      `attachment; filename="firn-${name}.csv"`,
    );
  }
});
