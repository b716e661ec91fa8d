/** The cards of a score: its confidence, its followers, its Verified Human number. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  confidenceCard,
  graphCard,
  heroCard,
  humanCard,
} from "../../../routes/scores/score_parts.ts";
import { TIER_IDS, TIERS } from "../../../services/model/score_terms_schema.ts";
import { wordsOf } from "../../support/charts/explorer.ts";

type Read = Parameters<typeof confidenceCard>[0];

/** A score of which only these parts are read. */
const readOf = (parts: Record<string, unknown>) => parts as unknown as Read;

const confidenceOf = (
  { value = 0.5, reasons = [], flags = [] }: {
    value?: number;
    reasons?: readonly { kind: string; code: string; title: string }[];
    flags?: readonly string[];
  },
) =>
  String(confidenceCard(readOf({
    explanation: {
      confidence: { value, label: "Medium confidence", detail: "Detail." },
      reasons,
    },
    graph: { flags },
  })));

Deno.test("the card of the confidence says what lowers it and only that, or what would raise it", () => {
  const end = (given: Parameters<typeof confidenceOf>[0]) =>
    wordsOf(confidenceOf(given)).trim().split("Detail.")[1]!.trim();
  assertEquals(
    end({ value: 0.99 }),
    "More transactions and followers would raise it.",
  );
  assertEquals(end({ value: 1 }), "");
  const reasons = [
    { kind: "coverage", code: "SMALL_GRAPH", title: "Short history" },
    { kind: "negative", code: "DORMANT", title: "Something else" },
    ...["CONTRACT_ACCOUNT", "VERIFIED_HUMAN_LAPSED"].map((code) => ({
      kind: "coverage",
      code,
      title: "No",
    })),
    { kind: "coverage", code: "STALE_SIGNALS", title: "Old data" },
  ];
  assertEquals(
    end({ reasons }),
    "Lowered by: short history; old data.",
  );
  assertEquals(
    end({ reasons: reasons.slice(0, 1), flags: ["follow_ring"] }),
    "Lowered by: short history; anomalies in the follower graph.",
  );
  const card = confidenceOf({ value: 0.456 });
  assertStringIncludes(wordsOf(card), "0.46 of 1.");
  assertEquals(
    /<meter min="0" max="1" value="0.456"/.test(card),
    true,
  );
});

Deno.test("the card of the followers lists the anomalies, and by how much they lower the social score", () => {
  const of = (
    graph: { analyzed?: boolean; flags?: readonly string[]; damping?: number },
  ) => {
    const { analyzed = true, flags = [], damping = 1 } = graph;
    const read = readOf({ graph: { analyzed, flags, socialDamping: damping } });
    return wordsOf(String(graphCard(read))).trim();
  };
  assertEquals(
    of({}),
    "Follower graph No anomalies found The social score is not lowered.",
  );
  assertEquals(
    of({ flags: ["follow_ring", "self_donation"], damping: 0.456 }),
    "Follower graph Follow ring most followers are followed back, a reciprocal ring " +
      "Self-donation donations sent from the address to itself " +
      "The social score is multiplied by 0.46 .",
  );
  assertEquals(
    of({ analyzed: false }),
    "Follower graph The followers of this address have not been analysed.",
  );
});

Deno.test("the card of a Verified Human has the number and what it rests on, or says that there is none", () => {
  const of = (more: Partial<Read>) =>
    wordsOf(String(humanCard(readOf({
      verifiedHuman: 17,
      verifiedHumanEvidence: null,
      humanProofs: [],
      ...more,
    })))).trim();
  assertStringIncludes(of({}), "#17 A permanent number.");
  assertStringIncludes(
    of({ verifiedHuman: null }),
    "has no Verified Human number.",
  );
  const rests = (
    rule: "uniqueHuman" | "accounts" | "operator" | "earlier",
    ...kinds: ("worldId" | "github" | "domain")[]
  ) => of({ verifiedHumanEvidence: { rule, kinds, since: null } });
  assertStringIncludes(
    rests("uniqueHuman", "worldId"),
    "It rests on a proof of a unique human: World ID.",
  );
  assertStringIncludes(rests("operator"), "The operator of this service");
  assertStringIncludes(
    rests("earlier", "github", "domain"),
    "by an earlier rule, for two linked accounts of any age. Linked now: GitHub, a domain.",
  );
  assertStringIncludes(rests("earlier"), "Linked now: none.");
});

Deno.test("the card lists proofs of a unique human with their dates, and registries that do not answer", () => {
  const [readAt, failedAt] = ["2026-11-20T08:00:00Z", "2026-11-21T08:00:00Z"];
  const none = { verifiedAt: null, expiresAt: null, readAt: null };
  const words = wordsOf(String(humanCard(readOf({
    verifiedHuman: null,
    verifiedHumanEvidence: null,
    humanProofs: [
      {
        source: "worldId",
        chain: "World Chain",
        state: "proven",
        verifiedAt: "2026-10-01T00:00:00Z",
        expiresAt: "2027-03-18T00:00:00Z",
        readAt,
        failedAt,
      },
      {
        ...none,
        source: "passportBase",
        chain: "Base",
        state: "none",
        readAt,
        failedAt: null,
      },
      { ...none, source: "coinbase", chain: "Base", state: "unread", failedAt },
    ],
  }))));
  for (
    const sentence of [
      "World ID on World Chain: proven since 1 Oct 2026, until 18 Mar 2027. Read on 20 Nov 2026. It could not be read on 21 Nov 2026; the proof still counts.",
      "Human Passport on Base: no current proof. Read on 20 Nov 2026.",
      "Coinbase verified account on Base: not read yet. It could not be read on 21 Nov 2026.",
    ]
  ) assertStringIncludes(words, sentence);
});

Deno.test("the headline marks its tier and the ones below as reached", () => {
  for (const [at, tier] of TIER_IDS.entries()) {
    const tierLabel = TIERS[tier].label;
    const card = (standing: Parameters<typeof heroCard>[1]) =>
      String(heroCard(
        readOf({
          headline: { score: 42, tier, tierLabel },
          s4: {
            humanity: 1,
            activity: 2,
            social: 3,
            economic: 4,
            composite: 42,
          },
          explanation: { summary: "A summary." },
        }),
        standing,
      ));
    const steps = [
      ...card(null).matchAll(/<li class="([^"]*)"\s*([^>]*)>/g),
    ].map(([, name, mark]) => [name, mark!.trim()]);
    assertEquals(
      steps,
      TIER_IDS.map((_, nth) => [
        nth <= at ? "is-reached" : "",
        nth === at ? 'aria-current="step"' : "",
      ]),
    );
    assertEquals(/class="standing"/.test(card(null)), false);
    const words = wordsOf(card("midway"));
    assertStringIncludes(words, `42 of 100 ${tierLabel}`);
    assertStringIncludes(
      words,
      `Midway through ${tierLabel} Higher than about 95 % of wallets with ten or more transactions. A summary.`,
    );
  }
});
