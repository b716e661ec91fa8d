/** `GET /card/{kind}/{name}.png`: the pictures of chains, scores and profiles. */
import { findPublicProfile } from "../../services/profiles/profiles.ts";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppDeps } from "../http/deps.ts";
import {
  PictureDensity,
  PictureTheme,
} from "../../services/charts/charts_schema.ts";
import {
  ChainIdParameter,
  MetricsQuery,
} from "../../services/chain_data/catalogue/metrics_schema.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import { readChainMetrics } from "../../services/chain_data/overview/overview.ts";
import { Address } from "../../services/platform/address_schema.ts";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { readFollowState } from "../../services/scores/profile_page.ts";
import { readBadgeScore } from "../../services/scores/public_scores.ts";
import { checkInput, checkQuery } from "../http/validation_errors.ts";
import {
  anyOrigin,
  json,
  newRouter,
  UNKNOWN_CHAIN,
  UPSTREAM_DOWN,
} from "../http/router.ts";
import { PICTURE, type SendPicture } from "../pages/picture_cache.ts";

/** A name that its owner deletes or the operator hides is shown for this long at most. */
const PROFILE_HELD_MS = MINUTE_MS;

/** The path of the pictures. */
export const CARDS = "/card";

/** Upper limit of the characters of a profile's address or name. */
const MAX_NAME = 64;

const CardQuery = z.object({
  density: PictureDensity.default(1),
  theme: PictureTheme,
});

/** Returns how a picture is to look, and the beginning of its key. A PNG has no reader: auto is light. */
function checkLook(c: Context) {
  const { density, theme: asked } = checkQuery(c, CardQuery);
  const theme = asked === "dark" ? "dark" : "light";
  return { density, theme } as const;
}

const ChainName = z.object({ chain: MetricsQuery.shape.chainId });
const ScoreName = z.object({ score: Address });
const ProfileName = z.object({
  profile: z.string().max(
    MAX_NAME,
    `an address or a name of at most ${MAX_NAME} characters`,
  )
    .transform((name) => Address.safeParse(name).data ?? name),
});

/** Serves the pictures. They are made of stored data; no source is called. */
export function cards(deps: AppDeps, send: SendPicture) {
  const router = newRouter();
  router.use(anyOrigin());
  for (const path of describeCardPaths()) {
    router.openAPIRegistry.registerPath(path);
  }
  return router
    .get("/chain/:file{[^/]+\\.png}", (c) => {
      const { chain } = checkName(ChainName, "chain", c.req.param("file"));
      const { density, theme } = checkLook(c);
      return send(c, {
        key: `chain ${theme} ${chain}`,
        density,
        file: `chain-${chain}`,
        draw: async () => {
          const read = await readChainMetrics(deps, chain);
          return String(await (await openViews()).chainCard(read, theme));
        },
      });
    })
    .get("/score/:file{[^/]+\\.png}", (c) => {
      const { score } = checkName(ScoreName, "score", c.req.param("file"));
      const { density, theme } = checkLook(c);
      return send(c, {
        key: `score ${theme} ${score}`,
        density,
        file: `score-${score}`,
        draw: async (client) => {
          const facts = await readBadgeScore(deps, score, client);
          return String(
            await (await openViews()).scoreCard(score, facts, theme),
          );
        },
      });
    })
    .get("/profile/:file{[^/]+\\.png}", (c) => {
      const { profile } = checkName(
        ProfileName,
        "profile",
        c.req.param("file"),
      );
      const { density, theme } = checkLook(c);
      return send(c, {
        key: `profile ${theme} ${profile}`,
        density,
        file: "profile",
        heldMs: PROFILE_HELD_MS,
        draw: async (client) => {
          const found = await findPublicProfile(deps, profile);
          const address = found?.address ?? profile;
          const [{ counts }, facts] = await Promise.all([
            readFollowState(deps, address, null),
            readBadgeScore(deps, address, client),
          ]);
          return String(
            await (await openViews()).profileCard({
              address,
              displayName: found?.displayName ?? null,
              followers: counts.followers,
              facts,
            }, theme),
          );
        },
      });
    });
}

/** Loaded with the first picture. */
function openViews() {
  return import("./card.ts");
}

/** Returns what a file names. Throws a fault that says what is accepted. */
function checkName<Name>(
  schema: z.ZodType<Name>,
  kind: string,
  file: string,
): Name {
  return checkInput(schema, { [kind]: file.slice(0, -".png".length) });
}

/** Describes the paths. Hono has no OpenAPI route for a pattern inside a path segment. */
function describeCardPaths() {
  const described = {
    tags: ["Embeds"],
    method: "get" as const,
    description:
      "A PNG of 1200 × 630 pixels, or 2400 × 1260 with `density=2`. It shows stored data only. Errors are JSON.",
  };
  const query = z.object({ density: PictureDensity, theme: PictureTheme });
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
