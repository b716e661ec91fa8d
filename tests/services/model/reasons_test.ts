import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  CONFIDENCE_DETAILS,
  SOCIAL_KINDS,
} from "../../../services/model/score_terms_schema.ts";
import {
  REASON_CODES,
  REASON_KINDS,
  type ReasonCode,
  REASONS,
} from "../../../services/model/reasons_schema.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { useOf } from "../../../services/model/own_use.ts";
import { DAY_MS, dayAt, startOfDay } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import {
  type ChainSignals,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "../../../services/model/signals.ts";
import { fc } from "../../support/properties.ts";

const NOW = Date.UTC(2026, 10, 21, 12);

const daysAgo = (days: number) => NOW - days * DAY_MS;

/** What is known of an address beside nothing. */
interface Known {
  readonly chain?: Partial<ChainSignals>;
  readonly profile?: Partial<ProfileSignals>;
  readonly graph?: Partial<GraphSignals>;
  readonly freshness?: ScoreSignals["freshness"];
}

const explain = (
  { chain, profile, graph, freshness = "fresh" }: Known,
  model = S4_2026_3,
) =>
  scoreOf(
    {
      chain: { ...NO_CHAIN, ...chain },
      profile: { ...NO_PROFILE, ...profile },
      graph: { ...NO_GRAPH, ...graph },
      freshness,
    },
    NOW,
    model,
  ).explanation;

const codesOf = (known: Known, model = S4_2026_3) =>
  explain(known, model).reasons.map(({ code }) => code);

/** An address with transactions so many days ago. */
const sent = (...days: number[]): Known => ({
  chain: {
    firstTxAt: daysAgo(Math.max(...days)),
    recentTxAt: days.toSorted((a, b) => a - b).map(daysAgo),
    nonce: days.length,
    use: used(days),
  },
});

/** The use of an address with these transactions. */
const used = (days: readonly number[]) =>
  useOf(days.map((ago, nth) => ({
    at: startOfDay(dayAt(daysAgo(ago))) + nth % 144 * 600_000,
    to: `${nth % 20}`,
    gasUnits: 0,
    failed: false,
  })));

const followed = { analyzed: true, followers: 10, paidMass: 5 };
const busyDays = Array.from({ length: 400 }, (_, day) => day / 2);

const paying = (gasUnits: number) => ({
  ...used(busyDays),
  days: used(busyDays).days.map((day) => ({ ...day, gasUnits })),
});

/** Busy days, and what others did before them. */
const busyAfter = (before: Partial<ChainSignals>): Known => ({
  chain: { ...sent(...busyDays).chain, ...before },
});

/** For each code what brings it about, and what does not by a little. */
const CASES: Record<ReasonCode, [applies: Known, not: Known]> = {
  NO_ONCHAIN_HISTORY: [{}, { chain: { isPartial: true } }],
  LIMITED_ONCHAIN_HISTORY: [sent(1, 2), sent(...busyDays)],
  STALE_SIGNALS: [{ ...sent(1), freshness: "stale" }, sent(1)],
  PARTIAL_SIGNALS: [{ chain: { isPartial: true } }, {}],
  NO_PROFILE: [{}, { profile: { claimed: true } }],
  NO_VERIFIED_SOCIALS: [{}, {
    profile: { socials: [{ kind: "x", verifiedAt: NOW }] },
  }],
  GRAPH_NOT_ANALYZED: [{}, { graph: { analyzed: true } }],
  SMALL_GRAPH: [{ graph: { ...followed, followers: 9 } }, { graph: followed }],
  CONTRACT_ACCOUNT: [{ chain: { isContract: true } }, {}],
  VERIFIED_HUMAN_LAPSED: [{ profile: { verifiedHuman: 0 } }, {
    profile: { verifiedHuman: 0, isHumanNow: true },
  }],
  FOLLOW_RING: [{ graph: { ...followed, mutual: 6 } }, { graph: followed }],
  FOLLOWER_BURST: [{ graph: { ...followed, burst: 6 } }, { graph: followed }],
  THIN_FOLLOWERS: [{ graph: { ...followed, thin: 6 } }, { graph: followed }],
  SHARED_FUNDER: [busyAfter({ alike: 9 }), busyAfter({ alike: 1 })],
  COLLECTED_BEFORE_USE: [
    busyAfter({ origin: { payers: 4, delayDays: 9 } }),
    busyAfter({ origin: { payers: 4, delayDays: 0 } }),
  ],
  SELF_DONATION: [{ profile: { selfDonated: true } }, {}],
  NEW_WALLET: [sent(29), sent(31)],
  DORMANT: [sent(180), sent(179)],
  CONCENTRATED_ACTIVITY: [sent(...Array(20).fill(9)), sent(9)],
  LOW_COST_FOOTPRINT: [sent(...busyDays), {
    chain: { ...sent(...busyDays).chain, use: paying(400_000) },
  }],
  LONG_HISTORY: [sent(730), sent(729)],
  VERIFIED_SOCIALS: [{
    profile: { socials: [{ kind: "x", verifiedAt: NOW }] },
  }, {}],
  UNIQUE_HUMAN_PROOF: [
    { profile: { proofs: [{ kind: "worldId", strength: 1, until: NOW + 1 }] } },
    { profile: { proofs: [{ kind: "worldId", strength: 1, until: NOW }] } },
  ],
  VERIFIED_HUMAN: [{ profile: { verifiedHuman: 0, isHumanNow: true } }, {
    profile: { verifiedHuman: 0 },
  }],
  RECENT_ACTIVITY: [sent(29), sent(30)],
  SUSTAINED_ACTIVITY: [sent(...busyDays), sent(...busyDays.slice(0, 300))],
  HIGH_ACTIVITY: [
    sent(...Array.from({ length: 1_500 }, (_, tx) => tx / 3)),
    sent(...busyDays),
  ],
  QUALITY_FOLLOWERS: [{ graph: followed }, {
    graph: { ...followed, paidMass: 4 },
  }],
  CLEAN_GRAPH: [{ graph: followed }, { graph: { ...followed, thin: 6 } }],
  GAS_SPENT: [{ chain: { use: paying(100_000) } }, {
    chain: { use: paying(99_000), gasAvax: 100 },
  }],
  PREMIUM_MEMBER: [{ profile: { claimed: true, premiumMonths: 1 } }, {
    profile: { premiumMonths: 1 },
  }],
  PAID_SLUG: [{ profile: { claimed: true, paidSlug: true } }, {
    profile: { paidSlug: true },
  }],
  DONOR: [{ profile: { donatedUsdc: 1 } }, {}],
};

Deno.test("each reason is given when its condition holds, and not otherwise", async (t) => {
  for (const code of REASON_CODES) {
    await t.step(code, () => {
      const [applies, not] = CASES[code];
      assert(codesOf(applies).includes(code), "is not given");
      assert(!codesOf(not).includes(code), "is given");
    });
  }
});

Deno.test("an empty profile is no strength", () => {
  const codes = codesOf({ profile: { claimed: true } });
  assertEquals(codes.filter((code) => REASONS[code][0] === "positive"), []);
});

Deno.test("neither the reasons nor a summary contain a number", () => {
  const titles = REASON_CODES.map((code) => REASONS[code][2]);
  const words = [
    ...titles,
    ...REASON_CODES.map((code) => REASONS[code][3]),
    ...Object.values(CONFIDENCE_DETAILS),
  ];
  for (const text of words) assertMatch(text, /^[A-Z][^\d%]+$/);
});

Deno.test("reasons are sorted by kind, then by impact, then as in the catalogue", () => {
  const socials = [{ kind: "email" as const, verifiedAt: NOW }];
  const old = {
    ...sent(...Array(20).fill(800)).chain,
    isContract: true,
  };
  assertEquals(
    codesOf({
      chain: old,
      profile: { socials, donatedUsdc: 1, verifiedHuman: 3, isHumanNow: true },
      graph: {
        ...followed,
        sharedPaidMass: 5,
        thin: 10,
        mutual: 10,
        freeMass: 1,
      },
      freshness: "stale",
    }),
    [
      "NO_PROFILE", // 0.15
      "STALE_SIGNALS", // 0.4 × 0.3
      "CONTRACT_ACCOUNT", // nothing
      "DORMANT", // the gap of activity, as the next
      "CONCENTRATED_ACTIVITY",
      "THIN_FOLLOWERS", // a factor of 0.9 beside the next
      "FOLLOW_RING", // 0.91
      "LONG_HISTORY",
      "QUALITY_FOLLOWERS",
      "VERIFIED_SOCIALS",
      "DONOR", // 0.2
      "VERIFIED_HUMAN", // nothing
    ],
  );
});

const EXCLUSIVE: [ReasonCode, ReasonCode][] = [
  ["NO_ONCHAIN_HISTORY", "LIMITED_ONCHAIN_HISTORY"],
  ["LONG_HISTORY", "NEW_WALLET"],
  ["DORMANT", "RECENT_ACTIVITY"],
  ["CLEAN_GRAPH", "FOLLOW_RING"],
  ["CLEAN_GRAPH", "FOLLOWER_BURST"],
  ["CLEAN_GRAPH", "THIN_FOLLOWERS"],
  ["CLEAN_GRAPH", "SELF_DONATION"],
  ["NO_PROFILE", "PREMIUM_MEMBER"],
  ["NO_PROFILE", "PAID_SLUG"],
];

Deno.test("no address has two reasons that exclude each other, or one twice", () => {
  const addresses = fc.record({
    days: fc.array(fc.nat(900), { maxLength: 40 }),
    unread: fc.nat(40),
    isPartial: fc.boolean(),
    claimed: fc.boolean(),
    kinds: fc.uniqueArray(fc.constantFrom(...SOCIAL_KINDS)),
    months: fc.nat(2),
    flag: fc.boolean(),
    heads: fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.nat(20)),
    freshness: fc.constantFrom("fresh" as const, "stale" as const),
  });
  fc.assert(
    fc.property(addresses, ({ days, heads, months, ...some }) => {
      const [followers, mutual, thin, burst] = heads;
      const { chain } = days.length > 0 ? sent(...days) : {};
      const nonce = (chain?.nonce ?? 0) + some.unread;
      const { reasons } = explain({
        chain: { ...chain, nonce, isPartial: some.isPartial },
        profile: {
          claimed: some.claimed,
          socials: some.kinds.map((kind) => ({ kind, verifiedAt: NOW })),
          premiumMonths: months,
          paidSlug: months > 1,
          selfDonated: some.flag,
        },
        graph: { analyzed: followers > 0, followers, mutual, thin, burst },
        freshness: some.freshness,
      });
      const codes = new Set(reasons.map(({ code }) => code));
      assertEquals(codes.size, reasons.length);
      for (const [one, other] of EXCLUSIVE) {
        assert(!(codes.has(one) && codes.has(other)), `${one} and ${other}`);
      }
      const kinds = reasons.map(({ kind }) => REASON_KINDS.indexOf(kind));
      assertEquals(kinds, kinds.toSorted());
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("the summary names the tier, the confidence, the strengths and the risks", () => {
  assertEquals(
    explain({}).summary,
    "Starter, with minimal confidence. Nothing that was read speaks for this address yet. No risk was found in what was read.",
  );
  assertEquals(
    explain(sent(...Array(20).fill(800))).summary,
    "Newcomer, with low confidence. Strongest in humanity, weakest in economic. Risks: no recent activity, activity concentrated in few days.",
  );
});
