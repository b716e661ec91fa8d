/** Comparisons of chains: pictures, small plots, and the CSV of all chains. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { appOf } from "../../support/app.ts";
import { layOutPanels, linePath } from "../../../routes/charts/chart_panels.ts";
import { METRIC_NAMES } from "../../../services/chain_data/catalogue/metrics_schema.ts";
import {
  type Chart,
  type ChartView,
  PLAIN_VIEW,
} from "../../../services/charts/charts_schema.ts";
import { ANOMALY_CHAIN_IDS } from "../../../simnet/series/anomalies.ts";
import { askMetrics } from "../../support/chain_data/metrics_answers.ts";
import {
  chart,
  elementsOf,
  point,
  withClass,
} from "../../support/charts/charts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { fc } from "../../support/properties.ts";

const BOX = { left: 0, top: 0, right: 800, bottom: 300 };
const DAYS = ["2026-11-01", "2026-11-02"];

async function ask(deps: TestDeps, path: string) {
  const response = await appOf(deps).request(path);
  return { status: response.status, text: await response.text() };
}

/** A chart of one line for each list of values. */
function compared(
  values: readonly (readonly number[])[],
  view: Partial<ChartView> = {},
): Chart {
  const lines = values.map((list) =>
    chart(DAYS, list.map((value, at) => point(DAYS[at]!, value))).lines[0]!
  );
  return { ...chart(DAYS, []), lines, view: { ...PLAIN_VIEW, ...view } };
}

Deno.test("small plots of an index share their range, those of values do not", () => {
  const highest = (view: Partial<ChartView>) =>
    layOutPanels(
      compared([[100, 110], [100, 900]], { ...view, layout: "panels" }),
      BOX,
    ).map(({ plot }) => plot.yTicks.at(-1)!.label);
  const [low, high] = highest({ values: "index", base: "first" });
  assertEquals(low, high);
  const [small, large] = highest({});
  assert(small !== large);
});

Deno.test("labels at the ends of lines keep their distance, order and frame, and their place if it is free", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 2, maxLength: 10 }),
    (ends) => {
      const view = { values: "index", base: "first" } as const;
      const lines = ends.map((end) => [100, end]);
      const [panel] = layOutPanels(compared(lines, view), BOX);
      const { labels, plot, frame } = panel!;
      assertEquals(labels.length, ends.length);
      const freeAt = labels.map(({ line }) => plot.lines[line]!.end!.y);
      assertEquals(freeAt, freeAt.toSorted((a, b) => a - b));
      for (const [at, { y }] of labels.entries()) {
        assert(y <= frame.bottom);
        if (at > 0) assert(y - labels[at - 1]!.y >= 14);
      }
      const isFree = freeAt.every((y, at) =>
        y <= frame.bottom && (at === 0 || y - freeAt[at - 1]! >= 14)
      );
      if (isFree) assertEquals(labels.map(({ y }) => y), freeAt);
    },
  ));
});

