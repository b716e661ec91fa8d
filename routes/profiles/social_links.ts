/** Account endpoints for linking and unlinking accounts, and the page that GitHub redirects to after a sign-in. */
import { createRoute } from "@hono/zod-openapi";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import {
  DomainAnswer,
  DomainBody,
  SignInAnswer,
  SocialPath,
} from "../../services/profiles/profiles_schema.ts";
import {
  type ProfilesDeps,
  readOwnProfile,
} from "../../services/profiles/profiles.ts";
import {
  claimDomain,
  finishGitHubLink,
  type StartedSignIn,
  startGitHubLink,
  unlinkSocial,
  verifyDomain,
} from "../../services/profiles/socials.ts";
import { limitWallet } from "../../services/platform/rate_limit/change_limits.ts";
import { addressOf } from "../http/client_address.ts";
import { requireJson } from "../http/body.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import { PROFILE_ANSWERS } from "./profiles.ts";
import {
  type AccountEnv,
  attributesOf,
  isSecure,
  keepPrivate,
  ofWallet,
  readSessionToken,
} from "../accounts/session.ts";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { RequestIdVariables } from "hono/request-id";
import { answerPage } from "../pages/page.ts";
import { LINKING } from "../http/paths.ts";
import { html } from "hono/html";
import type { Page } from "../pages/layout.ts";

const NEEDS_PROFILE = {
  409: json(ErrorBody, "The account cannot be linked; see the code"),
};

/** Serves the linked accounts of the signed-in wallet. */
export function socialLinks(deps: ProfilesDeps) {
  const own = ofWallet(deps);
  const postGitHub = createRoute({
    operationId: "postGitHub",
    description:
      "Returns the address at GitHub to open (OAuth with PKCE). GitHub then sends the browser back to the service, which links the account.",
    ...own,
    method: "post",
    path: "/socials/github",
    summary: "Start to link a GitHub account",
    request: { query: NoQuery },
    responses: {
      ...PROFILE_ANSWERS,
      200: json(SignInAnswer, "The sign-in page at GitHub"),
      ...NEEDS_PROFILE,
      501: json(ErrorBody, "GitHub linking is disabled on this deployment"),
    },
  });
  const postDomain = createRoute({
    operationId: "postDomain",
    description:
      "Returns the name and the text of a TXT record. Publish it, then ask for its verification. The record is valid for a limited time.",
    ...own,
    method: "post",
    path: "/socials/domain",
    summary: "Start to link a domain: get its DNS record",
    middleware: [own.middleware, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(DomainBody) },
    responses: {
      ...PROFILE_ANSWERS,
      200: json(DomainAnswer, "The DNS record to publish"),
      ...NEEDS_PROFILE,
    },
  });
  const postVerification = createRoute({
    operationId: "postVerification",
    description:
      "Looks the TXT record up. It links the domain if the record has the expected text.",
    ...own,
    method: "post",
    path: "/socials/domain/verify",
    summary: "Verify the DNS record and link the domain",
    middleware: [own.middleware, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(DomainBody) },
    responses: {
      ...PROFILE_ANSWERS,
      ...NEEDS_PROFILE,
      422: json(ErrorBody, "The DNS record was not found"),
      503: json(ErrorBody, "DNS did not answer; retry later"),
    },
  });
  const deleteSocial = createRoute({
    operationId: "deleteSocial",
    description:
      "The evidence of the account no longer counts in the score from then on.",
    ...own,
    method: "delete",
    path: "/socials/{kind}",
    summary: "Unlink an account; others may link it then",
    request: { params: SocialPath, query: NoQuery },
    responses: {
      ...PROFILE_ANSWERS,
      404: json(ErrorBody, "No such account is linked"),
    },
  });

  return newRouter<AccountEnv>()
    .openapi(postGitHub, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "social", wallet);
      const started = await startGitHubLink(deps, wallet, {
        sessionToken: readSessionToken(deps, c)!,
        redirectPath: GITHUB_RETURN,
      });
      writeLinkingCookie(deps, c, started);
      const expiresAt = new Date(started.expiresAt).toISOString();
      return c.json({ url: started.url, expiresAt }, 200);
    })
    .openapi(postDomain, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "social", wallet);
      const { domain } = c.req.valid("json");
      return c.json(await claimDomain(deps, wallet, domain), 200);
    })
    .openapi(postVerification, async (c) => {
      const { wallet, requestId } = c.var;
      await limitWallet(deps, "social", wallet);
      const { domain } = c.req.valid("json");
      await verifyDomain(deps, wallet, {
        domain,
        requestId,
        hostname: addressOf(deps, c.req.raw, c.env),
      });
      return c.json(await readOwnProfile(deps, wallet), 200);
    })
    .openapi(deleteSocial, async (c) => {
      const { wallet, requestId } = c.var;
      await limitWallet(deps, "profile", wallet);
      const { kind } = c.req.valid("param");
      await unlinkSocial(deps, wallet, { kind, requestId });
      return c.json(await readOwnProfile(deps, wallet), 200);
    });
}

/** Path of the callback from GitHub. */
const GITHUB_RETURN = `${LINKING}/github`;

type CookieDeps = Pick<ProfilesDeps, "now" | "publicUrl">;

const COOKIE = "firn_link";

/**
 * Sets the cookie with the browser's secret. The strict session cookie is not sent
 * on a redirect from another site; this one is (`Lax`). It only finishes the
 * sign-in that it was created for.
 */
function writeLinkingCookie(
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
