/** Scores by the clock, and by the settings: when they change. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type ScoringModel } from "../../../services/model/scoring_model.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { LATER } from "../../support/scores/later_model.ts";
import {
  findScore,
  readBatch,
  readHistory,
  readScore,
  scoringDown,
} from "../../../services/scores/scores.ts";
import { DAY_MS, dayAt, formatDay } from "../../../services/platform/days.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";
import { tapKv } from "../../support/kv/tapped_kv.ts";
import { NO_CHAIN } from "../../../services/model/signals.ts";
import { type ScorePoint } from "../../../services/scores/score_history.ts";
import { breakKv, CONNECTION_LOST } from "../../support/kv/faulty_kv.ts";

const ADDRESS = exampleOf("ordinary");

/** Returns a model that records the instants it scores at. */
function watched(model: ScoringModel) {
  const instants = new Set<string>();
  const watching: ScoringModel = {
    ...model,
    summarize(chain, now) {
      instants.add(new Date(now).toISOString());
      return model.summarize(chain, now);
    },
  };
  return { instants, model: watching };
}

Deno.test("a score, a batch and the score of an announced model are those of the minute's start", async () => {
  using deps = await testDeps({ start: "2026-11-21T08:00:59.999Z" });
  const [current, next] = [watched(S4_2026_3), watched(LATER)];
  const modelSchedule = [
    { model: current.model, announcedOn: null },
    { model: next.model, announcedOn: "2026-11-21" },
  ];
  const scoring = { ...deps, modelSchedule };
  const reads = {
    readScore: () => readScore(scoring, ADDRESS, { requester: SERVICE }),
    findScore: () => findScore(scoring, ADDRESS),
    readBatch: () => readBatch(scoring, [ADDRESS]),
  };
  for (const [name, read] of Object.entries(reads)) {
    for (const model of [current, next]) model.instants.clear();
    await read();
    for (const { instants } of [current, next]) {
      assertEquals([...instants], ["2026-11-21T08:00:00.000Z"], name);
    }
  }
});

Deno.test("a stored proof of a unique human counts while a registry is set, and only then", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const settings = { WORLD_CHAIN_RPC_URL: "http://world.test" };
  const partOf = async (settings: Record<string, string>) => {
    using deps = await testDeps({ kvPath, settings });
    const found = await findScore(deps, ADDRESS);
    const { humanProofs, breakdown } = found!.read;
    return [humanProofs.length, breakdown.humanProofs > 0];
  };
  try {
    {
      using deps = await testDeps({ kvPath, settings });
      await readScore(deps, ADDRESS, { requester: SERVICE });
      const now = deps.now().getTime();
      const proof = { strength: 1, verifiedAt: null, expiresAt: now + DAY_MS };
      await deps.store.humanProofs.answer({ address: ADDRESS, key: ["none"] }, {
        worldId: { readAt: now, failedAt: null, proof },
      });
    }
    assertEquals(await partOf(settings), [1, true]);
    assertEquals(await partOf({}), [0, false]);
    assertEquals(await partOf(settings), [1, true]);
  } finally {
    await Deno.remove(kvPath);
  }
});

// The last scores of the last days.

const SCORED = `0x${"ab".repeat(20)}`;

Deno.test("readHistory: the window has so many days, today included", async () => {
  using deps = await testDeps();
  const today = dayAt(deps.now().getTime());
  const breakdown = {
    walletAge: 1,
    humanProofs: 0,
    txActivity: 2,
    gasSpent: 3,
    verifiedSocials: 4,
    followers: 5,
    donations: 6,
    premium: 7,
    paidSlug: 8,
    total: 36,
  };
  const points = [today - 30, today - 29, today - 1, today].map((day) => ({
    day,
    headline: 43,
    model: "s4-2026.3",
    tier: "established",
    breakdown,
  }));
  const store = {
    ...deps.store,
    scores: {
      ...deps.store.scores,
      find: () => Promise.resolve({ points, readAt: 0 }) as never,
    },
  };
  const read = (days: number, breakdown = false) =>
    readHistory({ ...deps, store }, SCORED, { days, breakdown });
  const datesOf = async (days: number) => {
    const { count, history, ...rest } = await read(days);
    assertEquals(count, history.length);
    assertEquals([rest.address, rest.days], [SCORED, days]);
    return history.map(({ date }) => date);
  };
  assertEquals(await datesOf(1), [formatDay(today)]);
  assertEquals(await datesOf(2), [formatDay(today - 1), formatDay(today)]);
  assertEquals((await datesOf(30))[0], formatDay(today - 29));
  assertEquals((await datesOf(31))[0], formatDay(today - 30));
  const { history: [plain] } = await read(1);
  assertEquals(plain!.score, 43);
  assertEquals(plain!.headline.score, 43);
  assertEquals("breakdown" in plain!, false);
  assertEquals((await read(1, true)).history[0]!.breakdown, breakdown);
  assertEquals(
    (await readHistory(deps, SCORED, { days: 1, breakdown: false })).history,
    [],
  );
});

