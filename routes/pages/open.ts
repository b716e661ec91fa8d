/** The caches and the queue that all routers share. */
import { trafficCounter } from "../../services/platform/observability/traffic.ts";
import type { AppDeps } from "../http/deps.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { responseCache } from "../http/response_cache.ts";
import { pageCache } from "./page_content.ts";
import { pictureCache } from "./picture_cache.ts";

/** Opens them. Pages have a cache of their own, so that they cannot evict chain data. */
export function openShared(deps: AppDeps, renders: RenderQueue) {
  return {
    answers: responseCache(deps, { renders }),
    pages: pageCache(deps, renders),
    renders,
    sendPicture: pictureCache(deps, renders),
    traffic: trafficCounter(deps),
  };
}
