/** Where people come back to who signed in elsewhere to link an account. */
import type { Context } from "hono";
import { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { RequestIdVariables } from "hono/request-id";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import {
  type BegunSignIn,
  finishGitHub,
} from "../../services/profiles/socials/github_link.ts";
import { answerPage } from "../http/page.ts";
import { LINKING } from "../paths.ts";
import { keepPrivate } from "../middleware/session.ts";
import { linkedPage } from "../views/profiles/linked_page.ts";

/** Where GitHub sends people back to. */
export const GITHUB_RETURN = `${LINKING}/github`;

type CookieDeps = Pick<ProfilesDeps, "now" | "publicUrl">;

const COOKIE = "firn_link";

/**
 * Gives the browser the secret that it has to show when it comes back from
 * elsewhere. The session's own cookie is not sent then, since another site leads
 * here; this one is (`Lax`), and it opens nothing but the sign-in it was made for.
 */
export function writeLinkingCookie(
  deps: CookieDeps,
  c: Context,
  { browserSecret, expiresAt }: BegunSignIn,
): void {
  const maxAge = Math.floor((expiresAt - deps.now().getTime()) / 1000);
  setCookie(c, COOKIE, browserSecret, { ...attributesOf(deps), maxAge });
}

/** Serves the way back; what fails becomes a page as elsewhere. */
export function linking(deps: ProfilesDeps) {
  const router = new Hono<{ Variables: RequestIdVariables }>();
  router.use(keepPrivate);
  return router.get("/github", async (c) => {
    const prefix = isSecure(deps) ? ["host"] as const : [];
    const browserSecret = getCookie(c, COOKIE, ...prefix);
    deleteCookie(c, COOKIE, attributesOf(deps));
    // The address of this page carries a code: it goes nowhere from here.
    c.header("Referrer-Policy", "no-referrer");
    const login = await finishGitHub(deps, {
      returned: new URL(c.req.url).searchParams,
      browserSecret,
      redirectPath: GITHUB_RETURN,
      requestId: c.get("requestId"),
    });
    return answerPage(c, linkedPage({ where: "GitHub", handle: login }));
  });
}

/** RFC 6265bis, 4.1.3.2: a `__Host-` cookie cannot come from a subdomain or over http. */
function attributesOf(deps: CookieDeps) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    ...(isSecure(deps) ? { prefix: "host", secure: true } as const : {}),
  } as const;
}

const isSecure = ({ publicUrl }: CookieDeps) => publicUrl.startsWith("https:");
