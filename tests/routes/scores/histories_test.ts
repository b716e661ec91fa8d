/** Score histories over HTTP: days, breakdown and refusals. */
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  HistoryAnswer,
  ScoreRead,
} from "../../../services/model/scores_schema.ts";
import { DAY_MS, dayAt, formatDay } from "../../../services/platform/days.ts";
import { scoreOf } from "../../../services/model/model.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type Answer, enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { tapKv } from "../../support/kv/tapped_kv.ts";

const ADDRESS = exampleOf("ordinary");
const SCORE = `/score/${ADDRESS}`;
const HOUR_MS = 3_600_000;

/** A refusal: 400 in one shape, whose message says what is accepted. */
function assertRefused({ status, body, text }: Answer, error: RegExp): void {
  assertEquals(status, 400, text);
  assertEquals([body.code, body.message], ["BAD_REQUEST", body.error]);
  assertMatch(body.error, error);
}

Deno.test("days of a history are a whole number from 1 to 90, said once", async (t) => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps, { plan: "builder" });
  const days = /^Invalid days .*expected a whole number from 1 to 90/;
  const refused: [query: string, error: RegExp][] = [
    ["days=0", days],
    ["days=91", days],
    ["days=-1", days],
    ["days=100", days],
    ["days=1e1", days],
    ["days=07", days],
    ["days=%207", days],
    ["days=+7", days],
    ["days=7.0", days],
    ["days=0x7", days],
    ["days=", days],
    ["days=seven", days],
    ["days=%D9%A7", days],
    ["days=7&days=7", /days "7", "7": expected one value/],
    ["days=7&days=8", /days "7", "8": expected one value/],
    ["include=x", /include "x": expected breakdown/],
    ["include=", /include "": expected breakdown/],
    ["include=breakdown,x", /expected breakdown/],
    [
      "include=breakdown&include=breakdown",
      /include "breakdown", "breakdown": expected one value/,
    ],
    ["day=7", /"day": expected one of days, include/],
  ];
  for (const [query, error] of refused) {
    await t.step(query, async () => {
      assertRefused(await ask(`${SCORE}/history?${query}`), error);
    });
  }
  assertEquals(await used(), 0);
  for (const [query, expected] of [["", 30], ["days=1", 1], ["days=90", 90]]) {
    const { status, body } = await ask(`${SCORE}/history?${query}`);
    assertEquals([status, body.days], [200, expected]);
  }
  assertEquals(await used(), 3);
});

Deno.test("the history of a never-scored address is 200 with no entries", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps, { plan: "builder" });
  const { status, body } = await ask(`${SCORE}/history?include=breakdown`);
  assertEquals(status, 200);
  assertEquals(body, {
    address: ADDRESS,
    days: 30,
    count: 0,
    history: [],
    fetchedAt: deps.now().toISOString(),
    model: "s4-2026.3",
  });
  assertEquals(deps.upstreams.explorer.calls.length, 0);
});

Deno.test("a history has the last score of each day, oldest first, today included", async () => {
  using deps = await testDeps({ start: "2026-11-18T20:00:00.000Z" });
  const { ask } = await enrol(deps, { plan: "builder" });
  const read: ScoreRead[] = [];
  for (let day = 0; day < 3; day++) {
    await ask(SCORE);
    deps.advance(HOUR_MS);
    read.push((await ask(SCORE)).body);
    deps.advance(DAY_MS - HOUR_MS);
  }
  deps.advance(-DAY_MS);
  const { body } = await ask(`${SCORE}/history?include=breakdown`);
  assertEquals(HistoryAnswer.parse(body), body);
  assertEquals(
    body.history,
    read.map(({ fetchedAt, headline, model, ...legacy }) => ({
      date: fetchedAt.slice(0, 10),
      score: legacy.score,
      tier: legacy.tier,
      tierLabel: legacy.tierLabel,
      headline,
      model,
      breakdown: legacy.breakdown,
    })),
  );
  const plain = await ask(`${SCORE}/history?days=2`);
  assertEquals(
    plain.body.history,
    // deno-lint-ignore no-explicit-any -- an answer of any shape.
    body.history.slice(1).map(({ breakdown: _, ...rest }: any) => rest),
  );
  const today = await ask(`${SCORE}/history?days=1`);
  assertEquals(today.body.count, 1);
  assertEquals(today.body.history[0].date, "2026-11-20");
});

Deno.test("90 days of history with breakdown are 90 entries, and one read of the store", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps, { plan: "builder" });
  const today = dayAt(deps.now().getTime());
  const { headline, score, tier, breakdown, model } = scoreOf(
    {
      chain: NO_CHAIN,
      profile: NO_PROFILE,
      graph: NO_GRAPH,
      freshness: "fresh",
    },
    deps.now().getTime(),
    S4_2026_3,
  );
  for (let day = today - 99; day <= today; day++) {
    const { score: composite } = headline;
    const point = { day, headline: composite, model, score, tier, breakdown };
    await deps.store.scores.put(ADDRESS, point, { readAt: null });
  }
  const { reads } = tapKv(deps.kv);
  const path = `${SCORE}/history?days=90&include=breakdown`;
  const { body } = await ask(path);
  assertEquals(body.count, 90);
  assertEquals(body.history[0].date, formatDay(today - 89));
  assertEquals(body.history.at(-1).date, formatDay(today));
  assert("total" in body.history[0].breakdown);
  const read = reads.flat().filter(([room]) => room === "score_histories");
  assertEquals(read, [["score_histories", ADDRESS]]);
});
