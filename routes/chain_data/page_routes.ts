/** The pages of chains and metrics: `/chains`, one page per chain, and `/charts/{metric}`. */
import { z } from "@hono/zod-openapi";
import {
  type DownloadsDeps,
  retrievedNow,
} from "../../services/downloads/downloads.ts";
import { readStoredPair } from "../../services/chain_data/checks/index_checks.ts";
import {
  C_CHAIN,
  METRIC_NAMES,
  MetricsQuery,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { findByName, listForExplorer } from "../../services/charts/explorer.ts";
import {
  readChainMetrics,
  readColumn,
} from "../../services/chain_data/overview/overview.ts";
import { OverviewQuery } from "../../services/chain_data/overview/overview_schema.ts";
import {
  readOverview,
  readStanding,
} from "../../services/downloads/read_overview.ts";
import { dayAt, formatDay } from "../../services/platform/days.ts";
import { pageContent } from "../pages/page_content.ts";
import { checkInput, checkQuery } from "../http/validation_errors.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { newRouter } from "../http/router.ts";

const ChainPath = z.object({ chainId: MetricsQuery.shape.chainId });
const MetricPath = z.object({ metric: z.enum(METRIC_NAMES) });

/** Serves the pages of chains through the cache of pages. */
export function chainsPages(
  deps: DownloadsDeps,
  pages: ResponseCache,
) {
  const { now, publicUrl } = deps;
  return newRouter()
    .get("/", (c) => {
      const query = checkQuery(c, OverviewQuery);
      return pages.send(
        c,
        query,
        async () => {
          // Loaded with the first page: the module imports the words of charts.
          const { chainsPage } = await import(
            "./all_chains_page.ts"
          );
          const read = await readOverview(deps);
          const { metric, period } = query;
          // The overview has the transactions of the newest day itself.
          const column = metric === "txCount" && period === "day"
            ? null
            : await readColumn(deps, read.overview.chains, { metric, period });
          const retrievedOn = formatDay(dayAt(now().getTime()));
          return pageContent(
            chainsPage({ ...read, column, query, publicUrl, retrievedOn }),
            now(),
          );
        },
      );
    })
    .get("/:chainId", async (c) => {
      const given = c.req.param("chainId");
      if (/\p{L}/u.test(given)) {
        const chain = findByName(given, await listForExplorer(deps));
        if (chain) return c.redirect(`/chains/${chain.chainId}`, 302);
      }
      const { chainId } = checkInput(ChainPath, c.req.param());
      return pages.send(
        c,
        { chainId },
        async () => {
          const { chainPage } = await import(
            "./one_chain_page.ts"
          );
          const [read, cited, standing] = await Promise.all([
            readChainMetrics(deps, chainId),
            retrievedNow(deps),
            readStanding(deps, chainId),
          ]);
          return pageContent(
            chainPage(read, { publicUrl, cited, standing }),
            now(),
          );
        },
      );
    });
}

/** Serves the page of each metric through the cache of pages. */
export function metricPages(deps: DownloadsDeps, pages: ResponseCache) {
  const { now, publicUrl } = deps;
  return newRouter().get("/:metric", (c) => {
    const { metric } = checkInput(MetricPath, c.req.param());
    return pages.send(c, { metric }, async () => {
      const { metricPage } = await import("./metric_page.ts");
      const { overview } = await readOverview(deps);
      const [column, pair] = await Promise.all([
        readColumn(deps, overview.chains, { metric, period: "day" }),
        readStoredPair(deps, { chainId: C_CHAIN, metric }),
      ]);
      const check = pair?.check ?? null;
      return pageContent(
        metricPage({ overview, column, check, publicUrl }),
        now(),
      );
    });
  });
}
