/** Reasons from findings that are given directly: the bound of each, and the order. */
import { assert, assertEquals } from "@std/assert";
import {
  type Findings,
  reasonsOf,
  summaryOf,
} from "../../../services/model/reasons.ts";
import type { ReasonCode } from "../../../services/model/reasons_schema.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";

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

/** For each reason with a bound: the last findings that bring it about, and the first that do not. */
const BOUNDS: readonly (readonly [ReasonCode, applies: Some, not: Some])[] = [
  ["LIMITED_ONCHAIN_HISTORY", { chain: { nonce: 9 } }, {}],
  ["SMALL_GRAPH", { graph: { followers: 9 } }, {}],
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
  ["LONG_HISTORY", { tenure: { ageDays: 730 } }, {
    tenure: { ageDays: 729.999 },
  }],
  ["RECENT_ACTIVITY", { tenure: { idleDays: 29.999 } }, {
    tenure: { idleDays: 30 },
  }],
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
  ["PREMIUM_MEMBER", { profile: { premiumMonths: 1 } }, {}],
  ["DONOR", { profile: { donatedUsdc: 0.000001 } }, {}],
];

const codesOf = (some: Some) =>
  reasonsOf(findings(some)).map(({ code }) => code);

Deno.test("a reason is given exactly up to its bound", () => {
  for (const [code, applies, not] of BOUNDS) {
    assert(codesOf(applies).includes(code), `${code} is not given`);
    assert(!codesOf(not).includes(code), `${code} is given`);
  }
});

Deno.test("partial signals give no reason that a missing transaction could refute", () => {
  const codes = ["NEW_WALLET", "DORMANT", "CONCENTRATED_ACTIVITY"] as const;
  const bare: Some = {
    chain: { nonce: 20, isPartial: true },
    tenure: { ageDays: 1, idleDays: 200, activeDays: 1 },
  };
  for (const code of codes) assert(!codesOf(bare).includes(code), code);
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
