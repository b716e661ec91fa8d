/** A profile in the hands of its owner: what it says, whom it follows, what it gave. */
import { createRoute } from "@hono/zod-openapi";
import { NoQuery } from "../../services/chain_data/metrics_schema.ts";
import { PendingAnswer } from "../../services/payments/payments_schema.ts";
import {
  DonationAnswer,
  DonationBody,
  FollowAnswer,
  FollowPath,
  OwnProfile,
  ProfileBody,
} from "../../services/profiles/profiles_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import { recordDonation } from "../../services/profiles/donations.ts";
import {
  follow,
  type FollowState,
  unfollow,
} from "../../services/profiles/follows/follows.ts";
import {
  readOwnProfile,
  saveProfile,
} from "../../services/profiles/profiles.ts";
import { limitWallet } from "../../services/platform/rate_limit/wallet_limits.ts";
import { requireJson } from "../middleware/body.ts";
import { json, jsonBody, newRouter } from "../http/router.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  READ_ERRORS,
  SESSION,
  signedIn,
} from "../middleware/session.ts";

const ANSWERS = {
  200: json(OwnProfile, "The profile as it is now"),
  ...ACCOUNT_ERRORS,
  429: json(ErrorBody, "Too many changes; Retry-After says when to go on"),
};

/** Serves the profile of the wallet that is signed in. */
export function profileAccount(deps: ProfilesDeps) {
  const signed = signedIn(deps);
  const getProfile = createRoute({
    operationId: "getOwnProfile",
    tags: ["Account"],
    method: "get",
    path: "/profile",
    security: SESSION,
    summary: "The profile of the wallet signed in, claimed or not",
    middleware: [signed] as const,
    request: { query: NoQuery },
    responses: { 200: ANSWERS[200], ...READ_ERRORS },
  });
  const putProfile = createRoute({
    operationId: "putProfile",
    tags: ["Account"],
    method: "put",
    path: "/profile",
    security: SESSION,
    summary: "Writes the profile, which claims it",
    middleware: [signed, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(ProfileBody) },
    responses: {
      ...ANSWERS,
      409: json(ErrorBody, "Another profile has the slug, or one like it"),
    },
  });
  const followResponses = {
    ...ANSWERS,
    200: json(FollowAnswer, "How the wallet stands to the address now"),
    503: json(ErrorBody, "Too many others follow at once; ask again"),
  };
  const putFollow = createRoute({
    operationId: "putFollow",
    tags: ["Account"],
    method: "put",
    path: "/follows/{address}",
    security: SESSION,
    summary: "Follows an address",
    middleware: [signed] as const,
    request: { params: FollowPath, query: NoQuery },
    responses: followResponses,
  });
  const deleteFollow = createRoute({
    operationId: "deleteFollow",
    tags: ["Account"],
    method: "delete",
    path: "/follows/{address}",
    security: SESSION,
    summary: "Follows an address no more",
    middleware: [signed] as const,
    request: { params: FollowPath, query: NoQuery },
    responses: followResponses,
  });
  const postDonation = createRoute({
    operationId: "postDonation",
    tags: ["Account"],
    method: "post",
    path: "/donations",
    security: SESSION,
    summary: "Records USDC that the wallet gave another profile",
    middleware: [signed, requireJson] as const,
    request: { query: NoQuery, body: jsonBody(DonationBody) },
    responses: {
      ...ANSWERS,
      200: json(DonationAnswer, "The donation, and how much of it counts"),
      202: json(PendingAnswer, "Not final yet; ask again in a few seconds"),
      409: json(ErrorBody, "Recorded already, or the wallet has no profile"),
      422: json(ErrorBody, "No donation; the code says why"),
      503: json(ErrorBody, "A node is unreachable; nothing is lost, ask again"),
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
      const { address } = c.req.valid("param");
      const ends = { follower: c.get("wallet"), followee: address };
      return c.json(showFollow(address, await follow(deps, ends)), 200);
    })
    .openapi(deleteFollow, async (c) => {
      const { wallet } = c.var;
      await limitWallet(deps, "follow", wallet);
      const { address } = c.req.valid("param");
      const ends = { follower: wallet, followee: address };
      return c.json(showFollow(address, await unfollow(deps, ends)), 200);
    })
    .openapi(postDonation, async (c) => {
      const { wallet, requestId } = c.var;
      await limitWallet(deps, "donation", wallet);
      const answer = await recordDonation(deps, wallet, {
        ...c.req.valid("json"),
        requestId,
      });
      return answer.status === "pending"
        ? c.json(answer, 202)
        : c.json(answer, 200);
    });
}

function showFollow(
  address: string,
  { since, mutual }: FollowState,
): FollowAnswer {
  return {
    address,
    since: since === null ? null : new Date(since).toISOString(),
    mutual,
  };
}
