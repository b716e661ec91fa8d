/** The page that GitHub redirects to after a sign-in. */
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { RequestIdVariables } from "hono/request-id";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import {
  finishGitHubLink,
  type StartedSignIn,
} from "../../services/profiles/socials/github_link.ts";
import { answerPage } from "../pages/page.ts";
import { addressOf } from "../http/client_address.ts";
import { LINKING } from "../http/paths.ts";
import { attributesOf, isSecure, keepPrivate } from "../accounts/session.ts";
import { html } from "hono/html";
import type { Page } from "../pages/layout.ts";

/** Path of the callback from GitHub. */
export const GITHUB_RETURN = `${LINKING}/github`;

type CookieDeps = Pick<ProfilesDeps, "now" | "publicUrl">;

const COOKIE = "firn_link";

/**
 * Sets the cookie with the browser's secret. The strict session cookie is not sent
 * on a redirect from another site; this one is (`Lax`). It only finishes the
 * sign-in that it was created for.
 */
export function writeLinkingCookie(
  deps: CookieDeps,
  c: Context,
  { browserSecret, expiresAt }: StartedSignIn,
): void {
  const maxAge = Math.floor((expiresAt - deps.now().getTime()) / 1000);
  setCookie(c, COOKIE, browserSecret, { ...attributesOf(deps, "Lax"), maxAge });
}

/** Serves the callback. Errors become pages. */
export function linking(deps: ProfilesDeps) {
  const router = new Hono<{ Variables: RequestIdVariables }>();
  router.use(keepPrivate);
  return router.get("/github", async (c) => {
    const browserSecret = getCookie(
      c,
      COOKIE,
      ...isSecure(deps) ? ["host"] as const : [],
    );
    deleteCookie(c, COOKIE, attributesOf(deps, "Lax"));
    // This page's URL contains a code, which must not leak in a Referer header.
    c.header("Referrer-Policy", "no-referrer");
    const login = await finishGitHubLink(deps, {
      returned: new URL(c.req.url).searchParams,
      browserSecret,
      redirectPath: GITHUB_RETURN,
      requestId: c.get("requestId"),
      hostname: addressOf(deps, c.req.raw, c.env),
    });
    return answerPage(c, linkedPage({ where: "GitHub", handle: login }));
  });
}

/** Renders the page. */
function linkedPage(
  { where, handle }: { readonly where: string; readonly handle: string },
): Page {
  return {
    title: `${where} account linked`,
    description: `Your ${where} account is linked to your profile.`,
    isIndexed: false,
    nav: "dashboard",
    body: html`
      <div class="stack">
        <h1>${where} account linked</h1>
        <p class="lede"><strong>${handle}</strong> is linked to your profile. Others
        see its name only if you make your links public.</p>
        <p><a class="button button-primary" href="/dashboard/profile">Back to your profile</a></p>
      </div>
    `,
  };
}
