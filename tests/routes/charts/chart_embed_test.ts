/** Charts as pages for frames: their words, their two pictures, their link, and their error. */
import { assertEquals } from "@std/assert";
import {
  chartEmbed,
  EMBED_STYLES,
  embedOfError,
} from "../../../routes/charts/chart_svg.ts";
import type { Chart } from "../../../services/charts/charts_schema.ts";
import { compared, panelsOf } from "../../support/charts/compared_charts.ts";
import { outlineOf } from "../../support/outline.ts";

const EXPLORER = "https://firn.example/?metric=txCount";

function shown(chart: Chart) {
  const page = String(chartEmbed(chart, { explorer: EXPLORER }));
  const [, body] = page.match(/<body>([^]*)<\/body>/)!;
  const views = [...page.matchAll(/<svg[^>]* viewBox="([^"]*)"/g)];
  return {
    page,
    lines: outlineOf(body!, /^(wide|narrow|is-apart|notices)$/),
    views: views.map(([, view]) => view),
  };
}

Deno.test("an embedded chart has its words, a wide and a narrow picture, its source and a link", () => {
  const { page, lines, views } = shown(compared([[1, 2, 3, 4]]));
  assertEquals(lines, [
    "h1 Transactions on Chain 1",
    "p Transactions by day, 2026-11-01 to 2026-11-04",
    "div.wide",
    "div.narrow",
    "p Source: a source. Data through 2026-11-04, read 2026-11-21 08:00 UTC, by Firn",
    "[href=https://firn.example/?metric=txCount]Open in the explorer",
  ]);
  assertEquals(views, [
    "0 0 800 300",
    "0 0 360 260",
  ]);
  assertEquals(
    page.includes(`<link rel="canonical" href="${EXPLORER}">`),
    true,
  );
  assertEquals(page.includes(EMBED_STYLES.auto), true);
  assertEquals(/<script|<link rel="stylesheet"/.test(page), false);
});

Deno.test("an embedded chart of several axes is marked, and one without days says so", () => {
  const marks = (chart: Chart) =>
    shown(chart).lines.filter((line) => /^div/.test(line));
  assertEquals(marks(compared([[1, 2], [3, 4]])), [
    "div.wide",
    "div.narrow",
  ]);
  assertEquals(marks(compared([[1, 2], [1e9, 2e9]])), [
    "div.wide.is-apart",
    "div.narrow.is-apart",
  ]);
  assertEquals(shown(panelsOf(2)).views.length > 0, true);
  const empty = shown({ ...compared([[]]), axis: [] });
  assertEquals(empty.views, []);
  assertEquals(
    empty.lines.includes("p There are no values for these days."),
    true,
  );
});

Deno.test("a chart that cannot be drawn is a page that says why, without a canonical address", () => {
  const page = String(embedOfError({
    message: "No such chain",
    publicUrl: "https://firn.example",
  }));
  const [, body] = page.match(/<body>([^]*)<\/body>/)!;
  assertEquals(outlineOf(body!), [
    "h1 This chart cannot be drawn",
    "p No such chain",
    "footer [href=https://firn.example/]Open the explorer",
  ]);
  assertEquals(page.includes("canonical"), false);
});
