/** `/charts/{metric}`: one page for each metric of the catalogue. */
import { z } from "@hono/zod-openapi";
import { readStoredPair } from "../../services/chain_data/checks/index_checks.ts";
import {
  C_CHAIN,
  METRIC_NAMES,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { readColumn } from "../../services/downloads/chain_metrics.ts";
import type { DownloadsDeps } from "../../services/downloads/deps.ts";
import { readOverview } from "../../services/downloads/read_overview.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { newRouter } from "../http/router.ts";
import { invalidInput } from "../http/validation_errors.ts";
import { pageContent } from "../pages/page_content.ts";

const MetricPath = z.object({ metric: z.enum(METRIC_NAMES) });

/** Serves the pages through the cache of pages. */
export function metricPages(deps: DownloadsDeps, pages: ResponseCache) {
  const { now, publicUrl } = deps;
  return newRouter().get("/:metric", (c) => {
    const data = c.req.param();
    const checked = MetricPath.safeParse(data);
    if (!checked.success) {
      const { error } = checked;
      throw invalidInput({ target: "path", data, error, queries: () => [] });
    }
    const { metric } = checked.data;
    return pages.send(c, { metric }, async () => {
      // Loaded with the first page: the module imports the words of charts.
      const { metricPage } = await import("./metric_page.ts");
      const { overview } = await readOverview(deps);
      const [column, pair] = await Promise.all([
        readColumn(deps, overview.chains, { metric, period: "day" }),
        readStoredPair(deps, { chainId: C_CHAIN, metric }),
      ]);
      return pageContent(
        metricPage({
          overview,
          column,
          check: pair?.check ?? null,
          publicUrl,
        }),
        now(),
      );
    });
  });
}
