/** Mounts the explorer, and the charts as pictures, files and embeds. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DownloadsDeps } from "../../services/downloads/deps.ts";
import { EMBEDS } from "../http/paths.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import type { SendPicture } from "../pages/picture_cache.ts";
import { chartEmbeds, charts } from "./charts.ts";
import { explorer } from "./explorer.ts";

/** Mounts the routers of charts on the app. */
export function mountCharts(
  app: OpenAPIHono,
  deps: DownloadsDeps,
  { answers, pages, sendPicture }: {
    readonly answers: ResponseCache;
    readonly pages: ResponseCache;
    readonly sendPicture: SendPicture;
  },
): void {
  app.route("/", explorer(deps, pages));
  app.route("/chart", charts(deps, answers, { sendPicture }));
  app.route(EMBEDS, chartEmbeds(deps, pages));
}
