/** The score badge: an SVG in the styles of shields.io. */
import type {
  BadgeMetric,
  BadgeQuery,
  BadgeStyle,
} from "../../services/scores/badge_schema.ts";
import type { BadgeScore } from "../../services/scores/public_scores_schema.ts";
import type { TierId } from "../../services/model/score_terms_schema.ts";

/** Colours of badges and cards; those of the tiers are in static/styles/firn/tokens.css too. */
export const COLORS: Readonly<Record<TierId | "none" | "error", string>> = {
  starter: "#586874",
  newcomer: "#47679a",
  rising: "#0f7268",
  established: "#0a6c96",
  elite: "#6d3fb0",
  legendary: "#875a00",
  none: "#6b747b",
  error: "#ab2219",
};

const LABELS: Readonly<Record<BadgeMetric, string>> = {
  tier: "Firn tier",
  score: "Firn score",
  human: "Verified Human",
};

/** Renders the badge of an address. */
export function badge(
  facts: BadgeScore,
  { metric, style, label = LABELS[metric] }: BadgeQuery,
): Promise<string> {
  return draw(style, { label, ...messageOf(facts, metric) });
}

/** Renders an error as a badge. */
export function badgeOfError(message: string): Promise<string> {
  return draw("flat", { label: "Firn", message, color: COLORS.error });
}

function messageOf(
  { headline, verifiedHuman }: BadgeScore,
  metric: BadgeMetric,
): { message: string; color: string } {
  if (metric === "human" && verifiedHuman !== null) {
    return { message: `#${verifiedHuman}`, color: COLORS.established };
  }
  if (headline === null) return { message: "unrated", color: COLORS.none };
  const { score, tier, tierLabel } = headline;
  return {
    tier: { message: tierLabel.toLowerCase(), color: COLORS[tier] },
    score: { message: String(score), color: COLORS[tier] },
    human: { message: "not verified", color: COLORS.none },
  }[metric];
}

/** Draws a badge; badge-maker escapes the texts. It is large, so the first badge loads it. */
async function draw(
  style: BadgeStyle,
  { label, message, color }: { label: string; message: string; color: string },
): Promise<string> {
  const { makeBadge } = await import("badge-maker");
  return makeBadge({ style, label, message, color })
    .replaceAll(STRETCHED_TEXT, keepShapes);
}

/** A text that is stretched to a length by wider gaps between its letters. */
const STRETCHED_TEXT = /<text ([^>]*\btextLength="[^>]*)>([^<]*)<\/text>/g;

/** Letters of scripts that are written one by one, from left to right. */
const SEPARATE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** Scripts from right to left. */
const RIGHT_TO_LEFT =
  /^[\p{Script=Common}\p{Script=Inherited}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Stretches the letters with the gaps, so that joined letters stay joined, and sets the direction of the text. */
function keepShapes(element: string, attributes: string, text: string): string {
  if (SEPARATE.test(text)) return element;
  const direction = RIGHT_TO_LEFT.test(text) ? ' direction="rtl"' : "";
  return `<text ${attributes} lengthAdjust="spacingAndGlyphs"${direction}>${text}</text>`;
}
