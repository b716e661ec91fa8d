/** Mounts the open API of chain data, and the pages of chains. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DownloadsDeps } from "../../services/downloads/downloads.ts";
import { CHAIN_DATA, CHARTS } from "../http/paths.ts";
import { anyOrigin } from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { chainData } from "./catalogue.ts";
import { chainsPages, metricPages } from "./chains_pages.ts";
import { crossChecked } from "./checked_series.ts";
import { metrics } from "./metrics.ts";
import { proofPages } from "./proof_pages.ts";
import { quality } from "./quality.ts";
import { revisions } from "./revisions.ts";

/** Mounts the routers of chain data on the app. */
export function mountChainData(
  app: OpenAPIHono,
  deps: DownloadsDeps,
  { answers, pages }: {
    readonly answers: ResponseCache;
    readonly pages: ResponseCache;
  },
): void {
  app.use(`${CHAIN_DATA}/*`, anyOrigin());
  app.route(CHAIN_DATA, chainData(deps, answers));
  app.route(CHAIN_DATA, metrics(deps, answers));
  app.route(CHAIN_DATA, crossChecked(deps, answers));
  app.route(CHAIN_DATA, quality(deps, answers));
  app.route(CHAIN_DATA, revisions(deps, answers));
  app.route("/chains", chainsPages(deps, pages));
  app.route(CHARTS, metricPages(deps, pages));
  app.route("/", proofPages(deps, pages));
}
