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
import {
  type ChainSignals,
  type GraphSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
  useOf,
} from "../../../services/model/signals.ts";
import { DAY_MS, dayAt, startOfDay } from "../../../services/platform/days.ts";
import { scoreOf, type ScoreSignals } from "../../../services/model/model.ts";
import { fc } from "../../support/properties.ts";
import {
  type Findings,
  reasonsOf,
  summaryOf,
} from "../../../services/model/reasons.ts";

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

// Reasons from findings that are given directly: the bound of each, and the order.

/** An address to which no reason with a bound applies. */
const PLAIN: Findings = {
  chain: { ...NO_CHAIN, nonce: 10 },
  profile: { ...NO_PROFILE, claimed: true },
  graph: { ...NO_GRAPH, analyzed: true, followers: 10 },
  freshness: "fresh",
  tenure: { activeDays: 0, ageDays: 100, idleDays: 100 },
  followers: { mass: 0, factors: new Map([["self_donation", 1]]), damping: 1 },
  measures: {
    parts: {
      walletAge: 0,
      verifiedSocials: 0,
      humanProofs: 0,
      txActivity: 0,
      followers: 0,
      gasSpent: 0,
      premium: 0,
      paidSlug: 0,
      donations: 0,
    },
    activity: { days: 0, volume: 0 },
    social: { paid: 0, undamped: 0 },
    removed: { sharedFunder: 0, manyPayers: 0 },
  },
  vector: {
    humanity: 100,
    activity: 0,
    social: 0,
    economic: 30,
    composite: 0,
  },
  weights: { humanity: 100, activity: 100, social: 100, economic: 100 },
  confidenceLost: { history: 0, currency: 0, profile: 0, socials: 0, graph: 0 },
};

/** Findings of some fields beside the plain ones. */
type Some = {
  readonly [Part in Exclude<keyof Findings, "freshness">]?: Partial<
    Findings[Part]
  >;
};

function findings(some: Some): Findings {
  const parts = Object.entries(some).map(([part, fields]) => {
    const held = PLAIN[part as keyof Findings];
    return [part, { ...held as object, ...fields as object }];
  });
  return { ...PLAIN, ...Object.fromEntries(parts) };
}

const removed = (name: "sharedFunder" | "manyPayers", points: number) => ({
  measures: {
    ...PLAIN.measures,
    removed: { ...PLAIN.measures.removed, [name]: points },
  },
});
const gas = (gasUnits: number) => ({
  chain: { use: { count: 1, days: [{ day: 0, gasUnits, varied: 1 }] } },
});

/** For each reason whose bound no case above is at: the last findings that bring it about, and the first that do not. */
const BOUNDS: readonly (readonly [ReasonCode, applies: Some, not: Some])[] = [
  ["LIMITED_ONCHAIN_HISTORY", { chain: { nonce: 9 } }, {}],
  ["NEW_WALLET", { tenure: { ageDays: 29.999 } }, { tenure: { ageDays: 30 } }],
  ["DORMANT", { tenure: { idleDays: 180 } }, {
    tenure: { idleDays: 179.999 },
  }],
  [
    "CONCENTRATED_ACTIVITY",
    { chain: { nonce: 20 }, tenure: { activeDays: 5 } },
    { chain: { nonce: 19 }, tenure: { activeDays: 5 } },
  ],
  [
    "CONCENTRATED_ACTIVITY",
    { chain: { nonce: 20 }, tenure: { activeDays: 1 } },
    { chain: { nonce: 20 }, tenure: { activeDays: 0 } },
  ],
  [
    "CONCENTRATED_ACTIVITY",
    { chain: { nonce: 20 }, tenure: { activeDays: 5 } },
    { chain: { nonce: 20 }, tenure: { activeDays: 6 } },
  ],
  [
    "LOW_COST_FOOTPRINT",
    { vector: { activity: 40, economic: 19.9 } },
    { vector: { activity: 40, economic: 20 } },
  ],
  [
    "LOW_COST_FOOTPRINT",
    { vector: { activity: 40, economic: 19.9 } },
    { vector: { activity: 39.9, economic: 19.9 } },
  ],
  ["SHARED_FUNDER", removed("sharedFunder", 1.2), removed("sharedFunder", 1.1)],
  [
    "COLLECTED_BEFORE_USE",
    removed("manyPayers", 1.2),
    removed("manyPayers", 1.1),
  ],
  [
    "SUSTAINED_ACTIVITY",
    { tenure: { activeDays: 30, ageDays: 180, idleDays: 0 } },
    { tenure: { activeDays: 29, ageDays: 180, idleDays: 0 } },
  ],
  [
    "SUSTAINED_ACTIVITY",
    { tenure: { activeDays: 30, ageDays: 181, idleDays: 1 } },
    { tenure: { activeDays: 30, ageDays: 181, idleDays: 2 } },
  ],
  ["HIGH_ACTIVITY", { vector: { activity: 50 } }, {
    vector: { activity: 49.9 },
  }],
  ["QUALITY_FOLLOWERS", { graph: { paidMass: 5 } }, {
    graph: { paidMass: 4.999 },
  }],
  ["CLEAN_GRAPH", { followers: { factors: new Map() } }, {}],
  [
    "CLEAN_GRAPH",
    { followers: { factors: new Map() } },
    { followers: { factors: new Map() }, graph: { followers: 9 } },
  ],
  [
    "GAS_SPENT",
    {
      chain: {
        use: {
          count: 20,
          days: Array(20).fill({ day: 0, gasUnits: 1e6, varied: 1 }),
        },
      },
    },
    gas(20e6),
  ],
];

