/** The score of any address as a page, and the search box that leads there. */
import type { Context } from "hono";
import { routePath } from "hono/route";
import { AddressPath } from "../../services/platform/address_schema.ts";
import type { ScoresDeps } from "../../services/scores/deps.ts";
import { looksLikeKey } from "../../services/accounts/key_format.ts";
import { decodePercent } from "../../services/platform/observability/redact.ts";
import { readFollowState } from "../../services/scores/follow_state.ts";
import { readScorePage } from "../../services/scores/score_page.ts";
import { networkOfClient } from "../http/client_address.ts";
import { mayHaveSession } from "../http/client_address.ts";
import { answerPage, prefersPage } from "../pages/page.ts";
import { pageContent } from "../pages/page_content.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { invalidInput } from "../http/validation_errors.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { newRouter } from "../http/router.ts";
import { readVisitor } from "../profiles/visitor.ts";
import { followBar } from "../profiles/follow_bar.ts";
import { profileLink, scorePage } from "./score_page_view.ts";
import { searchPage } from "./score_search.ts";

/** Characters of a mistaken address that are shown back. */
const MAX_SHOWN_CHARACTERS = 64;

/** A page with a new score is rendered again after this time. */
const NEW_SCORE_PAGE_MS = 15_000;

/** Serves the pages under `/tools/score`. */
export function scorePages(
  deps: ScoresDeps,
  pages: ResponseCache,
  renders: RenderQueue,
) {
  const router = newRouter();
  const { publicUrl, upstream } = deps;
  const offers = { canLinkGitHub: upstream.github !== null };
  const url = `${publicUrl}/tools/score`;

  router.get("/", (c) => {
    const given = c.req.query("address")?.trim();
    if (given === undefined) return answerPage(c, searchPage({ url }));
    const checked = AddressPath.safeParse({ address: given });
    return checked.success
      ? c.redirect(`/tools/score/${checked.data.address}`, 303)
      : refuse(c, given);
  });

  router.get("/:address", async (c) => {
    const given = c.req.param("address");
    const checked = AddressPath.safeParse({ address: given });
    if (!checked.success) return refuse(c, given);
    const { address } = checked.data;
    if (address !== given) return c.redirect(`/tools/score/${address}`, 308);
    const { settings, headers } = await readVisitor(deps, c);
    const read = async (client: string | undefined) => {
      const [page, state] = await Promise.all([
        readScorePage(deps, address, { client }),
        readFollowState(deps, address, settings.wallet),
      ]);
      const follow = followBar(state, { settings, more: profileLink(page) });
      return { page, shown: scorePage(page, { publicUrl, offers, follow }) };
    };
    if (mayHaveSession(c.req.raw.headers)) {
      const client = networkOfClient(deps, c);
      const { shown } = await renders.run(client, () => read(client), {
        route: routePath(c),
      });
      return await answerPage(c, shown, { headers });
    }
    return await pages.send(c, {}, async ({ client }) => {
      const { page, shown } = await read(client);
      const forMs = page.signals === "fresh" ? NEW_SCORE_PAGE_MS : 0;
      return pageContent(shown, deps.now(), {
        forMs,
        isPersonal: true,
      });
    });
  });

  /** Answers with the search form, the invalid input and its error. */
  function refuse(c: Context, given: string) {
    const data = { address: given };
    const { error } = AddressPath.safeParse(data);
    const queries = () => [];
    const fault = invalidInput({
      target: "path",
      data,
      error: error!,
      queries,
    });
    if (!prefersPage(c)) throw fault;
    const mistake = {
      given: looksLikeKey(decodePercent(given))
        ? ""
        : given.slice(0, MAX_SHOWN_CHARACTERS),
      problem: fault.message,
    };
    return answerPage(c, searchPage({ url, mistake }), {
      status: 400,
      headers: { "Cache-Control": "no-store", "Vary": "Accept" },
    });
  }

  return router;
}
