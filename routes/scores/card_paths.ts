/** The paths of pictures, for OpenAPI. */
import { z } from "@hono/zod-openapi";
import { ChainIdParameter } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { PictureDensity } from "../../services/charts/charts_schema.ts";
import { Address } from "../../services/platform/address_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import { PICTURE } from "../pages/picture_cache.ts";
import { json, UNKNOWN_CHAIN, UPSTREAM_DOWN } from "../http/router.ts";

/** Describes the paths. Hono has no OpenAPI route for a pattern inside a path segment. */
export function describeCardPaths() {
  const described = {
    tags: ["Embeds"],
    method: "get" as const,
    description:
      "A PNG of 1200 × 630 pixels, or 2400 × 1260 with `density=2`. It shows stored data only. Errors are JSON.",
  };
  const query = z.object({ density: PictureDensity });
  const chain = z.object({ chainId: ChainIdParameter });
  const score = z.object({ address: Address });
  const profile = z.object({
    addressOrSlug: z.string().meta({
      description: "An address, or the name of a profile",
      example: "ada",
    }),
  });
  return [
    {
      ...described,
      operationId: "getChainCard",
      path: "/chain/{chainId}.png",
      summary: "Draw the picture of a chain",
      request: { params: chain, query },
      responses: { ...PICTURE, ...UNKNOWN_CHAIN, ...UPSTREAM_DOWN },
    },
    {
      ...described,
      operationId: "getScoreCard",
      path: "/score/{address}.png",
      summary: "Draw the picture of the score of an address",
      request: { params: score, query },
      responses: PICTURE,
    },
    {
      ...described,
      operationId: "getProfileCard",
      path: "/profile/{addressOrSlug}.png",
      summary: "Draw the picture of a profile",
      request: { params: profile, query },
      responses: { ...PICTURE, 404: json(ErrorBody, "No such profile") },
    },
  ];
}