const codesFrom = (some: Some) =>
  reasonsOf(findings(some)).map(({ code }) => code);

Deno.test("a reason is given exactly up to its bound", () => {
  for (const [code, applies, not] of BOUNDS) {
    assert(codesFrom(applies).includes(code), `${code} is not given`);
    assert(!codesFrom(not).includes(code), `${code} is given`);
  }
});

Deno.test("partial signals give no reason that a missing transaction could refute", () => {
  const codes = ["NEW_WALLET", "DORMANT", "CONCENTRATED_ACTIVITY"] as const;
  const bare: Some = {
    chain: { nonce: 20, isPartial: true },
    tenure: { ageDays: 1, idleDays: 200, activeDays: 1 },
  };
  for (const code of codes) assert(!codesFrom(bare).includes(code), code);
});

Deno.test("strengths are sorted by the composite points that they add, those without points last", () => {
  const strong = findings({
    chain: {
      use: {
        count: 20,
        days: Array(20).fill({ day: 0, gasUnits: 1e6, varied: 1 }),
      },
    },
    vector: { activity: 50 },
    profile: {
      socials: [{ kind: "x", verifiedAt: 0 }],
      isHumanNow: true,
      premiumMonths: 1,
      paidSlug: true,
      donatedUsdc: 1,
    },
    graph: { paidMass: 5 },
    tenure: { activeDays: 30, ageDays: 730, idleDays: 1 },
    followers: { mass: 0, factors: new Map(), damping: 0.5 },
  });
  const measures: Findings["measures"] = {
    ...PLAIN.measures,
    parts: {
      ...PLAIN.measures.parts,
      walletAge: 0.01,
      verifiedSocials: 0.02,
      txActivity: 0.14,
      gasSpent: 0.1,
      premium: 0.2,
      paidSlug: 0.3,
      donations: 0.4,
    },
    activity: { days: 0.05, volume: 0.03 },
    social: { paid: 0.12, undamped: 0.4 },
  };
  const codes = (changed: Partial<Findings["measures"]> = {}) =>
    reasonsOf({ ...strong, measures: { ...measures, ...changed } })
      .filter(({ kind }) => kind === "positive").map(({ code }) => code);
  assertEquals(codes(), [
    "DONOR",
    "PAID_SLUG",
    "PREMIUM_MEMBER",
    "HIGH_ACTIVITY",
    "GAS_SPENT",
    "QUALITY_FOLLOWERS", // 0.12 × 0.5
    "SUSTAINED_ACTIVITY",
    "RECENT_ACTIVITY",
    "VERIFIED_SOCIALS",
    "LONG_HISTORY",
    "VERIFIED_HUMAN",
    "CLEAN_GRAPH",
  ]);
});

Deno.test("risks are sorted by their cost, and gaps by what their dimension lacks", () => {
  const others = ["LOW_COST_FOOTPRINT", "SELF_DONATION"];
  const costly = (lack: number) =>
    reasonsOf(findings({
      chain: { nonce: 20 },
      tenure: { ageDays: 1, activeDays: 1, idleDays: 200 },
      measures: {
        ...PLAIN.measures,
        removed: { sharedFunder: 25, manyPayers: 26 },
      },
      vector: { activity: 100 - lack },
    })).filter(({ kind }) => kind === "risk").map(({ code }) => code)
      .filter((code) => !others.includes(code));
  const patterns = ["COLLECTED_BEFORE_USE", "SHARED_FUNDER"];
  const gaps = ["DORMANT", "CONCENTRATED_ACTIVITY"];
  assertEquals(costly(24.5), [...patterns, ...gaps, "NEW_WALLET"]);
  assertEquals(costly(25.5), [patterns[0], ...gaps, patterns[1], "NEW_WALLET"]);
});

Deno.test("a summary names a strength from the first point of the composite", () => {
  const start = { tierLabel: "Starter", band: "low", reasons: [] } as const;
  const summary = (composite: number) =>
    summaryOf({
      ...start,
      vector: {
        composite,
        humanity: 0,
        activity: 2,
        social: 1,
        economic: 3,
        confidence: 1,
      },
    });
  assertEquals(
    summary(1),
    "Starter, with low confidence. Strongest in economic, weakest in humanity. No risk was found in what was read.",
  );
  assertEquals(
    summary(0),
    "Starter, with low confidence. Nothing that was read speaks for this address yet. No risk was found in what was read.",
  );
});

Deno.test("a flag costs what it removes in addition to the other flags", () => {
  const codes = (manyPayers: number) =>
    reasonsOf(findings({
      followers: {
        factors: new Map([["follow_ring", 0.5], ["thin_followers", 0.8]]),
        damping: 0.4,
      },
      measures: {
        ...PLAIN.measures,
        social: { paid: 0, undamped: 1_000 },
        removed: { sharedFunder: 0, manyPayers },
      },
    })).map(({ code }) => code).filter((code) =>
      /RING|THIN|COLLECTED/.test(code)
    );
  const [ring, thin, pattern] = [
    "FOLLOW_RING",
    "THIN_FOLLOWERS",
    "COLLECTED_BEFORE_USE",
  ] as const;
  // Without the ring 800 of 1,000 points are left, without the thin followers 500.
  assertEquals(codes(450), [pattern, ring, thin]);
  assertEquals(codes(350), [ring, pattern, thin]);
  assertEquals(codes(90), [ring, thin, pattern]);
});
