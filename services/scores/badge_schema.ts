/** The query of the score badge. */
import { z } from "@hono/zod-openapi";

/** The styles of a badge, by their names at shields.io. */
const BADGE_STYLES = ["flat", "flat-square", "for-the-badge"] as const;
/** A style of a badge. */
export type BadgeStyle = typeof BADGE_STYLES[number];

/** The values that a badge can show. */
const BADGE_METRICS = ["tier", "score", "human"] as const;
/** A value that a badge can show. */
export type BadgeMetric = typeof BADGE_METRICS[number];

/** Maximum length of a label in characters. */
const MAX_LABEL_CHARACTERS = 64;

const ACCEPTED = `at most ${MAX_LABEL_CHARACTERS} characters`;

/**
 * Characters removed from texts: control characters, characters that XML 1.0
 * (section 2.2) does not allow, and marks that change the reading order.
 */
const REMOVED =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/gu;

/** Removes the characters that a badge cannot show. */
export function shownText(text: string): string {
  return text.replace(REMOVED, "").trim();
}

/** The query of a badge. Unknown parameters are ignored. */
export const BadgeQuery = z.object({
  style: z.enum(BADGE_STYLES).default("flat").meta({
    description: "Style of the badge",
  }),
  metric: z.enum(BADGE_METRICS).default("tier").meta({
    description:
      "Value to show: the tier, the headline score, or the Verified Human number",
  }),
  label: z.string(ACCEPTED).max(MAX_LABEL_CHARACTERS, ACCEPTED)
    .transform(shownText).optional().meta({
      description: "Text on the left, instead of the metric's name",
      example: "reputation",
    }),
});
/** A checked query of a badge. */
export type BadgeQuery = z.infer<typeof BadgeQuery>;
