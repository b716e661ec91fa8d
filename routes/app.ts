/** Builds the Hono app from all routers. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import type { AppDeps } from "./deps.ts";
import { callerCache } from "../services/accounts/caller_cache.ts";
import { keyedScores } from "../services/scores/keyed_scores.ts";
import { trafficCounter } from "../services/platform/observability/traffic.ts";
import { chainData } from "./chain_data/catalogue.ts";
import { requestId } from "hono/request-id";
import { about } from "./scores/scoring_api.ts";
import { account } from "./accounts/account.ts";
import { accountKeys } from "./accounts/account_keys.ts";
import { attestations, wellKnown } from "./attestations/attestations.ts";
import { limitBody } from "./http/body.ts";
import { keyed, keyedRequests } from "./accounts/caller.ts";
import { chainsPages } from "./chain_data/chains_pages.ts";
import { chartEmbeds } from "./charts/chart_embeds.ts";
import { charts } from "./charts/charts.ts";
import { crossChecked } from "./chain_data/checked_series.ts";
import { dashboard } from "./accounts/dashboard.ts";
import { downloads, manifestKeys } from "./downloads/downloads.ts";
import { docs } from "./docs/docs.ts";
import { libraryOpener } from "./docs/docs_library.ts";
import { explorer } from "./charts/explorer.ts";
import { requireHost } from "./http/known_host.ts";
import { linking } from "./profiles/github_callback.ts";
import { mcp } from "./mcp/mcp.ts";
import { toolsOpener } from "./mcp/tools.ts";
import { metrics } from "./chain_data/metrics.ts";
import { notFound } from "./pages/not_found.ts";
import { onError } from "./pages/on_error.ts";
import { openApi } from "./docs/openapi.ts";
import {
  ACCOUNT,
  CHAIN_DATA,
  EMBEDS,
  LINKING,
  MCP,
  PROFILES,
  SCORING,
  TOOLS,
} from "./http/paths.ts";
import { pageHeaders } from "./pages/page_headers.ts";
import { CARDS, cards } from "./scores/cards.ts";
import { pictureCache } from "./pages/picture_cache.ts";
import { payments } from "./payments/payments.ts";
import { profileAccount } from "./profiles/own_profile.ts";
import { ownScore } from "./scores/own_score.ts";
import { profileData } from "./profiles/profile_data.ts";
import { profilePages } from "./profiles/profile_page.ts";
import { profiles } from "./profiles/profiles.ts";
import { quality } from "./chain_data/quality.ts";
import { revisions } from "./chain_data/revisions.ts";
import { MAX_BADGE_BYTES, scoreBadge } from "./scores/score_badge.ts";
import { scorePages } from "./scores/score_page.ts";
import { scores } from "./scores/scores.ts";
import { newRouter } from "./http/router.ts";
import { keepPrivate, sameOrigin } from "./accounts/session.ts";
import { socialLinks } from "./profiles/social_links.ts";
import { securityTxt } from "./docs/security_txt.ts";
import { staticFiles } from "./pages/static_files.ts";
import { status } from "./status/status.ts";
import { tracing } from "./http/tracing.ts";
import { verifyAttestation } from "./attestations/verify_attestation.ts";
import { dispatcher } from "./http/dispatcher.ts";
import { pageCache } from "./pages/page_content.ts";
import { renderQueue } from "./http/render_queue.ts";
import { CONDITIONAL_HEADERS, PREFLIGHT_S } from "./http/representation.ts";
import { responseCache } from "./http/response_cache.ts";
import { requestLog } from "./http/request_log.ts";
import type { Env, MiddlewareHandler } from "hono";

/** Body limit of account requests. Signatures of smart accounts are long. */
const MAX_ACCOUNT_BYTES = 16_384;

