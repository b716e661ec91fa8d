/** Mounts profiles: pages, the owner's account, linked accounts, follows. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppDeps } from "../http/deps.ts";
import { ACCOUNT, LINKING, PROFILES } from "../http/paths.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import {
  linking,
  profileAccount,
  profileData,
  profiles,
  socialLinks,
} from "./profiles.ts";
import { ownProfile } from "./own_profile_page.ts";
import { profilePages } from "./profile_page.ts";

/** Mounts the routers of profiles on the app. */
export function mountProfiles(
  app: OpenAPIHono,
  deps: AppDeps,
  { pages, renders }: {
    readonly pages: ResponseCache;
    readonly renders: RenderQueue;
  },
): void {
  app.route("/profiles", profilePages(deps, pages, renders));
  app.route("/dashboard", ownProfile(deps));
  app.route(ACCOUNT, profileAccount(deps));
  app.route(ACCOUNT, profileData(deps));
  app.route(ACCOUNT, socialLinks(deps));
  app.route(LINKING, linking(deps));
  app.route(PROFILES, profiles(deps));
}
