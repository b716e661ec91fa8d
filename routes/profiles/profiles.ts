/**
 * The public profile, and account endpoints for the own profile, its export and deletion,
 * follows, donations and linked accounts, with the page that GitHub redirects to after a
 * sign-in.
 */
import { createRoute } from "@hono/zod-openapi";
import { etag } from "hono/etag";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import {
  DeletedProfile,
  DomainAnswer,
  DomainBody,
  DonationAnswer,
  DonationBody,
  FollowAnswer,
  FollowPath,
  OwnProfile,
  ProfileBody,
  ProfileExport,
  ProfilePath,
  PublicProfile,
  SignInAnswer,
  SocialPath,
} from "../../services/profiles/profiles_schema.ts";
import {
  deleteProfile,
  exportProfile,
  type ProfilesDeps,
  readOwnProfile,
  readPublicProfile,
  saveProfile,
} from "../../services/profiles/profiles.ts";
import { anyOrigin, json, jsonBody, newRouter } from "../http/router.ts";
import { PendingAnswer } from "../../services/payments/payments_schema.ts";
import { Fault } from "../../services/platform/fault.ts";
import { instant } from "../../services/platform/clock.ts";
import { recordDonation } from "../../services/profiles/donations.ts";
import { follow } from "../../services/profiles/follows/follows.ts";
import { limitWallet } from "../../services/platform/rate_limit/change_limits.ts";
import { requireJson } from "../http/body.ts";
import { addressOf } from "../http/client_address.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  attributesOf,
  isSecure,
  keepPrivate,
  ofWallet,
  READ_ERRORS,
  readSessionToken,
} from "../accounts/session.ts";
import {
  claimDomain,
  finishGitHubLink,
  type StartedSignIn,
  startGitHubLink,
  unlinkSocial,
  verifyDomain,
} from "../../services/profiles/socials.ts";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { RequestIdVariables } from "hono/request-id";
import { answerPage } from "../pages/page.ts";
import { LINKING } from "../http/paths.ts";
import { html } from "hono/html";
import type { Page } from "../pages/layout.ts";

const getProfile = createRoute({
  operationId: "getProfile",
  description:
    "Public data only: names, linked accounts, counts of follows and the Verified Human number. The answer has an `ETag`.",
  tags: ["Profiles"],
  method: "get",
  path: "/{addressOrSlug}",
  security: [],
  summary: "Read the public profile of an address or a slug",
  middleware: [etag()] as const,
  request: { params: ProfilePath, query: NoQuery },
  responses: {
    200: json(PublicProfile, "The profile"),
    304: { description: "Not modified" },
    400: json(ErrorBody, "Invalid request; the message says what is expected"),
    404: json(ErrorBody, "The address or slug is unclaimed"),
  },
});

/** Serves public profiles. Pages of any origin may read them. */
export function profiles(deps: ProfilesDeps) {
  const router = newRouter();
  router.use(anyOrigin());
  return router.openapi(getProfile, async (c) => {
    const { addressOrSlug } = c.req.valid("param");
    const profile = await readPublicProfile(deps, addressOrSlug);
    return c.json(profile, 200, { "Cache-Control": "public, max-age=60" });
  });
}

/** Describes the answers of an endpoint that changes the own profile. */
const PROFILE_ANSWERS = {
  200: json(OwnProfile, "The profile as it is now"),
  ...ACCOUNT_ERRORS,
  429: json(ErrorBody, "Too many changes; wait as long as Retry-After says"),
};

