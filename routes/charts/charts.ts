/** `GET /chart/{name}.svg`, `.png` and `.csv`: charts of metrics and of the checked series, and the drawn values as CSV. */
import type { Context } from "hono";
import { METRIC_NAMES } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  type Chart,
  type ChartName,
  CHECKED_CHART_NAMES,
  type CheckedChartName,
  ValidLook,
} from "../../services/charts/charts_schema.ts";
import { shownOf } from "../../services/charts/hidden_parts.ts";
import type { ChainDataDeps } from "../../services/chain_data/overview/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { csvCell, shortened } from "../../services/platform/quoted_text.ts";
import { drawnTable } from "../../services/charts/charts.ts";
import { csvContent } from "../http/content.ts";
import { describeChartPaths } from "./chart_paths.ts";
import {
  lookOf,
  parseChartName,
  parseTableName,
  selectChart,
  selectMetricChart,
} from "./select_chart.ts";
import { headOfFault } from "../pages/on_error.ts";
import { drawableName } from "../pages/drawable_names.ts";
import type { SendPicture } from "../pages/picture_cache.ts";
import type { ChartLook } from "./chart_card.ts";
import { newRouter } from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { anyOrigin } from "../http/cors.ts";
import { prefersJson } from "../pages/page.ts";

const SVG = "image/svg+xml; charset=utf-8";

/** Any page may embed the image. The image may load nothing. */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Serves charts through the response cache. */
export function charts(
  deps: ChainDataDeps,
  answers: ResponseCache,
  { sendPicture }: {
    readonly sendPicture: SendPicture;
  },
) {
  const router = newRouter();
  router.use(anyOrigin());
  for (const path of describeChartPaths()) {
    router.openAPIRegistry.registerPath(path);
  }

  // One pattern: two that overlap would keep Hono from its fastest router.
  router.get("/:file{[^]+\\.(?:svg|png|csv)}", (c) => {
    const file = c.req.param("file");
    const given = file.slice(0, -".svg".length);
    if (file.endsWith(".csv")) return sendTable(c, given);
    const name = parseChartName(given);
    return file.endsWith(".png") ? sendPng(c, name) : sendSvg(c, name);
  });

  function sendSvg(c: Context, name: ChartName) {
    const { query, unknown, look, read } = selectChart(deps, c, name);
    return answers.send(
      c,
      { ...query, ...look, unknown },
      async (freshness) => {
        const { answer, ...dates } = await read(freshness);
        const text = await draw(shownOf(answer, query), look, unknown);
        return { text, type: SVG, headers: HEADERS, ...dates };
      },
    );
  }

  function sendPng(c: Context, name: ChartName) {
    const { query, unknown, look, read } = selectChart(deps, c, name);
    const theme = look.theme === "dark" ? "dark" : "light";
    return sendPicture(c, {
      // The query of a checked series also holds the look. Only its theme has an effect.
      key: JSON.stringify([
        name,
        { ...query, ...lookOf({}) },
        theme,
        unknown,
      ]),
      file: name,
      density: look.density ?? 1,
      background: GROUNDS[theme],
      draw: async (client) => {
        const { answer } = await read({ maxStaleMs: 0, client });
        const named = inDrawableNames(shownOf(answer, query));
        const svg = await draw(named, { theme, width: PICTURE_WIDTH }, unknown);
        return svg.replace(/ height="\d+"/, ` height="${PICTURE_HEIGHT}"`);
      },
    });
  }

  function sendTable(c: Context, given: string) {
    const checked = CHECKED_CHART_NAMES.find((name) => name === given);
    if (checked !== undefined) throw noSuchTable(checked);
    const name = parseTableName(given);
    const { query, unknown, read } = selectMetricChart(deps, c, name);
    return answers.send(c, { ...query, unknown }, async (freshness) => {
      const { answer, ...dates } = await read(freshness);
      const { columns, rows } = drawnTable(shownOf(answer, query));
      return csvContent(dates, {
        name: fileNameOf(answer, unknown),
        columns: columns.map((column) => ({
          prop: column,
          header: csvCell(column),
        })),
        rows,
      });
    });
  }

  // An embedded SVG shows no JSON, so its errors are images, too. Errors of a PNG or CSV are JSON.
  router.onError(async (error, c) => {
    const isImage = !/\.(?:csv|png)$/.test(c.req.path) && !prefersJson(c);
    if (!(error instanceof Fault) || !isImage) throw error;
    const { status, headers } = headOfFault(c, error);
    const { chartOfError } = await import("./chart_error.ts");
    const message = redactKeys(error.message);
    const look = ValidLook.parse(c.req.query());
    const image = String(await chartOfError({ status, message }, look));
    return c.body(image, status, {
      ...headers,
      ...HEADERS,
      "Content-Type": SVG,
      "Vary": "Accept",
    });
  });
  return router;
}

/** Size in which a picture is drawn before it is enlarged to 1200 × 630 pixels; a higher chart is fitted in. */
const PICTURE_WIDTH = 840;
const PICTURE_HEIGHT = 441;

/** Returns a chart with names that the fonts of pictures have: a chain id where they lack a letter. */
function inDrawableNames(chart: Chart): Chart {
  const { lines, chainNames } = chart;
  const fallback = (chainId: number | null = null) =>
    chainId === null ? "a chain" : `Chain ${chainId}`;
  return {
    ...chart,
    lines: lines.map((line) => ({
      ...line,
      chainName: drawableName(line.chainName, fallback(line.chainId)),
    })),
    // A total is one line of several chains.
    chainNames: chainNames.map((name, index) =>
      drawableName(
        name,
        fallback(
          lines.length === chainNames.length ? lines[index]?.chainId : null,
        ),
      )
    ),
  };
}

/** The background beside a chart that is too high for the proportions of the picture. */
const GROUNDS = { light: "#ffffff", dark: "#121b22" } as const;

/** Draws a chart as SVG. */
async function draw(
  chart: Chart,
  look: ChartLook,
  unknown: readonly string[],
): Promise<string> {
  // Loaded with the first chart: the module imports d3 packages.
  const { chartDocument } = await import("./chart_svg.ts");
  return String(await chartDocument(chart, look, unknownWords(unknown)));
}

/** Names a file by chain, metric, unit and days: `c-chain-txCount-count-2026-10-01-2026-10-31`. */
function fileNameOf(
  { name, axis, chainNames, lines, unit }: Chart,
  unknown: readonly string[],
): string {
  const tokens = new Set(lines.map(({ token }) => token ?? "native"));
  return [
    chainNames.length === 1
      ? chainNames[0]!.toLowerCase()
      : `${chainNames.length}-chains`,
    name,
    unit === "avax" ? [...tokens].join("-") : unit,
    ...axis.length === 0 ? [] : [axis[0]!, axis.at(-1)!],
    // A line in the file would be read as data.
    ...unknownWords(unknown),
  ].join("-").replaceAll(/[^\w-]+/g, "-");
}

/** Names the parameters that nobody knows; nothing without one. */
export function unknownWords(unknown: readonly string[]): string[] {
  return unknown.map((name) =>
    `unknown parameter ${redactKeys(shortened(name))}`
  );
}

/** Builds the fault for a CSV that another endpoint serves. */
function noSuchTable(name: CheckedChartName): Fault {
  const expected = METRIC_NAMES.join(", ");
  return new Fault(
    `Invalid metric "${name}": expected one of ${expected}; the series is at /api/chain-data/${name}?format=csv`,
    { kind: "badInput", parameter: "metric", accepted: [...METRIC_NAMES] },
  );
}
