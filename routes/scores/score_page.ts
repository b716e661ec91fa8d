/** The score of any address as a page, and the search box that leads there. */
import type { Context } from "hono";
import { routePath } from "hono/route";
import { AddressPath } from "../../services/platform/address_schema.ts";
import type { ScoresDeps } from "../../services/scores/scores.ts";
import { looksLikeKey } from "../../services/accounts/key_format.ts";
import { decodePercent } from "../../services/platform/observability/redact.ts";
import {
  readName,
  resolveName,
} from "../../services/profiles/avax_names_client.ts";
import { Fault } from "../../services/platform/fault.ts";
import { waitOutside } from "../../services/platform/cache.ts";
import { readFollowState } from "../../services/scores/profile_page.ts";
import { readScorePage } from "../../services/scores/public_scores.ts";
import { mayHaveSession, networkOfClient } from "../http/client_address.ts";
import { answerPage, prefersPage } from "../pages/page.ts";
import { pageContent } from "../pages/page_content.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { invalidInput } from "../http/validation_errors.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { newRouter } from "../http/router.ts";
import { followBar, readVisitor } from "./follow_bar.ts";
import { profileLink, scorePage } from "./score_page_view.ts";
import { searchPage } from "./score_search.ts";

/** Characters of a mistaken address that are shown back. */
const MAX_SHOWN_CHARACTERS = 64;

/** A page with a new score is rendered again after this time. */
const NEW_SCORE_PAGE_MS = 15_000;

/** Returns why a text is no address. */
function invalidAddress(given: string): Fault {
  const data = { address: given };
  const { error } = AddressPath.safeParse(data);
  const queries = () => [];
  return invalidInput({ target: "path", data, error: error!, queries });
}

function isBadInput(error: unknown): error is Fault {
  return error instanceof Fault && error.failure.kind === "badInput";
}

/** Serves the pages under `/tools/score`. */
export function scorePages(
  deps: ScoresDeps,
  pages: ResponseCache,
  renders: RenderQueue,
) {
  const router = newRouter();
  const { publicUrl, upstream } = deps;
  const offers = { canLinkGitHub: upstream.github !== null };
  const names = upstream.names.length > 0;
  const url = `${publicUrl}/tools/score`;

  router.get("/", (c) => {
    const given = c.req.query("address")?.trim();
    if (given === undefined) return answerPage(c, searchPage({ url, names }));
    const checked = AddressPath.safeParse({ address: given });
    const found = checked.data?.address ?? readName(deps, given);
    return found === null
      ? refuse(c, given)
      : c.redirect(`/tools/score/${found}`, 303);
  });

  router.get("/:address", async (c) => {
    const given = c.req.param("address");
    const checked = AddressPath.safeParse({ address: given });
    const name = readName(deps, given);
    const asked = checked.data?.address ?? name;
    if (asked === null) return refuse(c, given);
    if (asked !== given) return c.redirect(`/tools/score/${asked}`, 308);
    const { settings, headers } = await readVisitor(deps, c);
    const read = async (client: string | undefined) => {
      const address = name === null ? asked : await waitOutside(
        () => resolveName(deps, name, client),
      );
      const [page, state] = await Promise.all([
        readScorePage(deps, address, { client }),
        readFollowState(deps, address, settings.wallet),
      ]);
      const follow = followBar(state, { settings, more: profileLink(page) });
      return {
        page,
        shown: scorePage(page, { publicUrl, offers, follow, name, names }),
      };
    };
    const answer = async () => {
      if (!mayHaveSession(c.req.raw.headers)) {
        return await pages.send(c, {}, async ({ client }) => {
          const { page, shown } = await read(client);
          const forMs = page.signals === "fresh" ? NEW_SCORE_PAGE_MS : 0;
          return pageContent(shown, deps.now(), { forMs, isPersonal: true });
        });
      }
      const client = networkOfClient(deps, c);
      const { shown } = await renders.run(client, () => read(client), {
        route: routePath(c),
      });
      return await answerPage(c, shown, { headers });
    };
    try {
      return await answer();
    } catch (error) {
      if (name === null || !isBadInput(error)) throw error;
      return refuse(c, given, error);
    }
  });

  /** Answers with the search form, the invalid input and its error. */
  function refuse(c: Context, given: string, refused?: Fault) {
    const fault = refused ?? invalidAddress(given);
    if (!prefersPage(c)) throw fault;
    const isOther = refused === undefined && names;
    const mistake = {
      given: looksLikeKey(decodePercent(given))
        ? ""
        : given.slice(0, MAX_SHOWN_CHARACTERS),
      problem: isOther ? `${fault.message}, or a .avax name` : fault.message,
    };
    return answerPage(c, searchPage({ url, names, mistake }), {
      status: 400,
      headers: { "Cache-Control": "no-store", "Vary": "Accept" },
    });
  }

  return router;
}
