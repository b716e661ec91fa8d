/** Mounts the scoring API, the badge, and the pages and pictures of scores. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { keyedScores } from "../../services/scores/keyed_scores.ts";
import { keyed } from "../accounts/caller.ts";
import type { AppDeps } from "../http/deps.ts";
import { ACCOUNT, SCORING, TOOLS } from "../http/paths.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { type ResponseCache, responseCache } from "../http/response_cache.ts";
import type { SendPicture } from "../pages/picture_cache.ts";
import { CARDS, cards } from "./cards.ts";
import { ownScore, scores } from "./scores.ts";
import { MAX_BADGE_BYTES, scoreBadge } from "./badge.ts";
import { scorePages } from "./score_page.ts";
import { about } from "./scoring_api.ts";

/** Mounts the routers of scores on the app. Returns the cache of badges. */
export function mountScores(
  app: OpenAPIHono,
  deps: AppDeps,
  { pages, renders, sendPicture }: {
    readonly pages: ResponseCache;
    readonly renders: RenderQueue;
    readonly sendPicture: SendPicture;
  },
) {
  // Badges have a cache of their own, so that they cannot evict chain data.
  const badges = responseCache(deps, {
    maxBytes: MAX_BADGE_BYTES,
    renders,
  });
  app.route(CARDS, cards(deps, sendPicture));
  app.route(TOOLS, scoreBadge(deps, badges));
  app.route("/tools/score", scorePages(deps, pages, renders));
  app.route(SCORING, about(deps));
  const keyedRequests = keyed(deps, app, renders);
  for (const path of ["score/*", "usage"]) {
    app.use(`${SCORING}/${path}`, keyedRequests);
  }
  app.route(SCORING, scores(deps, keyedScores(deps)));
  app.route(ACCOUNT, ownScore(deps));
  return badges;
}
