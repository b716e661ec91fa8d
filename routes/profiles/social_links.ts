/** Accounts elsewhere in the hands of a profile's owner: linked, and given up. */
import { createRoute } from "@hono/zod-openapi";
import { NoQuery } from "../../services/chain_data/metrics_schema.ts";
import {
  DomainAnswer,
  DomainBody,
  OwnProfile,
  SignInAnswer,
  SocialPath,
} from "../../services/profiles/profiles_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import {
  claimDomain,
  verifyDomain,
} from "../../services/profiles/socials/domain_link.ts";
import { beginGitHub } from "../../services/profiles/socials/github_link.ts";
import { readOwnProfile } from "../../services/profiles/profiles.ts";
import { unlinkSocial } from "../../services/profiles/socials/socials.ts";
import { limitWallet } from "../../services/platform/rate_limit/wallet_limits.ts";
import { requireJson } from "../middleware/body.ts";
import { GITHUB_RETURN, writeLinkingCookie } from "./github_callback.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  readSessionToken,
  SESSION,
  signedIn,
} from "../middleware/session.ts";

const ANSWERS = {
  200: json(OwnProfile, "The profile as it is now"),
  ...ACCOUNT_ERRORS,
  429: json(ErrorBody, "Too many changes; Retry-After says when to go on"),
};
const NEEDS_PROFILE = {
  409: json(ErrorBody, "The code says what stands against it"),
};

/** Serves the accounts linked to the profile of the wallet that is signed in. */
export function socialLinks(deps: ProfilesDeps) {
  const signed = signedIn(deps);
  const postGitHub = createRoute({
    operationId: "postGitHub",
    tags: ["Account"],
    method: "post",
    path: "/socials/github",
    security: SESSION,
    summary: "Begins to link a GitHub account",
    middleware: [signed] as const,
    request: { query: NoQuery },
    responses: {
      ...ANSWERS,
      200: json(SignInAnswer, "Where to sign in at GitHub"),
      ...NEEDS_PROFILE,
      501: json(ErrorBody, "This deployment links no GitHub accounts"),
    },
  });
  const postDomain = createRoute({
    operationId: "postDomain",
    tags: ["Account"],
    method: "post",
    path: "/socials/domain",
    security: SESSION,
    summary: "Begins to link a domain: what its zone has to say",
    middleware: [signed, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(DomainBody) },
    responses: {
      ...ANSWERS,
      200: json(DomainAnswer, "The record that the zone has to have"),
      ...NEEDS_PROFILE,
    },
  });
  const postVerification = createRoute({
    operationId: "postVerification",
    tags: ["Account"],
    method: "post",
    path: "/socials/domain/verify",
    security: SESSION,
    summary: "Links a domain whose zone says what it has to",
    middleware: [signed, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(DomainBody) },
    responses: {
      ...ANSWERS,
      ...NEEDS_PROFILE,
      422: json(ErrorBody, "The zone does not say it"),
      503: json(ErrorBody, "The name system gave no answer; ask again"),
    },
  });
  const deleteSocial = createRoute({
    operationId: "deleteSocial",
    tags: ["Account"],
    method: "delete",
    path: "/socials/{kind}",
    security: SESSION,
    summary: "Unlinks an account, which is free for others then",
    middleware: [signed] as const,
    request: { params: SocialPath, query: NoQuery },
    responses: {
      ...ANSWERS,
      404: json(ErrorBody, "No such account is linked"),
    },
  });

  return newRouter<AccountEnv>()
    .openapi(postGitHub, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "social", wallet);
      const begun = await beginGitHub(deps, wallet, {
        sessionToken: readSessionToken(deps, c)!,
        redirectPath: GITHUB_RETURN,
      });
      writeLinkingCookie(deps, c, begun);
      const expiresAt = new Date(begun.expiresAt).toISOString();
      return c.json({ url: begun.url, expiresAt }, 200);
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
      await verifyDomain(deps, wallet, { domain, requestId });
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
