/** The status as a page and as JSON. */
import { createRoute } from "@hono/zod-openapi";
import { routePath } from "hono/route";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import {
  LivenessAnswer,
  StatusAnswer,
} from "../../services/status/status_schema.ts";
import type { AppDeps } from "../http/deps.ts";
import {
  type RequestCounters,
  statusReader,
} from "../../services/status/status.ts";
import { pageContent } from "../pages/page_content.ts";
import { networkOfClient } from "../http/client_address.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { BAD_QUERY, json, newRouter } from "../http/router.ts";
import { anyOrigin } from "../http/cors.ts";
import { statusPage } from "./status_page.ts";

const STATUS = "/status";

/** The page shows problems soon. */
const KEEP = { forMs: 5_000 };

const getStatus = createRoute({
  operationId: "getStatus",
  description:
    "For dashboards: how current each source is, the last run of each job, and what this process did in the last hour. The status code is 200 even if a part is degraded.",
  tags: ["Service"],
  method: "get",
  path: `${STATUS}.json`,
  summary: "Show sources, checks, jobs, database and requests",
  request: { query: NoQuery },
  responses: {
    200: json(StatusAnswer, "The status, degraded or not"),
    ...BAD_QUERY,
  },
});

const getLiveness = createRoute({
  operationId: "getLiveness",
  tags: ["Service"],
  method: "get",
  path: "/live",
  summary: "Probe the process alone",
  description:
    "Answers as long as the process can answer, whether or not the database does. A process that does not answer should be restarted. To learn whether it can serve requests, probe `/api/v1/health`.",
  request: { query: NoQuery },
  responses: {
    200: json(LivenessAnswer, "The process answers"),
    ...BAD_QUERY,
  },
});

/** Serves the status, even if a source or the database is unreachable. */
export function status(
  deps: AppDeps,
  { pages, renders }: {
    readonly pages: ResponseCache;
    readonly renders: Pick<RenderQueue, "run">;
  },
  counters: RequestCounters,
) {
  const readStatus = statusReader(deps, counters);
  const router = newRouter();
  router.use(`${STATUS}.json`, anyOrigin());
  router.get(STATUS, async (c) => {
    const url = `${deps.publicUrl}${STATUS}`;
    return await pages.send(
      c,
      {},
      async () =>
        pageContent(statusPage(await readStatus(), url), deps.now(), KEEP),
    );
  });
  router.openapi(getLiveness, (c) => {
    c.header("Cache-Control", "no-store");
    return c.json({ status: "ok" as const }, 200);
  });
  return router.openapi(getStatus, async (c) => {
    c.header("Cache-Control", "no-store");
    const client = networkOfClient(deps, c);
    const read = await renders.run(client, readStatus, { route: routePath(c) });
    return c.json(read, 200);
  });
}
