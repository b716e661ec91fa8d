/** The public page of a profile, by address or slug. */
import { z } from "@hono/zod-openapi";
import { routePath } from "hono/route";
import { Address } from "../../services/platform/address_schema.ts";
import { waitOutside } from "../../services/platform/turn.ts";
import { query } from "../../services/platform/wire_schema.ts";
import { readName, resolveName } from "../../services/profiles/avax_names.ts";
import type { AppDeps } from "../http/deps.ts";
import {
  FOLLOW_LISTS,
  readProfilePage,
} from "../../services/scores/profile_page.ts";
import { answerPage } from "../pages/page.ts";
import { pageContent } from "../pages/page_content.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { newRouter } from "../http/router.ts";
import { checkQuery } from "../http/query.ts";
import { networkOfClient } from "../http/client_address.ts";
import { profilePage } from "./profile_page_view.ts";
import { readVisitor } from "../scores/follow_bar.ts";

const PageQuery = query({
  list: z.enum(FOLLOW_LISTS).default("followers"),
  after: Address.optional(),
});

/** The page of a visitor without a session is rendered again after this time. */
const KEEP = { forMs: 15_000, isPersonal: true };

/** The profile has another path now. */
class MovedProfile extends Error {
  constructor(readonly path: string) {
    super(`The profile is at ${path}`);
  }
}

/** Serves the pages under `/profiles`. */
export function profilePages(
  deps: AppDeps,
  pages: ResponseCache,
  renders: RenderQueue,
) {
  const { publicUrl, securityContact } = deps;

  return newRouter().get("/:addressOrSlug", async (c) => {
    const given = c.req.param("addressOrSlug");
    const checked = Address.safeParse(given);
    const name = readName(deps, given);
    const { list, after = null } = checkQuery(c, PageQuery);
    const { settings, headers } = await readVisitor(deps, c);
    const viewer = settings.wallet;
    const render = async (client: string | undefined) => {
      const addressOrSlug = name === null
        ? checked.data ?? given
        : await waitOutside(() => resolveName(deps, name, client));
      const order = { addressOrSlug, list, after, viewer };
      const page = await readProfilePage(deps, order);
      const path = page.profile?.slug ?? page.address;
      if (name === null && path !== given) throw new MovedProfile(path);
      return profilePage(page, {
        settings,
        publicUrl,
        securityContact,
        name,
      });
    };
    try {
      if (viewer === null) {
        return await pages.send(
          c,
          { list, after },
          async ({ client }) =>
            pageContent(await render(client), deps.now(), KEEP),
        );
      }
      const client = networkOfClient(deps, c);
      const page = await renders.run(client, () => render(client), {
        route: routePath(c),
      });
      return await answerPage(c, page, { headers });
    } catch (error) {
      if (!(error instanceof MovedProfile)) throw error;
      const { search } = new URL(c.req.url);
      return c.redirect(`/profiles/${error.path}${search}`, 302);
    }
  });
}
