/** The fixture addresses: what they are published for is what they show. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import {
  FAILED_FIXTURES,
  FIXTURE_ADDRESSES,
  readFixtureBatch,
  readFixtureHistory,
  readFixtureScore,
  refusedQuotaStatus,
  SCORED_FIXTURES,
  type ScoredFixture,
} from "../../../services/scores/test_key_answers.ts";
import {
  BatchAnswer,
  HistoryAnswer,
  ScoreRead,
} from "../../../services/model/scores_schema.ts";
import {
  BAND_NAMES,
  GRAPH_FLAG_NAMES,
  SIGNAL_STATES,
  TIER_IDS,
} from "../../../services/model/score_terms_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";

const DEPS = { publicUrl: "http://localhost:8000" };
const SCORED = Object.values(SCORED_FIXTURES).map(({ address }) => address);
const ALL_DAYS = { days: 90, breakdown: true };

const scoreOf = (fixture: ScoredFixture) =>
  readFixtureScore(DEPS, SCORED_FIXTURES[fixture].address);

Deno.test("the fixtures cover every tier, flag, state of signals and band, each at its documented address", () => {
  for (const tier of TIER_IDS) {
    assertEquals(scoreOf(tier).headline.tier, tier);
  }
  for (const flag of GRAPH_FLAG_NAMES) {
    assertEquals(scoreOf(flag).graph.flags, [flag]);
  }
  // The flags act on the followers of the established address.
  const { social } = scoreOf("established").s4;
  for (const flag of ["follow_ring", "follower_burst"] as const) {
    const { s4, graph } = scoreOf(flag);
    assertAlmostEquals(s4.social, social * graph.socialDamping, 0.1, flag);
  }
  const thin = scoreOf("thin_followers").s4.social;
  assert(thin > 1 && thin < social, `${thin}`);
  const { results } = readFixtureBatch(DEPS, SCORED);
  const states = new Set(results.map(({ signals }) => signals));
  assertEquals([...states].sort(), [...SIGNAL_STATES].sort());
  const bands = new Set(
    SCORED.map((address) =>
      readFixtureScore(DEPS, address).explanation.confidence.band
    ),
  );
  assertEquals([...bands].sort(), [...BAND_NAMES].sort());
  const reasons = (fixture: ScoredFixture) =>
    scoreOf(fixture).explanation.reasons.map(({ code }) => code);
  assert(reasons("stale").includes("STALE_SIGNALS"));
  assert(reasons("partial").includes("PARTIAL_SIGNALS"));
  assert(reasons("contract").includes("CONTRACT_ACCOUNT"));
  assert(reasons("starter").includes("NO_ONCHAIN_HISTORY"));
  assertEquals(scoreOf("legendary").verifiedHuman, 1);
  const none = results[SCORED.indexOf(SCORED_FIXTURES.none.address)]!;
  assertEquals([none.signals, none.score, none.s4.confidence], ["none", 0, 0]);
});

Deno.test("fixtures answer what the contract says, field for field, and the same bytes every time", () => {
  for (const address of SCORED) {
    const answers = () =>
      [
        [ScoreRead, readFixtureScore(DEPS, address)],
        [BatchAnswer, readFixtureBatch(DEPS, [address])],
        [HistoryAnswer, readFixtureHistory(DEPS, address, ALL_DAYS)],
      ] as const;
    for (const [schema, answer] of answers()) {
      assertEquals(
        JSON.stringify(schema.parse(answer)),
        JSON.stringify(answer),
      );
    }
    assertEquals(JSON.stringify(answers()), JSON.stringify(answers()));
  }
});

Deno.test("a fixture's history ends at its fixed day and agrees with its score", () => {
  for (const address of SCORED) {
    const { count, history } = readFixtureHistory(DEPS, address, ALL_DAYS);
    if (address === SCORED_FIXTURES.none.address) {
      assertEquals([count, history], [0, []]);
      continue;
    }
    const { headline, score, tier, tierLabel, breakdown, model } =
      readFixtureScore(DEPS, address);
    const date = "2026-01-01";
    assertEquals(history[89], {
      date,
      score,
      tier,
      tierLabel,
      headline,
      model,
      breakdown,
    });
    assertEquals([count, history[0]!.date], [90, "2025-10-04"]);
    const few = { days: 7, breakdown: false };
    const short = readFixtureHistory(DEPS, address, few);
    assertEquals(short.days, 7);
    assertEquals(
      short.history,
      history.slice(-7).map(({ breakdown: _, ...entry }) => entry),
    );
  }
});

Deno.test("a failed fixture throws its error, in a batch too, and an address that is none a 400", () => {
  const [scored] = SCORED as [string];
  for (const [kind, { address }] of Object.entries(FAILED_FIXTURES)) {
    const reads = [
      () => readFixtureScore(DEPS, address),
      () => readFixtureBatch(DEPS, [scored, address]),
      () => readFixtureHistory(DEPS, address, ALL_DAYS),
    ];
    for (const read of reads) {
      assertEquals(assertThrows(read, Fault).failure.kind, kind);
    }
  }
  const other = `0x${"12".repeat(20)}`;
  const { message, failure } = assertThrows(
    () => readFixtureBatch(DEPS, [scored, other]),
    Fault,
  );
  assert(message.includes("testAddresses"), message);
  assert(message.includes("http://localhost:8000/api/v1"), message);
  assert(failure.kind === "badInput");
  assertEquals(failure.invalid, [other]);
});

Deno.test("no address is published twice, and each is lower-case", () => {
  const addresses = FIXTURE_ADDRESSES.map(({ address }) => address);
  assertEquals(new Set(addresses).size, addresses.length);
  for (const address of addresses) assert(/^0x[0-9a-f]{40}$/.test(address));
});

Deno.test("the simulated errors carry fixed waits and amounts, and each its quota status", () => {
  const status = {
    limit: 25_000,
    used: 1_000,
    remaining: 24_000,
    resetAt: 5,
    burst: { limit: 60, remaining: 50, resetAt: 6 },
  } as unknown as Parameters<typeof refusedQuotaStatus>[0];
  const now = 1_000_000;
  const { burst } = status;
  const cases: [
    fixture: keyof typeof FAILED_FIXTURES,
    failure: object,
    after: object,
  ][] = [
    ["planRequired", { kind: "planRequired" }, {
      ...status,
      limit: 2_500,
      remaining: 1_500,
    }],
    [
      "rateLimited",
      { kind: "rateLimited", retryAfterMs: 30_000, needed: 1, remaining: 0 },
      { ...status, burst: { ...burst, remaining: 0, resetAt: now + 30_000 } },
    ],
    ["scoringDown", { kind: "scoringDown", retryAfterMs: 30_000 }, status],
  ];
  assertEquals(
    cases.map(([name]) => name).sort(),
    Object.keys(FAILED_FIXTURES).sort(),
  );
  for (const [fixture, failure, after] of cases) {
    const { address } = FAILED_FIXTURES[fixture];
    const fault = assertThrows(() => readFixtureScore(DEPS, address), Fault);
    const shown = Object.fromEntries(
      Object.entries(fault.failure).filter(([name]) => name in failure),
    );
    assertEquals(shown, failure);
    assertEquals<object>(refusedQuotaStatus(status, fault, now), after);
  }
  const { address } = FAILED_FIXTURES.planRequired;
  const fault = assertThrows(() => readFixtureScore(DEPS, address), Fault);
  const spent = { ...status, used: 5_000, remaining: 20_000 };
  assertEquals(refusedQuotaStatus(spent, fault, now).remaining, 0);
});

Deno.test("a batch shows no headline of an address without signals, and one of any other", () => {
  const { results } = readFixtureBatch(DEPS, SCORED);
  for (const { signals, headline } of results) {
    assertEquals(headline === null, signals === "none");
  }
});
