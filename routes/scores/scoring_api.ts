/** `GET /api/v1` describes the scoring API, `GET /api/v1/health` probes it. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { describeScoring, readHealth } from "./scoring_api_description.ts";
import { HealthAnswer, ScoringAnswer } from "./scoring_api_schema.ts";
import { NoQuery } from "../../services/platform/wire_schema.ts";
import { EXPOSED_HEADERS } from "../http/representation.ts";
import type { AppDeps } from "../http/deps.ts";
import { SERVICE_LINKS } from "../http/paths.ts";
import { BAD_QUERY, json, newRouter } from "../http/router.ts";
import { anyOrigin } from "../http/cors.ts";
import { ALLOWANCE_HEADERS } from "../http/rate_limit_headers.ts";

const getScoring = createRoute({
  operationId: "getScoring",
  description:
    "Everything a program needs to know about the scoring API without reading the guides. It needs no key.",
  tags: ["Service"],
  method: "get",
  path: "/",
  summary:
    "Describe this API: endpoints, plans, limits, tiers, reasons, flags and error codes",
  request: { query: NoQuery },
  responses: {
    200: json(ScoringAnswer, "The description"),
    ...BAD_QUERY,
  },
});

const getHealth = createRoute({
  operationId: "getHealth",
  description:
    "Reads the database once and waits at most a second. Use it as a readiness probe. It needs no key.",
  tags: ["Service"],
  method: "get",
  path: "/health",
  summary: "Probe the service and its database",
  request: { query: NoQuery },
  responses: {
    200: json(HealthAnswer, "The service works"),
    ...BAD_QUERY,
    503: json(
      HealthAnswer,
      "The database does not answer, or the process stops",
    ),
  },
});

/** Serves the description and the health probe. Neither needs a key, so scripts of any origin may read them. */
export function about(deps: AppDeps): OpenAPIHono {
  const router = newRouter();
  const allowScripts = anyOrigin([
    ...EXPOSED_HEADERS,
    ...ALLOWANCE_HEADERS,
  ]);
  for (const path of ["/", "/health"]) router.use(path, allowScripts);
  return router
    .openapi(getScoring, async (c) => {
      // A shared cache would give one client's allowance to another.
      c.header("Cache-Control", "private, max-age=300");
      c.header("Link", SERVICE_LINKS);
      return c.json(await describeScoring(deps), 200);
    })
    .openapi(getHealth, async (c) => {
      c.header("Cache-Control", "no-store");
      const health = await readHealth(deps);
      return c.json(health, health.status === "ok" ? 200 : 503);
    });
}
