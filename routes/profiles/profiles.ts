/** The public profile endpoint. */
import { createRoute } from "@hono/zod-openapi";
import { etag } from "hono/etag";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import {
  ProfilePath,
  PublicProfile,
} from "../../services/profiles/profiles_schema.ts";
import type { ProfilesDeps } from "../../services/profiles/deps.ts";
import { readPublicProfile } from "../../services/profiles/profiles.ts";
import { anyOrigin, json, newRouter } from "../http/router.ts";

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
