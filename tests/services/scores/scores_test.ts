/** Scores by the clock, and by the settings: when they change. */
import { SERVICE } from "../../../services/platform/rate_limit/requesters.ts";
import { assertEquals } from "@std/assert";
import type { ScoringModel } from "../../../services/model/scoring_model.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { LATER } from "../../support/scores/later_model.ts";
import { readBatch } from "../../../services/scores/batches.ts";
import { findScore, readScore } from "../../../services/scores/scores.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
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