Deno.test("a dense line keeps the highest and the lowest value of every pixel", () => {
  const place = fc.record({
    x: fc.double({ min: 0, max: 12, noNaN: true }),
    y: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(fc.property(
    fc.array(place, { minLength: 200, maxLength: 200 }),
    (given) => {
      const places = given.toSorted((a, b) => a.x - b.x);
      const drawn = [...linePath(places).matchAll(/[ML](\d+),(\d+)/g)]
        .map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
      assert(drawn.length <= 4 * 13);
      const extremes = (list: readonly { x: number; y: number }[]) =>
        [...Map.groupBy(list, ({ x }) => Math.round(x))].map(([x, column]) => {
          const ys = column.map(({ y }) => y);
          return [x, ys[0], Math.min(...ys), Math.max(...ys), ys.at(-1)];
        });
      assertEquals(extremes(drawn), extremes(places));
    },
  ));
});

Deno.test("a comparison survives as a picture: names, base and separate axes", async () => {
  using deps = await testDeps();
  const { young, dead } = ANOMALY_CHAIN_IDS;
  const chains = `chainId=43114&chainId=${young}&chainId=${dead}`;
  const picture = async (view: string) => {
    const { status, text } = await ask(
      deps,
      `/chart/txCount.svg?${chains}&range=90d${view}`,
    );
    assertEquals(status, 200, text);
    return { text, elements: elementsOf(text) };
  };
  const index = await picture("");
  assertEquals(
    withClass(index.elements, "line-label").map(({ text }) => text),
    ["Dinari Financial Network", "C-Chain"],
    "the idle chain has no line",
  );
  assertStringIncludes(index.text, "100 is the first active day of each chain");
  const apart = await picture("&values=absolute");
  assertEquals(
    withClass(apart.elements, "panel-title").map(({ text }) => text),
    ["C-Chain", "Dinari Financial Network", "DFK L1"],
  );
  assertStringIncludes(apart.text, "separate axes");
  const log = await picture("&values=absolute&scale=log");
  assertStringIncludes(log.text, "88 days of 0 not on the log scale");
  const total = await picture("&values=total&average=7");
  assertStringIncludes(total.text, "7-day average over complete days");
});

Deno.test("GET /chart/{metric}.csv has one column for each chain, empty if it has no value", async () => {
  using deps = await testDeps();
  const { young } = ANOMALY_CHAIN_IDS;
  const query = `chainId=43114&chainId=${young}&range=90d`;
  // Pages show gas in larger units; files have those of the API.
  for (const metric of ["txCount", "gasUsed", "maxGps", "avgGasPrice"]) {
    const { text } = await ask(
      deps,
      `/chart/${metric}.csv?${query}&values=absolute`,
    );
    const [head, ...rows] = text.trim().split("\r\n");
    assertEquals(
      head,
      `period,C-Chain (43114),Dinari Financial Network (${young}),complete`,
    );
    const series = async (id: number) =>
      new Map(
        (await askMetrics(deps, `metric=${metric}&chainId=${id}&range=90d`))
          .body.series.map((item) => [item.day, item]),
      );
    const [ours, theirs] = [await series(43114), await series(young)];
    assertEquals(
      rows,
      [...ours.values()].map(({ day, value, complete }) =>
        [
          day,
          value,
          theirs.get(day)?.value ?? "",
          complete && (theirs.get(day)?.complete ?? true),
        ].join(",")
      ),
    );
  }
  const shares = await ask(deps, `/chart/txCount.csv?${query}&values=share`);
  const last = shares.text.trim().split("\r\n").at(-1)!.split(",");
  const sum = Number(last[1]) + Number(last[2]);
  assert(Math.abs(sum - 100) < 1e-9, last.join());
  for (
    const [path, status] of [
      [`/chart/feesPaid.csv?${query}&values=share`, 400],
      ["/chart/validators.csv", 400],
      ["/chart/nope.csv", 400],
      ["/chart/txCount.csv?chainId=999999999", 404],
    ] as const
  ) {
    const refused = await ask(deps, path);
    assertEquals(refused.status, status, path);
    assert("error" in JSON.parse(refused.text), path);
  }
  const { accepted } = JSON.parse((await ask(deps, "/chart/no.csv")).text);
  assertEquals(accepted, METRIC_NAMES, "a checked series is none");
});

Deno.test("network upgrades are marked on charts with the C-Chain, with their sources, and can be hidden", async () => {
  using deps = await testDeps();
  const marks = async (query: string) =>
    withClass(
      elementsOf((await ask(deps, `/chart/txCount.svg?${query}`)).text),
      "upgrade",
    ).map(({ text }) => text);
  const days = "from=2025-10-01&to=2026-10-01";
  assertEquals(await marks(days), ["Granite", "Helicon"]);
  assertEquals(await marks(`${days}&upgrades=hide`), []);
  assertEquals(await marks(`${days}&chainId=4337`), []);
  const page = await ask(deps, `/?metric=txCount&chainId=43114&${days}`);
  const { headers } = await appOf(deps).request(
    `/?metric=txCount&chainId=43114&${days}&upgrades=hide`,
  );
  assertStringIncludes(headers.get("Location")!, "upgrades=hide");
  assertEquals(page.status, 302);
  const shown = await ask(
    deps,
    `/?metric=txCount&chainId=43114&${days}&interval=day`,
  );
  assertStringIncludes(
    shown.text,
    "https://build.avax.network/blog/granite-upgrade",
  );
});
