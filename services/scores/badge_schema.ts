/** The query of the badge: what it shows, and how. */
import { z } from "@hono/zod-openapi";

/** The styles of a badge, as shields names them. */
export const BADGE_STYLES = ["flat", "flat-square", "for-the-badge"] as const;
/** A style of a badge. */
export type BadgeStyle = typeof BADGE_STYLES[number];

/** What a badge can show. */
export const BADGE_METRICS = ["tier", "score", "human"] as const;
/** One thing that a badge can show. */
export type BadgeMetric = typeof BADGE_METRICS[number];

/** Characters that a label may have. */
export const LONGEST_LABEL = 64;

const ACCEPTED = `at most ${LONGEST_LABEL} characters`;

/**
 * What does not belong on a badge: controls, what XML 1.0 (section 2.2) has no
 * room for, and marks that change the order of what is read.
 */
const UNFIT =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/** The query of a badge; other parameters are taken no notice of. */
export const BadgeQuery = z.object({
  style: z.enum(BADGE_STYLES).default("flat"),
  metric: z.enum(BADGE_METRICS).default("tier").meta({
    description: "The tier, the headline score, or the Verified Human number",
  }),
  label: z.string(ACCEPTED).max(LONGEST_LABEL, ACCEPTED)
    .transform((label) => label.replace(UNFIT, "").trim()).optional().meta({
      description: "What stands on the left, in place of the metric's name",
    }),
});
/** The query of a badge, checked. */
export type BadgeQuery = z.infer<typeof BadgeQuery>;