/** Creates the app. */
export function createApp(deps: AppDeps): OpenAPIHono {
  const app = newRouter();
  const answers = responseCache(deps);
  // Badges and pages have caches of their own, so that they cannot evict chain data.
  const badges = responseCache(deps, { maxBytes: MAX_BADGE_BYTES });
  const pages = pageCache(deps);
  app.onError(onError);
  app.notFound(notFound(app, deps));
  app.use(
    chained(requestId(), requestLog(deps), pageHeaders(), requireHost()),
  );
  app.use(
    `${CHAIN_DATA}/*`,
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD"],
      allowHeaders: ["Cache-Control", ...CONDITIONAL_HEADERS],
      maxAge: PREFLIGHT_S,
    }),
  );
  app.use(`${ACCOUNT}/*`, keepPrivate);
  app.route(CHAIN_DATA, chainData(deps, answers));
  app.route(CHAIN_DATA, metrics(deps, answers));
  app.route(CHAIN_DATA, crossChecked(deps, answers));
  app.route(CHAIN_DATA, quality(deps, answers));
  app.route("/", downloads(deps, answers));
  app.route(CHAIN_DATA, revisions(deps, answers));
  const renders = renderQueue(deps);
  app.route("/", explorer(deps, pages, renders));
  app.route("/chains", chainsPages(deps, pages, renders));
  const sendPicture = pictureCache(deps, renders);
  app.route("/chart", charts(deps, answers, { renders, sendPicture }));
  app.route(EMBEDS, chartEmbeds(deps, pages, renders));
  app.route(CARDS, cards(deps, sendPicture));
  app.route("/static", staticFiles());
  app.route(TOOLS, scoreBadge(deps, badges));
  app.route("/tools/score", scorePages(deps, pages, renders));
  app.route("/profiles", profilePages(deps, pages, renders));
  app.route("/dashboard", dashboard(deps));
  const openKeyed = keyedRequests(deps, callerCache(deps), renders);
  const readKeyedScore = keyedScores(deps);
  app.route(SCORING, about(deps));
  for (const path of ["score/*", "usage"]) {
    app.use(`${SCORING}/${path}`, keyed(deps, openKeyed, app));
  }
  app.route(SCORING, scores(deps, readKeyedScore));
  app.route(SCORING, attestations(deps));
  app.route("/.well-known", wellKnown(deps));
  app.route("/.well-known", securityTxt(deps));
  app.route("/.well-known", manifestKeys(deps));
  app.route("/", verifyAttestation(deps));
  app.use(`${ACCOUNT}/*`, limitBody(MAX_ACCOUNT_BYTES), sameOrigin(deps));
  app.route(ACCOUNT, account(deps));
  app.route(ACCOUNT, accountKeys(deps));
  app.route(ACCOUNT, payments(deps));
  app.route(ACCOUNT, ownScore(deps));
  app.route(ACCOUNT, profileAccount(deps));
  app.route(ACCOUNT, profileData(deps));
  app.route(ACCOUNT, socialLinks(deps));
  app.route(LINKING, linking(deps));
  app.route(PROFILES, profiles(deps));
  const traffic = trafficCounter(deps);
  const history = deps.trafficHistory;
  const description = openApi(app, deps, answers);
  app.route("/", description.router);
  app.route("/", status(deps, pages, { traffic, history }));
  const openLibrary = libraryOpener(deps.publicUrl, description.read);
  app.route("/", docs(deps, openLibrary));
  const openTools = toolsOpener(deps, openLibrary, readKeyedScore);
  app.route(MCP, mcp(deps, { openTools, openKeyed }));
  app.fetch = dispatcher(app.fetch, deps, {
    caches: [answers, badges, pages],
    traffic,
    history,
  });
  const { telemetry } = deps;
  if (telemetry.isExported) app.fetch = tracing(telemetry, app, app.fetch);
  return app;
}

/**
 * Makes one middleware of several, the first one outermost. Hono awaits each
 * middleware of its own in turn, which every request would pay for.
 * None of them may return a response or throw, before or after it calls `next`: the
 * outer ones, such as the log, would not finish. A middleware sets `c.res` instead.
 */
function chained<E extends Env>(
  ...middleware: readonly MiddlewareHandler<E>[]
): MiddlewareHandler<E> {
  return middleware.reduceRight((inner, outer) => (c, next) =>
    outer(c, () => inner(c, next) as Promise<void>)
  );
}
