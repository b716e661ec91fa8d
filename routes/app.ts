/** Builds the Hono app from the routers of all capabilities. */
import { mountAccount } from "./accounts/mount.ts";
import { mountAttestations } from "./attestations/attestations.ts";
import { mountChainData } from "./chain_data/chain_data.ts";
import { mountCharts } from "./charts/charts.ts";
import { mountDocs } from "./docs/docs.ts";
import { mountDownloads } from "./downloads/downloads.ts";
import type { AppDeps } from "./http/deps.ts";
import { dispatcher, newApp } from "./http/dispatcher.ts";
import { ACCOUNT, PROFILES } from "./http/paths.ts";
import { inTurn, type RenderQueue, renderQueue } from "./http/render_queue.ts";
import { mountMcp } from "./mcp/mcp.ts";
import { notFound } from "./not_found.ts";
import { answerFault, onErrorWith } from "./pages/on_error.ts";
import { openShared } from "./pages/open.ts";
import { staticFiles } from "./pages/static_files.ts";
import { mountPayments } from "./payments/payments.ts";
import { mountProfiles } from "./profiles/mount.ts";
import { mountScores } from "./scores/mount.ts";
import { status } from "./status/status.ts";

/** Paths whose answers no cache keeps: each is made in the turn of its network. */
const MADE_EACH_TIME = [
  "/docs/*",
  "/llms.txt",
  "/llms-full.txt",
  "/sitemap.xml",
  "/tools/score",
  "/tools/verify-attestation",
  "/dashboard/*",
  `${ACCOUNT}/*`,
  `${PROFILES}/*`,
];

/** Creates the app. Everything that is not cached is made in the turns of `renders`. */
export function createApp(
  deps: AppDeps,
  renders: RenderQueue = renderQueue(deps),
) {
  const shared = openShared(deps, renders);
  const { answers, pages, traffic } = shared;
  const app = newApp(deps, onErrorWith(deps, [answers, pages]));
  app.notFound(notFound(app, deps, renders));
  const history = deps.trafficHistory;
  for (const path of MADE_EACH_TIME) app.use(path, inTurn(deps, renders));

  mountChainData(app, deps, shared);
  mountDownloads(app, deps, shared);
  mountCharts(app, deps, shared);
  app.route("/static", staticFiles());
  mountAccount(app, deps);
  const badges = mountScores(app, deps, shared);
  mountAttestations(app, deps);
  mountPayments(app, deps);
  mountProfiles(app, deps, shared);
  app.route("/", status(deps, { pages, renders }, { traffic, history }));
  const openLibrary = mountDocs(app, deps, answers);
  mountMcp(app, deps, { openLibrary, route: app.fetch, renders });

  const caches = [answers, badges, pages];
  app.fetch = dispatcher(app, deps, { answerFault, caches, traffic, history });
  return app;
}
