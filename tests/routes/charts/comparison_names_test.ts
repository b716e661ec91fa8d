/** The names of compared chains in pictures, and the reasons for chains that are not drawn. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { chartDocument } from "../../../routes/charts/chart_svg.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { askChart } from "../../support/charts/chart_requests.ts";
import {
  chart,
  elementsOf,
  point,
  withClass,
} from "../../support/charts/charts.ts";
import { wordsOf } from "../../support/charts/explorer.ts";
import { testDeps } from "../../support/deps.ts";

const DAYS = ["2026-11-01", "2026-11-02"];

Deno.test("a narrow picture of a comparison names its lines above the plot, in their colours", () => {
  const names = ["C-Chain", "Dinari Financial Network", "Dead L1"];
  const lines = names.map((chainName, at) =>
    chart(DAYS, DAYS.map((day) => point(day, 1)), {
      line: { chainName, ...(at === 2 && { drawn: [null, null] }) },
    }).lines[0]!
  );
  const image = (width: number) =>
    elementsOf(String(chartDocument({ ...chart(DAYS, []), lines }, { width })));
  const narrow = image(320);
  const labels = withClass(narrow, "line-label");
  assertEquals(labels.map(({ text, attributes }) => [text, attributes.class]), [
    ["■ C-Chain", "line-label series-1"],
    ["■ Dinari Financial Network", "line-label series-2"],
  ]);
  const highestGrid = Math.min(
    ...withClass(narrow, "grid-line")[0]!.attributes.d!.match(
      /M[\d.]+ [\d.]+/g,
    )!
      .map((start) => Number(start.split(" ")[1])),
  );
  for (const { attributes: { x, y }, text } of labels) {
    assert(Number(y) < highestGrid, "above the plot");
    assert(Number(x) + 7 * text.length <= 320 - 24, "inside of the picture");
  }
  assertEquals(
    withClass(image(800), "line-label").map(({ text }) => text),
    names.slice(0, 2),
    "a wide one names them at their ends",
  );
});

Deno.test("chains without an index are named with the reason, and the accepted days", async () => {
  using deps = await testDeps();
  const { dead } = ANOMALY_CHAIN_IDS;
  const words = async (path: string) => {
    if (path.startsWith("/chart/")) {
      const { elements } = await askChart(deps, path.slice("/chart/".length));
      return elements.filter(({ name }) => name === "text")
        .map(({ text }) => text).join(" ");
    }
    const response = await createApp(deps).request(path);
    assertEquals(response.status, 200, path);
    return wordsOf(await response.text());
  };
  const days = "from=2026-11-02&to=2026-11-12";
  const compared = `chainId=43114&chainId=${dead}&${days}`;
  for (
    const path of ["/chart/txCount.svg?width=320&", "/embed/chart/txCount?"]
  ) {
    assertStringIncludes(
      await words(path + compared),
      "no index of DFK L1: no active and complete day in these days",
    );
  }
  const accepted = "expected a day from 2026-11-02 to 2026-11-12";
  const outside = "values=index&base=2026-10-01";
  const rows = [
    [
      `/chart/txCount.svg?${days}&${outside}`,
      "no index: 2026-10-01 has no complete value above 0 here",
    ],
    [
      `/?metric=txCount&chainId=43114&${days}&interval=day&${outside}`,
      "no index: 2026-10-01 has no complete value above 0 here",
    ],
    [
      `/?metric=txCount&chainId=43114&chainId=4337&${days}&interval=day&base=2026-10-01`,
      "no index: 2026-10-01 has no complete value above 0 here",
    ],
  ] as const;
  for (const [path, reason] of rows) {
    assertStringIncludes(await words(path), `${reason}, ${accepted}`, path);
  }
  assertStringIncludes(
    await words(`/chart/txCount.svg?${days}&values=index&base=30`),
    "no index: expected 30 complete days from the first active one",
  );
});

Deno.test("names in ideograms, which are nearly as wide as two letters, stay apart and inside of the picture", () => {
  const names = [
    "アバランチ日本チェーン",
    "雪崩網路",
    "눈사태네트워크체인".repeat(4),
  ];
  const values = [100, 200, 300];
  const lines = names.map((chainName, at) =>
    chart(DAYS, DAYS.map((day) => point(day, values[at]!)), {
      line: { chainName },
    }).lines[0]!
  );
  for (const width of [320, 800]) {
    const image = elementsOf(
      String(chartDocument({ ...chart(DAYS, []), lines }, { width })),
    );
    const ends = new Map<string, number>();
    const labels = withClass(image, "line-label");
    assertEquals(labels.length, names.length);
    for (const { attributes: { x, y }, text } of labels) {
      const start = Number(x);
      const end = start + 12 * [...text].length;
      assert(end <= width, `${text} ends at ${end} of ${width}`);
      assert(start >= (ends.get(y!) ?? 0), `${text} begins at ${start}`);
      ends.set(y!, end);
    }
  }
});

Deno.test("names in capitals above a narrow plot do not lie over the next name", () => {
  const names = ["PLAYA3ULL GAMES L1", "Beam L1", "NUMINE Mainnet", "Space L1"];
  // Measured in a browser, in the bold of DejaVu Sans, with the square before them.
  const widths = [163, 74, 130, 77];
  const lines = names.map((chainName) =>
    chart(DAYS, DAYS.map((day) => point(day, 1)), { line: { chainName } })
      .lines[0]!
  );
  const image = elementsOf(
    String(chartDocument({ ...chart(DAYS, []), lines }, { width: 360 })),
  );
  const ends = new Map<string, number>();
  withClass(image, "line-label").forEach(({ attributes: { x, y } }, at) => {
    assert(Number(x) >= (ends.get(y!) ?? 0), `${names[at]} begins at ${x}`);
    ends.set(y!, Number(x) + widths[at]!);
  });
});
