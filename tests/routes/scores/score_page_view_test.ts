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

Deno.test("the page of a score has its parts in order", () => {
  assertEquals(shown().lines, [
    "p Wallet score",
    "h1 0x1234567890abcdef1234567890abcdef12345678",
    "p FOLLOW",
    "p 61 of 100Established",
    "li.is-reached Starter",
    "li.is-reached Newcomer",
    "li.is-reached Rising",
    "li.is-reached[aria-current=step] Established",
    "li Elite",
    "li Legendary",
    "p Midway through Established",
    "p Higher than about 70 % of wallets with ten or more transactions.",
    "p A summary.",
    "h2 High confidence",
    "meter[max=1 value=1] 1",
    "p 1.00 of 1. Detail.",
    "h2 Follower graph",
    "p .badge-good No anomalies found",
    "p The social score is not lowered.",
    "h2 Verified Human",
    "p This address has no Verified Human number.",
    "h2 What this score is for",
    "p Good for ranking addresses, and asking for more proof below a tier, where a gift or a vote is worth less than a copy costs.",
    "p Not for counting people, credit, or deciding alone who gets something that they need: one person may own many addresses, and a patient program scores like a person.",
    "p A copy of this wallet’s evidence would cost about 0.51 USD and 730 days of waiting, each in a farm of 100, at prices of November 2026. [href=/docs/model-card]How well the score works, and how it was measured",
    "h2 Reasons",
    "h3 Strengths .badge-good 2",
    "p What raises the score.",
    "p Long history Humanity",
    "p It is old.",
    "p.reason-figures First transaction on 1 Aug 2023, 3 years ago",
    "p Paid name Economic",
    "p It was bought.",
    "h3 Gaps 0",
    "p Missing or limited evidence. It never lowers the score; most of it lowers the confidence.",
    "p Nothing is missing.",
    "h3 Risks .badge-warn 1",
    "p What lowers the score.",
    "p Dormant Activity",
    "p It sleeps.",
    "h2 What you can do next",
    "p If this wallet is yours, each step shows your score before and after it.",
    "li [href=/dashboard/profile#human-title]See what Verified Human needs",
    "p A permanent number, once the evidence is there. The number adds no points.",
    "h2 Last 90 days",
    "p No scores recorded yet. Each day on which the score is read adds one.",
    "h2 Badge",
    "img[src=/api/tools/score-badge/0x1234567890abcdef1234567890abcdef12345678]",
    "img[src=/api/tools/score-badge/0x1234567890abcdef1234567890abcdef12345678?metric=score]",
    "p The image updates with the score. Use metric=tier|score|human to choose the value, style=flat|flat-square|for-the-badge to choose the style, and label= to set the text on the left.",
    "div.badge-code",
    "h3 Markdown",
    "pre [![Firn tier](https://firn.example/api/tools/score-badge/0x1234567890abcdef1234567890abcdef12345678)](https://firn.example/tools/score/0x1234567890abcdef1234567890abcdef12345678)",
    "button[hidden] Copy",
    "h3 HTML",
    'pre <a href="https://firn.example/tools/score/0x1234567890abcdef1234567890abcdef12345678"><img src="https://firn.example/api/tools/score-badge/0x1234567890abcdef1234567890abcdef12345678" alt="Firn tier" height="20"></a>',
    "button[hidden] Copy",
    "h3 Image URL",
    "pre https://firn.example/api/tools/score-badge/0x1234567890abcdef1234567890abcdef12345678",
    "button[hidden] Copy",
    "h2 Score another address",
    "label Address",
    "input[name=address value]",
    "button Score",
    "p For example [href=/tools/score/0x9f8c163cba728e99993abe7495f06c0a3c8ac8b9]0x9f8c…c8b9, a wallet of an exchange.",
    "p Model s4-2026.2, computed [datetime=2026-11-21T08:05:00.000Z]21 Nov 2026, 08:05 UTC from on-chain data read within the last 24 hours. Available by API: GET /api/v1/score/…, see [href=/docs]the documentation.",
  ]);
});

Deno.test("the head of a score page has the score, and is indexed only for a claimed address", () => {
  const profile = { displayName: "Ada", resembles: null };
  const base = {
    nav: "score" as const,
    url: `https://firn.example/tools/score/${ADDRESS}`,
    picture: `https://firn.example/card/score/${ADDRESS}.png`,
    styles: ["score.css", "dashboard.css"],
    modules: ["copy.js", "tabs.js", "profiles/follow.js"],
  };
  assertEquals(shown().head, {
    ...base,
    title: "0x1234…5678: 61, Established",
    description: "A summary.",
    isIndexed: false,
  });
  assertEquals(shown({ profile, last: LAST }).head, {
    ...base,
    title: "Ada: 61, Established",
    description: "A summary.",
    isIndexed: true,
  });
  const unread = {
    read: null,
    figures: null,
    standing: null,
    obstacle: "reading",
    retryAfterMs: 1_001,
  };
  const waiting = {
    ...base,
    modules: [...base.modules, "score_delay.js"],
    refreshSeconds: 2,
    description: `The reputation of the Avalanche C-Chain address ${ADDRESS}.`,
  };
  assertEquals(shown({ ...unread, last: LAST }).head, {
    ...waiting,
    title: "0x1234…5678: 40, Rising",
    isIndexed: false,
  });
  const unnamed = { displayName: null, resembles: null };
  assertEquals(shown({ ...unread, profile: unnamed }).head, {
    ...waiting,
    title: "0x1234…5678: unrated",
    isIndexed: true,
  });
});

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

Deno.test("the badge is shown with its score, and left out while there is none", () => {
  const altsOf = (more: Record<string, unknown>) =>
    [...shown(more).text.matchAll(/height="20" alt="([^"]*)"/g)]
      .map(([, alt]) => alt);
  assertEquals(altsOf({}), ["Firn tier: Established", "Firn score: 61"]);
  assertEquals(altsOf({ read: null, last: LAST }), [
    "Firn tier: Rising",
    "Firn score: 40",
  ]);
  assertEquals(altsOf({ read: null }), []);
  assert(shown({ read: null }).text.includes("The badge says “unrated” until"));
});