/** Serves the profile of the signed-in wallet. */
export function profileAccount(deps: ProfilesDeps) {
  const own = ofWallet(deps);
  const getProfile = createRoute({
    operationId: "getOwnProfile",
    description:
      "The profile of the session's wallet with everything that its owner may change.",
    ...own,
    method: "get",
    path: "/profile",
    summary: "Read your profile, claimed or not",
    request: { query: NoQuery },
    responses: { 200: PROFILE_ANSWERS[200], ...READ_ERRORS },
  });
  const putProfile = createRoute({
    operationId: "putProfile",
    description:
      "A slug is unique, and slugs that look alike count as the same.",
    ...own,
    method: "put",
    path: "/profile",
    summary: "Save your profile; the first save claims it",
    middleware: [own.middleware, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(ProfileBody) },
    responses: {
      ...PROFILE_ANSWERS,
      409: json(
        ErrorBody,
        "Another profile has this slug or one that looks like it",
      ),
    },
  });
  const followResponses = {
    ...PROFILE_ANSWERS,
    200: json(FollowAnswer, "The relation to the address after the request"),
    503: json(ErrorBody, "Too many concurrent changes; retry"),
  };
  const putFollow = createRoute({
    operationId: "putFollow",
    description:
      "Following an address twice changes nothing. The follower's weight counts in the score of the followed address.",
    ...own,
    method: "put",
    path: "/follows/{address}",
    summary: "Follow an address",
    request: { params: FollowPath, query: NoQuery },
    responses: {
      ...followResponses,
      409: json(ErrorBody, "The wallet follows as many addresses as it may"),
    },
  });
  const deleteFollow = createRoute({
    operationId: "deleteFollow",
    description: "Unfollowing an address that is not followed changes nothing.",
    ...own,
    method: "delete",
    path: "/follows/{address}",
    summary: "Unfollow an address",
    request: { params: FollowPath, query: NoQuery },
    responses: followResponses,
  });
  const postDonation = createRoute({
    operationId: "postDonation",
    description:
      "Takes the hash of a transaction that sends USDC from the session's wallet to the wallet of another profile. It counts once.",
    ...own,
    method: "post",
    path: "/donations",
    summary: "Record a USDC donation to another profile",
    middleware: [own.middleware, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(DonationBody) },
    responses: {
      ...PROFILE_ANSWERS,
      200: json(DonationAnswer, "The donation, and the part of it that counts"),
      202: json(
        PendingAnswer,
        "The transaction is not final yet; retry in a few seconds",
      ),
      409: json(
        ErrorBody,
        "The donation is recorded already, or the wallet has no profile",
      ),
      422: json(
        ErrorBody,
        "The transaction is not a valid donation; see the code",
      ),
      503: json(ErrorBody, "A node is unreachable; retry later"),
    },
  });

  return newRouter<AccountEnv>()
    .openapi(
      getProfile,
      async (c) => c.json(await readOwnProfile(deps, c.get("wallet")), 200),
    )
    .openapi(putProfile, async (c) => {
      const { wallet, requestId } = c.var;
      await limitWallet(deps, "profile", wallet);
      const body = c.req.valid("json");
      return c.json(
        await saveProfile(deps, wallet, { ...body, requestId }),
        200,
      );
    })
    .openapi(putFollow, async (c) => {
      const { wallet } = c.var;
      const { address } = c.req.valid("param");
      if (address === wallet) {
        throw new Fault("Cannot follow the address: it is your own", {
          kind: "badInput",
          parameter: "address",
        });
      }
      await limitWallet(deps, "follow", wallet);
      const ends = { follower: wallet, followee: address };
      const { at, mutual } = await follow(deps, ends);
      const { followers } = await deps.store.follows.find(address);
      return c.json({ address, since: instant(at), mutual, followers }, 200);
    })
    .openapi(deleteFollow, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "follow", wallet);
      const { address } = c.req.valid("param");
      const ends = { follower: wallet, followee: address };
      await deps.store.follows.change({ kind: "unfollow", ...ends });
      const { followers } = await deps.store.follows.find(address);
      return c.json({ address, since: null, mutual: false, followers }, 200);
    })
    .openapi(postDonation, async (c) => {
      const { wallet, requestId } = c.var;
      await limitWallet(deps, "donation", wallet);
      const answer = await recordDonation(deps, wallet, {
        ...c.req.valid("json"),
        requestId,
        hostname: addressOf(deps, c.req.raw, c.env),
      });
      return answer.status === "pending"
        ? c.json(answer, 202)
        : c.json(answer, 200);
    });
}

/** Serves the export and the deletion of the signed-in wallet's profile. */
export function profileData(deps: ProfilesDeps) {
  const own = ofWallet(deps);
  const getExport = createRoute({
    operationId: "getProfileExport",
    description:
      "The profile, both complete lists of follows, and the donations that later ones are compared with, as one JSON file. The audit trail and the payments have endpoints of their own.",
    ...own,
    method: "get",
    path: "/profile/export",
    summary: "Export your profile",
    request: { query: NoQuery },
    responses: {
      ...READ_ERRORS,
      200: json(ProfileExport, "The data of the profile"),
      429: PROFILE_ANSWERS[429],
    },
  });
  const deleteOwn = createRoute({
    operationId: "deleteProfile",
    description:
      "Removes the names, the linked accounts and the follows of the wallet. The name is free for others at once. The Verified Human number, the names of the accounts that earned it, payments and donations stay as facts; a profile that the wallet claims later has the number, payments and donations again.",
    ...own,
    method: "delete",
    path: "/profile",
    summary: "Delete your profile",
    request: { query: NoQuery },
    responses: {
      ...PROFILE_ANSWERS,
      200: json(DeletedProfile, "The profile is deleted"),
      404: json(ErrorBody, "The wallet has no profile"),
    },
  });
  return newRouter<AccountEnv>()
    .openapi(getExport, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "export", wallet);
      c.header(
        "Content-Disposition",
        `attachment; filename="firn-profile-${wallet}.json"`,
      );
      return c.json(await exportProfile(deps, wallet), 200);
    })
    .openapi(deleteOwn, async (c) => {
      const { wallet, requestId } = c.var;
      await limitWallet(deps, "profile", wallet);
      return c.json(await deleteProfile(deps, wallet, { requestId }), 200);
    });
}

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
