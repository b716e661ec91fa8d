/** Builds the Hono app from the routers of all capabilities. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { mountAccount } from "./accounts/mount.ts";
import { mountAttestations } from "./attestations/mount.ts";
import { mountChainData } from "./chain_data/mount.ts";
import { mountCharts } from "./charts/mount.ts";
import { mountDocs } from "./docs/mount.ts";
import { mountDownloads } from "./downloads/downloads.ts";
import type { AppDeps } from "./http/deps.ts";
import { dispatcher } from "./http/dispatcher.ts";
import { newApp } from "./http/new_app.ts";
import { mountMcp } from "./mcp/mcp.ts";
import { notFound } from "./not_found.ts";
import { answerFault, onError } from "./pages/on_error.ts";
import { openShared } from "./pages/open.ts";
import { staticFiles } from "./pages/static_files.ts";
import { mountPayments } from "./payments/payments.ts";
import { mountProfiles } from "./profiles/mount.ts";
import { mountScores } from "./scores/mount.ts";
import { status } from "./status/status.ts";

/** Creates the app. */
export function createApp(deps: AppDeps): OpenAPIHono {
  const app = newApp(deps, onError);
  app.notFound(notFound(app, deps));
  const shared = openShared(deps);
  const { answers, pages, renders, traffic } = shared;
  const history = deps.trafficHistory;

  mountChainData(app, deps, shared);
  mountDownloads(app, deps, answers);
  mountCharts(app, deps, shared);
  app.route("/static", staticFiles());
  const openKeyed = mountAccount(app, deps, renders);
  const scores = mountScores(app, deps, { ...shared, openKeyed });
  const { badges, readKeyedScore } = scores;
  mountAttestations(app, deps);
  mountPayments(app, deps);
  mountProfiles(app, deps, shared);
  app.route("/", status(deps, pages, { traffic, history }));
  const openLibrary = mountDocs(app, deps, answers);
  mountMcp(app, deps, { openLibrary, readKeyedScore, openKeyed });

  const caches = [answers, badges, pages];
  app.fetch = dispatcher(app, deps, { answerFault, caches, traffic, history });
  return app;
}
