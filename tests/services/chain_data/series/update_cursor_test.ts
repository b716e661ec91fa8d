/** `updatedAfter` with the `fetchedAt` of the last answer, over random histories of two processes. `FIRN_HISTORIES` sets their number. */
import { assert, assertEquals } from "@std/assert";
import {
  type Metric,
  MetricsQuery,
  type Point,
  type StoredMetric,
} from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { readMetrics } from "../../../../services/chain_data/series/read_metrics.ts";
import { dayAt, parseDay } from "../../../../services/platform/days.ts";
import {
  CHAIN,
  openRevisingWorld,
  type RevisingWorld,
} from "../../../support/chain_data/revising_world.ts";
import { randomFrom } from "../../../support/random.ts";

const HISTORIES = Number(Deno.env.get("FIRN_HISTORIES") ?? 20);

/** Later histories with something rare: writes in another order than their instants, or a first day that is removed. */
const RARE = [79, 133, 137, 525];

/** The clock of the second process is ahead by this much. */
const SKEW_MS = 5_000;

const C_CHAIN = 43114;

/** A client that keeps a copy of a series by asking for what changed. */
function follower(chainId: number, metric: Metric) {
  const copy = new Map<string, Point>();
  let cursor: string | undefined;

  const ask = async (
    deps: RevisingWorld["deps"],
    updatedAfter: string | undefined,
  ) =>
    (await readMetrics(
      deps,
      MetricsQuery.parse({
        chainId: String(chainId),
        metric,
        range: "all",
        ...updatedAfter && { updatedAfter },
      }),
      { maxStaleMs: 0 },
    )).answer;

  return {
    /** Asks a process for what changed. Returns the days that the copy had already as they are. */
    async poll(deps: RevisingWorld["deps"]) {
      const { series, removedDays = [], fetchedAt } = await ask(deps, cursor);
      const known = series.filter((point) =>
        JSON.stringify(point) === JSON.stringify(copy.get(point.day))
      ).map(({ day }) => day);
      const absent = removedDays.filter((day) => !copy.has(day));
      // The end of a day completes it without a read.
      const today = dayAt(Date.parse(cursor ?? fetchedAt) - 120_000);
      for (const day of removedDays) copy.delete(day);
      for (const point of series) copy.set(point.day, point);
      cursor = fetchedAt;
      return {
        count: series.length + removedDays.length,
        again: [...known, ...absent].filter((day) => parseDay(day) < today),
      };
    },

    /** Asserts that the copy is what a process answers. Only the value of a day that grows may differ. */
    async check(deps: RevisingWorld["deps"], message: string) {
      const { series } = await ask(deps, undefined);
      const shown = (points: Iterable<Point>) =>
        Array.from(
          points,
          (point) =>
            point.complete ? point : { day: point.day, complete: false },
        ).sort((a, b) => a.day < b.day ? -1 : 1);
      assertEquals(shown(copy.values()), shown(series), message);
    },
  };
}

/** Follows metrics in turn through random histories. Returns the changes that came again. */
async function follow(chainId: number, metrics: readonly StoredMetric[]) {
  let count = 0;
  const again: string[] = [];
  for (const seed of new Set([...Array(HISTORIES).keys(), ...RARE])) {
    const random = randomFrom(seed);
    const metric = metrics[seed % metrics.length]!;
    await using world = await openRevisingWorld(random, metric, [0, SKEW_MS]);
    const { poll, check } = follower(chainId, metric);
    const pick = () => world.processes[Math.floor(random() * 2)]!;
    await poll(pick());
    for (let step = 0; step < 60; step++) {
      await world.act();
      if (random() >= 0.4) continue;
      const polled = await poll(pick());
      count += polled.count;
      again.push(...polled.again.map((day) => `seed ${seed}: ${day}`));
      // At midnight one process is a day ahead.
      const days = world.processes.map(({ now }) => dayAt(now().getTime()));
      if (days[0] !== days[1]) continue;
      await poll(world.deps);
      await check(world.deps, `seed ${seed}, step ${step}`);
    }
  }
  assert(count >= 4 * HISTORIES, `${count} changes`);
  return again;
}

Deno.test("updatedAfter with the fetchedAt of the last answer returns each change once and misses none, with two processes whose clocks are 5 s apart", async () => {
  assertEquals(await follow(C_CHAIN, ["txCount"]), []);
});

Deno.test("updatedAfter with the fetchedAt of the last answer misses no change of a chain whose days are inferred", async () => {
  await follow(CHAIN, ["txCount", "gasUsed", "cumulativeTxCount"]);
});
