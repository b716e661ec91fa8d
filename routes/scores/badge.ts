/** The score badge: its query, an SVG in the styles of shields.io, and its answers. */
import {
  type BadgeScore,
  readBadgeScore,
} from "../../services/scores/public_scores.ts";
import type { TierId } from "../../services/model/score_terms_schema.ts";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { AddressPath } from "../../services/platform/address_schema.ts";
import type { ScoresDeps } from "../../services/scores/scores.ts";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { ErrorBody } from "../../services/platform/wire_schema.ts";
import { anyOrigin, invalidRequest, json, newRouter } from "../http/router.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { Fault } from "../../services/platform/fault.ts";
import { redactKeys } from "../../services/platform/observability/redact.ts";
import { headOfFault } from "../pages/on_error.ts";
import { prefersJson } from "../pages/page.ts";

/** The styles of a badge, by their names at shields.io. */
const BADGE_STYLES = ["flat", "flat-square", "for-the-badge"] as const;
/** A style of a badge. */
type BadgeStyle = typeof BADGE_STYLES[number];

/** The values that a badge can show. */
const BADGE_METRICS = ["tier", "score", "human"] as const;
/** A value that a badge can show. */
type BadgeMetric = typeof BADGE_METRICS[number];

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
function shownText(text: string): string {
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
function badgeOfError(message: string): Promise<string> {
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

/** Memory that finished badges may take, in bytes: some thousands of them. */
export const MAX_BADGE_BYTES = 4 * 2 ** 20;

/** A badge is held here for a minute, and by others for five. */
const BADGE_MS = MINUTE_MS;
const CACHE_CONTROL = "public, max-age=300";

const SVG = "image/svg+xml; charset=utf-8";

/** Any page may show the image. The image itself may neither run nor load anything. */
const HEADERS = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

/** Serves badges. Repeated requests get the cached image. */
export function scoreBadge(deps: ScoresDeps, answers: ResponseCache) {
  const svg = { [SVG.split(";")[0]!]: { schema: { type: "string" as const } } };
  const failed = (what: string) => ({
    description: `${what}: a badge; JSON if \`Accept\` prefers it`,
    content: { ...json(ErrorBody, what).content, ...svg },
  });
  const getBadge = createRoute({
    operationId: "getScoreBadge",
    description:
      "An SVG image. It shows the last stored score and never waits for a source. An address without a score is queued to be scored.",
    tags: ["Embeds"],
    method: "get",
    path: "/score-badge/{address}",
    summary: "Draw a live badge of one address",
    request: { params: AddressPath, query: BadgeQuery },
    responses: {
      200: { description: "The badge", content: svg },
      304: { description: "Not modified" },
      400: failed("What is invalid"),
      412: failed("If-Match names another version"),
    },
  });
  const router = newRouter();
  router.use(anyOrigin());
  router.onError((error, c) => {
    if (error instanceof Fault && !prefersJson(c)) return answerImage(c, error);
    c.header("Vary", "Accept");
    throw error;
  });
  return router.openapi(getBadge, (c) => {
    const { address } = c.req.valid("param");
    const query = c.req.valid("query");
    return answers.send(c, query, async ({ client }) => {
      const facts = await readBadgeScore(deps, address, client);
      return {
        text: await badge(facts, query),
        type: SVG,
        fetchedAt: deps.now().getTime(),
        changedAt: null,
        keep: {
          forMs: BADGE_MS,
          isPersonal: true,
          headers: { ...HEADERS, "Cache-Control": CACHE_CONTROL },
        },
      };
    });
  }, (result, c) => {
    if (result.success) return;
    // A badge with all problems would be too wide to read.
    const first = new z.ZodError(result.error.issues.slice(0, 1));
    const error = prefersJson(c) ? result.error : first;
    throw invalidRequest(c, { ...result, error });
  });
}

/** Answers with a badge that shows the error, because an embedding page shows only the image. */
async function answerImage(c: Context, fault: Fault) {
  const { status, headers } = headOfFault(c, fault);
  const text = await badgeOfError(shownText(redactKeys(fault.message)));
  return c.body(text, status, {
    ...headers,
    ...HEADERS,
    "Content-Type": SVG,
    "Vary": "Accept",
  });
}
