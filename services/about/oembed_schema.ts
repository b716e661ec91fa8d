/** The query and the answer of `/oembed` (https://oembed.com, version 1.0). */
import { z } from "@hono/zod-openapi";

const PIXELS_TEXT = "a whole number from 1 to 99999";

const Pixels = z.string().regex(/^[1-9]\d{0,4}$/, PIXELS_TEXT)
  .transform(Number).optional();

/** Formats that oEmbed knows. The first one is offered. */
export const OEMBED_FORMATS = ["json", "xml"] as const;

/** The query. Unknown parameters are ignored, because consumers send their own. */
export const OEmbedQuery = z.object({
  url: z.string("the URL of a page").min(1, "the URL of a page").max(
    2_000,
    "a shorter URL",
  ).meta({
    description:
      "URL of a page of this service: the explorer, a chain, a score or a profile",
    example: "https://firn.example/chains/43114",
  }),
  format: z.enum(OEMBED_FORMATS).default("json").meta({
    description: "Only json is offered; xml is a 501",
  }),
  maxwidth: Pixels.openapi({
    type: "integer",
    minimum: 1,
    maximum: 99_999,
    description: "Upper limit of the width in pixels",
  }),
  maxheight: Pixels.openapi({
    type: "integer",
    minimum: 1,
    maximum: 99_999,
    description: "Upper limit of the height in pixels",
  }),
});
/** A checked query. */
export type OEmbedQuery = z.infer<typeof OEmbedQuery>;

/** The answer: markup for a page, in pixels. */
export const OEmbed = z.object({
  type: z.literal("rich").meta({ description: "Markup", example: "rich" }),
  version: z.literal("1.0").meta({
    description: "Version of oEmbed",
    example: "1.0",
  }),
  title: z.string().meta({
    description: "What the page shows",
    example: "Transactions on C-Chain",
  }),
  provider_name: z.literal("Firn").meta({
    description: "Name of the service",
    example: "Firn",
  }),
  provider_url: z.url().meta({
    description: "Where the service is",
    example: "https://firn.example",
  }),
  cache_age: z.int().meta({
    description: "For how many seconds the answer may be cached",
    example: 3600,
  }),
  html: z.string().meta({
    description:
      "An iframe with the chart, or the picture of the page as a link to it",
    example:
      '<iframe src="https://firn.example/embed/chart/txCount" title="Transactions on C-Chain" width="800" height="480" loading="lazy" style="border:0"></iframe>',
  }),
  width: z.int().meta({
    description: "Width of the markup in pixels",
    example: 800,
  }),
  height: z.int().meta({
    description: "Height of the markup in pixels",
    example: 480,
  }),
  thumbnail_url: z.url().optional().meta({
    description: "A picture of the page; absent if it exceeds the limits",
    example: "https://firn.example/card/chain/43114.png",
  }),
  thumbnail_width: z.int().optional().meta({
    description: "Width of the picture in pixels",
    example: 1200,
  }),
  thumbnail_height: z.int().optional().meta({
    description: "Height of the picture in pixels",
    example: 630,
  }),
}).openapi("OEmbed");
/** The answer. */
export type OEmbed = z.infer<typeof OEmbed>;
