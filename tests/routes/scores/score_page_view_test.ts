/** The score page: its head, its notices, and its sections. */
import { assert, assertEquals } from "@std/assert";
import { html } from "hono/html";
import {
  profileLink,
  scorePage,
} from "../../../routes/scores/score_page_view.ts";
import type { ScorePage } from "../../../services/scores/public_scores_schema.ts";
import type { ScoreRead } from "../../../services/model/scores_schema.ts";
import { outlineOf } from "../../support/outline.ts";

const ADDRESS = "0x1234567890abcdef1234567890abcdef12345678";

const READ = {
  fetchedAt: "2026-11-21T08:05:00.000Z",
  model: "s4-2026.2",
  headline: { score: 61, tier: "established", tierLabel: "Established" },
  s4: { humanity: 1, activity: 2, social: 3, economic: 4, composite: 18.5 },
  costToFake: { usd: 0.51, of: 100, alone: 0.6, days: 730, asOf: "2026-11" },
  explanation: {
    summary: "A summary.",
    confidence: { value: 1, label: "High confidence", detail: "Detail." },
    reasons: [
      {
        kind: "positive",
        code: "LONG_HISTORY",
        dimension: "humanity",
        title: "Long history",
        detail: "It is old.",
      },
      {
        kind: "positive",
        code: "PAID_SLUG",
        dimension: "economic",
        title: "Paid name",
        detail: "It was bought.",
      },
      {
        kind: "risk",
        code: "DORMANT",
        dimension: "activity",
        title: "Dormant",
        detail: "It sleeps.",
      },
    ],
  },
  graph: { analyzed: true, flags: [], socialDamping: 1 },
  verifiedHuman: null,
  verifiedHumanEvidence: null,
  humanProofs: [],
} as unknown as ScoreRead;

const PAGE = {
  address: ADDRESS,
  read: READ,
  signals: "fresh",
  obstacle: null,
  retryAfterMs: 0,
  figures: { firstDay: "2023-08-01", ageDays: 1208, lastDay: null },
  gains: {
    github: { least: 0.3, most: 6.1 },
    domain: { least: 0.8, most: 3.1 },
  },
  standing: "midway",
  last: null,
  history: { from: "2026-08-23", to: "2026-11-21", points: [] },
  profile: null,
} as unknown as ScorePage;

const LAST = { score: 40, tierLabel: "Rising", date: "2026-11-01" };

function shown(
  more: Record<string, unknown> = {},
  offers = { canLinkGitHub: true },
) {
  const page = { ...PAGE, ...more } as ScorePage;
  const { body, ...head } = scorePage(page, {
    publicUrl: "https://firn.example",
    offers,
    follow: html`<p>FOLLOW</p>`,
    name: null,
    names: false,
  });
  const lines = outlineOf(
    String(body),
    /^(badge-|notice|is-reached|reason-figures)/,
  );
  return { head, lines, text: String(body) };
}

Deno.test("a score page without a current score says why, and when it looks again", () => {
  const unread = { read: null, figures: null, standing: null };
  const noticeOf = (more: Record<string, unknown>) => {
    const { lines } = shown(more);
    return lines.slice(
      lines.indexOf("p FOLLOW") + 1,
      lines.findIndex((line) => /^h2 (Last 90|Established)|^li/.test(line)),
    );
  };
  assertEquals(
    noticeOf({ ...unread, obstacle: "reading", retryAfterMs: 1_000 }),
    [
      "div[data-retry-seconds=1]",
      "h2 Scoring this address",
      "progress",
      "p Its on-chain history is being read. Most addresses take a few seconds.",
      "p [href]Try again This page checks again by itself, the next time in a second.",
    ],
  );
  assertEquals(
    noticeOf({ ...unread, obstacle: "busy", retryAfterMs: 29_001, last: LAST }),
    [
      "div[data-retry-seconds=30]",
      "h2 No current score",
      "p All reads of on-chain data that visitors may make are taken just now. This address is in the queue and will be scored within minutes.",
      "p Last score: 40, Rising, on [datetime=2026-11-01]1 Nov 2026.",
      "p [href]Try again This page checks again by itself, the next time in 30 seconds.",
    ],
  );
  assertEquals(
    noticeOf({ ...unread, obstacle: "down", retryAfterMs: 2_000 }),
    [
      "div[data-retry-seconds=2]",
      "h2 Not scored yet",
      "p A source of on-chain data is unreachable. This address is in the queue and will be scored when the source is back.",
      "p [href]Try again This page checks again by itself, the next time in 2 seconds.",
    ],
  );
  assertEquals(
    noticeOf({ obstacle: "down", retryAfterMs: 60_000, signals: "stale" })
      .slice(0, 1),
    [
      "p.notice.notice-warn[data-retry-seconds=60] This score uses on-chain data that is not current. A source of on-chain data is unreachable. This address is in the queue and will be scored when the source is back.",
    ],
  );
  // A part of the data is stale after minutes.
  const { lines } = shown({ obstacle: "down", signals: "stale" });
  assert(!lines.join().includes("a day old"));
});

Deno.test("a score page shows a chosen name with its look-alike, an announced model, and the link to the profile", () => {
  const headOf = (more: Record<string, unknown>) => {
    const { lines } = shown(more);
    return lines.slice(0, lines.indexOf("p FOLLOW"));
  };
  assertEquals(
    headOf({ profile: { displayName: "Ada", resembles: "Avalanche" } }),
    [
      "p Wallet score",
      "h1 Ada",
      "p .badge-warn Chosen name It looks like “Avalanche”. Nobody has verified that it belongs there.",
      "p 0x1234567890abcdef1234567890abcdef12345678",
    ],
  );
  assertEquals(
    headOf({ profile: { displayName: "Ada", resembles: null } }),
    [
      "p Wallet score",
      "h1 Ada",
      "p 0x1234567890abcdef1234567890abcdef12345678",
    ],
  );
  const headline = { score: 7, tierLabel: "Starter" };
  const next = { model: "s4-2027.1", headline };
  assertEquals(
    shown({ read: { ...READ, next } }).lines
      .filter((line) => line.includes("announced")),
    [
      "p.notice By the announced model s4-2027.1 the score is 7, Starter. [href=/docs/versioning]When a new model is used",
    ],
  );
  const linkOf = (profile: unknown) =>
    outlineOf(`<p>${profileLink({ ...PAGE, profile } as ScorePage)}</p>`);
  assertEquals(linkOf(null), [
    `p [href=/profiles/${ADDRESS}]Is this yours? Claim it`,
  ]);
  assertEquals(linkOf({ displayName: null }), [
    `p [href=/profiles/${ADDRESS}]Profile and follows`,
  ]);
});
