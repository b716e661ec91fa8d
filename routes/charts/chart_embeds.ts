/** `GET /embed/chart/{name}`: charts as pages for frames of other sites. */
import type { Context } from "hono";
import type { ChainDataDeps } from "../../services/chain_data/overview/deps.ts";
import { shownOf } from "../../services/charts/hidden_parts.ts";
import { Fault } from "../../services/platform/fault.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { embedContent } from "../pages/page_content.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { newRouter } from "../http/router.ts";
import { headOfFault } from "../pages/on_error.ts";
import { givenQuery } from "../http/query.ts";
import { unknownWords } from "./charts.ts";
import { describeChartEmbed } from "./chart_paths.ts";
import { parseChartName, selectChart } from "./select_chart.ts";

/** Parameters that the explorer does not have. */
const LOOKS = ["theme", "width", "density"];

/** Serves the pages through the cache of pages. */
export function chartEmbeds(
  deps: ChainDataDeps,
  pages: ResponseCache,
) {
  const { publicUrl } = deps;
  const router = newRouter();
  router.openAPIRegistry.registerPath(describeChartEmbed());

  router.get("/chart/:metric", (c) => {
    const name = parseChartName(c.req.param("metric"));
    const selected = selectChart(deps, c, name);
    const { query, unknown, look: { theme }, read } = selected;
    const given = new URLSearchParams(
      Object.entries(givenQuery(c)).flatMap(([name, values]) =>
        values.map((value) => [name, value])
      ),
    );
    for (const look of [...LOOKS, ...unknown]) given.delete(look);
    const explored = new URLSearchParams([["metric", name], ...given]);
    return pages.send(
      c,
      { ...query, theme, unknown },
      async (freshness) => {
        const { answer, ...dates } = await read(freshness);
        // Loaded with the first embed: the module imports d3 packages.
        const { chartEmbed } = await import("./chart_embed.ts");
        const page = chartEmbed(shownOf(answer, query), {
          theme,
          notes: unknownWords(unknown),
          explorer: `${publicUrl}/?${explored}`,
        });
        return await embedContent(String(await page), dates);
      },
    );
  });

  router.onError(async (error, c) => {
    if (!(error instanceof Fault)) throw error;
    return await answerEmbedFault(c, error, publicUrl);
  });
  return router;
}

/**
 * Answers a fault with a page for the frame of another site, which may not load the
 * styles of the other pages.
 */
export async function answerEmbedFault(
  c: Context,
  fault: Fault,
  publicUrl: string,
): Promise<Response> {
  const { status, headers } = headOfFault(c, fault);
  const { embedOfError } = await import("./chart_embed.ts");
  const message = redactKeys(fault.message);
  return c.html(embedOfError({ message, publicUrl }), status, headers);
}
