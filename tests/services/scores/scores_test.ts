/** Scores by the clock: they change at most once a minute, wherever they are shown. */
import { SERVICE } from "../../../services/platform/rate_limit/requesters.ts";
import { assertEquals } from "@std/assert";
import type { ScoringModel } from "../../../services/model/scoring_model.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { LATER } from "../../support/scores/later_model.ts";
import { readBatch } from "../../../services/scores/batches.ts";
import { findScore, readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";

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
