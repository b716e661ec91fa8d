/** The parts of a score: its verdict, its confidence, its followers, its Verified Human number. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  confidencePart,
  graphCard,
  humanCard,
} from "../../../routes/scores/score_parts.ts";
import type { ScoreRead } from "../../../services/model/scores_schema.ts";
import { wordsOf } from "../../support/charts/explorer.ts";

/** A score of which only these parts are read. */
const readOf = (parts: Record<string, unknown>) =>
  parts as unknown as ScoreRead;

Deno.test("the confidence says what lowers it, and only that", () => {
  const of = (flags: readonly string[]) => {
    const confidence = { value: 0.5, label: "Medium", detail: "Detail." };
    const reasons = ["SMALL_GRAPH", "CONTRACT_ACCOUNT"]
      .map((code) => ({ kind: "coverage", code, title: `A ${code}` }));
    const explanation = { confidence, reasons };
    const read = readOf({ explanation, graph: { flags } });
    return wordsOf(String(confidencePart(read))).split("Detail. ")[1]!.trim();
  };
  assertEquals(of([]), "Lowered by: a SMALL_GRAPH.");
  assertEquals(
    of(["follow_ring"]),
    "Lowered by: a SMALL_GRAPH; anomalies in the follower graph.",
  );
});

Deno.test("the card of the followers lists the anomalies, and by how much they lower the social score", () => {
  const of = (
    flags: readonly string[],
    socialDamping: number,
    analyzed = true,
  ) =>
    wordsOf(String(graphCard(readOf({
      graph: { analyzed, flags, socialDamping },
    }))));
  const words = of(["follow_ring"], 0.456);
  assertStringIncludes(words, "most followers are followed back");
  assertStringIncludes(words, "The social score is multiplied by 0.46");
  assertStringIncludes(of([], 1), "No anomalies found");
  assertEquals(of([], 1, false), "", "the reasons name this gap");
});

Deno.test("the card of a Verified Human has the number and what it rests on, and there is none without a number or a proof", () => {
  const of = (more: Partial<ScoreRead>) =>
    wordsOf(String(humanCard(readOf({
      verifiedHuman: 17,
      verifiedHumanEvidence: null,
      humanProofs: [],
      ...more,
    })))).trim();
  assertStringIncludes(of({}), "#17 A permanent number.");
  assertEquals(of({ verifiedHuman: null }), "");
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
      "This address has no Verified Human number.",
      "World ID on World Chain: proven since 1 Oct 2026, until 18 Mar 2027. Read on 20 Nov 2026. It could not be read on 21 Nov 2026; the proof still counts.",
      "Human Passport on Base: no current proof. Read on 20 Nov 2026.",
      "Coinbase verified account on Base: not read yet. It could not be read on 21 Nov 2026.",
    ]
  ) assertStringIncludes(words, sentence);
});
