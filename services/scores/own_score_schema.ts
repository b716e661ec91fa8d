/** The answer of `GET /api/account/score`. */
import { z } from "@hono/zod-openapi";
import { LowerCaseAddress } from "../platform/address_schema.ts";

/** The headline of the signed-in wallet's score. */
export const OwnScore = z.object({
  address: LowerCaseAddress,
  score: z.number().nullable().meta({
    description:
      "Headline score; null if the wallet was never scored and cannot be now",
    example: 61,
  }),
  tierLabel: z.string().nullable().meta({
    description: "Label of the tier; null without a score",
    example: "Established",
  }),
  dimensions: z.object({
    humanity: z.number().meta({ description: "Humanity", example: 40.2 }),
    activity: z.number().meta({ description: "Activity", example: 71.5 }),
    social: z.number().meta({ description: "Social", example: 12.9 }),
    economic: z.number().meta({ description: "Economic", example: 55 }),
  }).nullable().meta({
    description: "The dimensions from 0 to 100; null without a score",
  }),
}).meta({ id: "OwnScore" });