Deno.test("points before s4-2026.3 keep their values, and their tiers by their models", async () => {
  using deps = await testDeps();
  const today = dayAt(deps.now().getTime());
  const breakdown = { walletAge: 25, total: 62.5 };
  const pointOf = (model: string, back: number) => ({
    day: today - back,
    headline: 43,
    model,
    score: 62.5,
    tier: "elite",
    breakdown,
  });
  const points = [pointOf("s4-2026.1", 2), pointOf("s4-2026.2", 1)];
  const key = ["score_histories", SCORED];
  await deps.kv.set(key, { points, readAt: 0 });
  const asked = { days: 90, breakdown: true };
  const { history } = await readHistory(deps, SCORED, asked);
  assertEquals(
    history.map(({ score, tier, headline, model, breakdown }) => [
      model,
      score,
      tier,
      headline.score,
      headline.tier,
      breakdown!.total,
      breakdown!.humanProofs,
    ]),
    [
      // 43 is the floor of rising by the second model, and within it by the first.
      ["s4-2026.1", 62.5, "elite", 43, "rising", 62.5, 0],
      ["s4-2026.2", 62.5, "elite", 43, "rising", 62.5, 0],
    ],
  );
});

Deno.test("scoringDown() says what cannot be reached", () => {
  assertEquals(
    scoringDown("the explorer index", 11_001).message,
    "Cannot score the address: the explorer index is unreachable and nothing is stored",
  );
});

// Signals and the point of their score: stored in one transaction.

Deno.test("a cold score stores its signals and its point in one transaction", async () => {
  using deps = await testDeps();
  const score = await readScore(deps, ADDRESS, { requester: SERVICE });
  const stored = await deps.kv.getMany([
    ["signals", ADDRESS],
    ["score_histories", ADDRESS],
  ]);
  assertEquals(new Set(stored.map(({ versionstamp }) => versionstamp)).size, 1);
  assert(stored[0].versionstamp !== null);
  const { points } = (await deps.store.scores.find(ADDRESS))!;
  const { headline, tier, breakdown, model } = score;
  const day = dayAt(deps.now().getTime());
  const point = { day, headline: headline.score, model, tier, breakdown };
  assertEquals(points, [{ ...point, isRead: true }]);
});

/** Stores signals with the point of a day. */
async function putTogether(
  { store, now }: Awaited<ReturnType<typeof testDeps>>,
  point: ScorePoint,
  isPartial = false,
) {
  const fetchedAt = now().getTime();
  const signals = { ...NO_CHAIN, nonce: 1, isPartial, fetchedAt };
  const committed: unknown[] = [];
  const storedWith = store.scores.storedWithSignals(ADDRESS, {
    readAt: fetchedAt,
    pointFor: () => point,
    onCommit: (history) => committed.push(history),
  });
  const put = await store.signals.put(
    ADDRESS,
    { signals, origin: "http://up.test" },
    { storedWith },
  );
  return { put, committed };
}

/** A point some days after the start of the clock. */
async function pointAfter(days: number): Promise<ScorePoint> {
  using deps = await testDeps();
  await readScore(deps, ADDRESS, { requester: SERVICE });
  const [point] = (await deps.store.scores.find(ADDRESS))!.points;
  return { ...point!, day: point!.day + days };
}

Deno.test("a point that another process stores meanwhile is kept, and none is reported before its commit", async () => {
  using deps = await testDeps();
  const [yesterday, today] = [await pointAfter(-1), await pointAfter(0)];
  let tries = 0;
  let other: Promise<void> | null = null;
  tapKv(deps.kv, async (commit) => {
    tries++;
    other ??= deps.store.scores.put(ADDRESS, yesterday, { readAt: null });
    if (tries === 1) await other;
    return await commit();
  });
  const { put, committed } = await putTogether(deps, today);
  assert(put !== null);
  const history = await deps.store.scores.find(ADDRESS);
  assertEquals(history?.points, [yesterday, today]);
  assertEquals(committed, [history]);
  assertEquals(tries, 3, "theirs, a conflict, and again");
});

Deno.test("nothing is stored of a refused write, and better signals leave the history to its own write", async () => {
  using deps = await testDeps();
  const point = await pointAfter(0);
  const faults = breakKv(deps.kv);
  faults.commits = new Error(CONNECTION_LOST);
  await assertRejects(() => putTogether(deps, point));
  faults.commits = null;
  assertEquals(await deps.store.scores.find(ADDRESS), null);
  assertEquals(await deps.store.signals.findAll([ADDRESS]), [null]);
  await putTogether(deps, point);
  const before = await deps.store.scores.find(ADDRESS);
  const again = await putTogether(deps, { ...point, score: 1 }, true);
  assertEquals([again.put, again.committed], [null, []]);
  assertEquals(await deps.store.scores.find(ADDRESS), before);
});
