/** An announced model: its headline stands beside the current one for 30 days. */
import { assertEquals } from "@std/assert";
import { ScoringAnswer } from "../../../routes/scores/scoring_api.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  MODEL_SCHEDULE,
  modelsAt,
  type ScheduledModel,
  tablesHashOf,
} from "../../../services/model/model.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { LATER } from "../../support/scores/later_model.ts";
import {
  BatchAnswer,
  ScoreRead,
} from "../../../services/model/scores_schema.ts";
import { findScore } from "../../../services/scores/scores.ts";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { askScoring, enrol } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { runNamed } from "../../support/jobs.ts";

const ADDRESS = exampleOf("heavy");
const UNKNOWN = exampleOf("ordinary");

const SCHEDULE: readonly ScheduledModel[] = [
  { model: S4_2026_3, announcedOn: null },
  { model: LATER, announcedOn: "2026-11-21" },
];

/** The day before the announcement, and days after it: the models in use and announced. */
const DAYS: readonly [day: number, current: string, next: string | null][] = [
  [-1, "s4-2026.3", null],
  [0, "s4-2026.3", "s4-2027.1"],
  [29, "s4-2026.3", "s4-2027.1"],
  [30, "s4-2027.1", null],
  [31, "s4-2027.1", null],
];

async function announcing(): Promise<TestDeps> {
  const deps = await testDeps({ start: "2026-11-20T08:00:00.000Z" });
  return { ...deps, modelSchedule: SCHEDULE };
}

/** Moves the clock to a day, counted from the announcement. */
function moveTo(deps: TestDeps, day: number): void {
  const at = Date.parse("2026-11-21T08:00:00Z") + day * DAY_MS;
  deps.advance(at - deps.now().getTime());
}

/** Returns the headline of an address by a model. */
async function headlineBy(deps: TestDeps, id: string) {
  const model = [S4_2026_3, LATER].find((model) => model.id === id);
  return (await findScore(deps, ADDRESS, model))!.read.headline;
}

Deno.test("scores and batches show the announced model's headline for 30 days, then use it", async (t) => {
  using deps = await announcing();
  const app = createApp(deps);
  for (const [day, current, next] of DAYS) {
    await t.step(`day ${day}`, async () => {
      moveTo(deps, day);
      const wallet = `0x${String(day + 10).padStart(40, "0")}`;
      const { ask, batch, key } = await enrol(deps, {
        plan: "builder",
        wallet,
      });
      // The third answer comes from memory.
      for (const _ of [1, 2, 3]) {
        const headers = { "X-Api-Key": key };
        const response = await app.request(`/api/v1/score/${ADDRESS}`, {
          headers,
        });
        const body = await response.json();
        const read = ScoreRead.parse(body);
        assertEquals(read.model, current);
        assertEquals(read.headline, await headlineBy(deps, current));
        assertEquals(
          read.next,
          next === null
            ? undefined
            : { model: next, headline: await headlineBy(deps, next) },
        );
        assertEquals("next" in body, next !== null);
      }
      const { body } = await batch({ addresses: [ADDRESS, UNKNOWN] });
      const [scored, unrated] = BatchAnswer.parse(body).results;
      assertEquals(scored!.next?.model ?? null, next);
      assertEquals("next" in unrated!, false);
      const { body: history } = await ask(`/score/${ADDRESS}/history`);
      assertEquals([history.model, history.history.at(-1).model], [
        current,
        current,
      ]);
    });
  }
});

Deno.test("/api/v1 announces the model with its days and the hash of its tables", async () => {
  using deps = await announcing();
  for (const [day, current, next] of DAYS) {
    moveTo(deps, day);
    const { body } = await askScoring(deps, "");
    const { models, next: announced } = ScoringAnswer.parse(body);
    assertEquals(models.response, current);
    assertEquals(
      models.tables,
      tablesHashOf(current === S4_2026_3.id ? S4_2026_3 : LATER),
    );
    assertEquals(
      announced,
      next === null ? undefined : {
        model: next,
        announcedOn: "2026-11-21",
        usedFrom: "2026-12-21",
        tables: tablesHashOf(LATER),
      },
    );
  }
});

Deno.test("the score page shows the headline of the announced model", async () => {
  using deps = await announcing();
  moveTo(deps, 0);
  const read = async () => {
    const path = `/tools/score/${ADDRESS}`;
    return await (await createApp(deps).request(path)).text();
  };
  const { score, tierLabel } = await read().then(() =>
    headlineBy(deps, "s4-2027.1")
  );
  const words = `s4-2027.1</code> the score is ${score}, ${tierLabel}`;
  assertEquals((await read()).includes(words), true);
  moveTo(deps, 31);
  assertEquals((await read()).includes("announced"), false);
});

Deno.test("the daily record of a score is by the model in use", async () => {
  using deps = await announcing();
  const { ask } = await enrol(deps, { plan: "builder" });
  moveTo(deps, 29);
  await ask(`/score/${ADDRESS}`);
  moveTo(deps, 30);
  await runNamed(deps, "record-scores");
  const { points } = (await deps.store.scores.find(ADDRESS))!;
  assertEquals(points.map(({ model }) => model), ["s4-2026.3", "s4-2027.1"]);
});

Deno.test("no model is announced in this release, and answers have no such field", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps);
  assertEquals("next" in (await ask(`/score/${ADDRESS}`)).body, false);
  assertEquals("next" in (await askScoring(deps, "")).body, false);
  assertEquals(modelsAt(deps.now().getTime(), MODEL_SCHEDULE), {
    current: S4_2026_3,
    next: null,
  });
});
