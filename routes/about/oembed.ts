/** `GET /oembed`: how pages of this service are embedded by others (oEmbed 1.0). */
import { createRoute } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import {
  OEmbed,
  OEMBED_FORMATS,
  OEmbedQuery,
} from "../../services/about/oembed_schema.ts";
import { HOUR_MS } from "../../services/platform/days.ts";
import { Fault } from "../../services/platform/fault.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import type { AppDeps } from "../deps.ts";
import { BAD_QUERY, json, newRouter } from "../http/router.ts";
import { OEMBED } from "../paths.ts";
import { PICTURE_SIZE } from "../pictures/picture_size.ts";
import { findEmbeddable } from "./embeddable_pages.ts";

/** For how long others may keep an answer. */
const CACHE_AGE_S = HOUR_MS / 1000;

const getOEmbed = createRoute({
  operationId: "getOEmbed",
  description:
    "Describes how a page of this service is embedded (oEmbed 1.0). An explorer page is embedded as an iframe with its chart; a chain, a score or a profile as its picture with a link. The pages link to this endpoint.",
  tags: ["Embeds"],
  method: "get",
  path: OEMBED,
  summary: "Read the markup that embeds a page (oEmbed)",
  request: { query: OEmbedQuery },
  responses: {
    200: json(OEmbed, "The markup and its size"),
    ...BAD_QUERY,
    404: json(ErrorBody, "The URL is no page that can be embedded"),
    501: json(ErrorBody, "The format is not offered"),
    503: json(
      ErrorBody,
      "No list of chains is stored, and its source is unreachable",
    ),
  },
});

/** Serves the endpoint. Scripts of any site may read it. */
export function oembed(deps: AppDeps) {
  const { publicUrl } = deps;
  const router = newRouter();
  router.use(OEMBED, cors());
  return router.openapi(getOEmbed, async (c) => {
    const { url, format, maxwidth = Infinity, maxheight = Infinity } = c.req
      .valid("query");
    const [offered] = OEMBED_FORMATS;
    if (format !== offered) {
      throw new Fault(`Invalid format "${format}": expected ${offered}`, {
        kind: "formatNotOffered",
        accepted: [offered],
      });
    }
    const { title, picture, size, isScaled, markup } = await findEmbeddable(
      deps,
      url,
    );
    const factor = Math.min(maxwidth / size.width, maxheight / size.height, 1);
    const fitted = isScaled
      ? {
        width: Math.max(1, Math.floor(size.width * factor)),
        height: Math.max(1, Math.floor(size.height * factor)),
      }
      : {
        width: Math.min(maxwidth, size.width),
        height: Math.min(maxheight, size.height),
      };
    const hasThumbnail = maxwidth >= PICTURE_SIZE.width &&
      maxheight >= PICTURE_SIZE.height;
    const answer: OEmbed = {
      type: "rich",
      version: "1.0",
      title,
      provider_name: "Firn",
      provider_url: publicUrl,
      cache_age: CACHE_AGE_S,
      html: String(await markup(fitted)).trim().replaceAll(/\s+/g, " "),
      ...fitted,
      ...hasThumbnail && {
        thumbnail_url: picture,
        thumbnail_width: PICTURE_SIZE.width,
        thumbnail_height: PICTURE_SIZE.height,
      },
    };
    c.header("Cache-Control", `public, max-age=${CACHE_AGE_S}`);
    return c.json(answer, 200);
  });
}
