/** Signals and the point of their score: stored in one transaction. */
import { SERVICE } from "../../../services/platform/rate_limit/requesters.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { NO_CHAIN } from "../../../services/model/signals.ts";
import { dayAt } from "../../../services/platform/days.ts";
import type { ScorePoint } from "../../../services/scores/score_history.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";
import { breakKv, CONNECTION_LOST } from "../../support/kv/faulty_kv.ts";
import { tapKv } from "../../support/kv/tapped_kv.ts";

const ADDRESS = exampleOf("ordinary");

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
  assertEquals(points, [point]);
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
