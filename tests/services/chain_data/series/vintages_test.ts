/** Random histories of publications, revisions and reads. `FIRN_HISTORIES` sets their number. */
import { assert, assertEquals } from "@std/assert";
import {
  INTERVALS,
  METRICS,
  type MetricsAnswer,
  MetricsQuery,
  type Point,
  type StoredMetric,
} from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import type { Gap } from "../../../../services/chain_data/catalogue/fields_schema.ts";
import { readMetrics } from "../../../../services/chain_data/series/read_metrics.ts";
import { isFinal as isFinalAt } from "../../../../services/chain_data/series/vintages.ts";
import {
  formatDay,
  type Interval,
  parseDay,
  startOfBucket,
} from "../../../../services/platform/days.ts";
import { meanOf } from "../../../../services/platform/numbers.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  CHAIN,
  openRevisingWorld,
  type RevisingWorld,
} from "../../../support/chain_data/revising_world.ts";
import { randomFrom } from "../../../support/random.ts";

const HISTORIES = Number(Deno.env.get("FIRN_HISTORIES") ?? 24);

/** One metric of each fold. */
const METRIC_OF_FOLD: readonly StoredMetric[] = [
  "txCount",
  "activeAddresses",
  "maxTps",
  "cumulativeTxCount",
];

/** An answer without what it does not promise to repeat; a fault by its message. */
type Recorded = Partial<MetricsAnswer> | string;

/** What was answered at an instant, by interval. */
interface Moment {
  readonly asOf: string;
  readonly answers: ReadonlyMap<Interval, Recorded>;
}

async function ask(
  { deps }: RevisingWorld,
  query: Record<string, unknown>,
): Promise<Recorded> {
  try {
    const { answer } = await readMetrics(
      deps,
      MetricsQuery.parse({ chainId: String(CHAIN), range: "all", ...query }),
      { maxStaleMs: 0 },
    );
    const { fetchedAt: _, confirmedAt: __, asOf: ___, ...rest } = answer;
    return { ...rest, gaps: withoutReasons(rest) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

/** Returns the gaps before the newest day. Why a day had no value is not recorded. */
function withoutReasons(
  { gaps, dataThrough }: Pick<MetricsAnswer, "gaps" | "dataThrough">,
): Gap[] {
  const joined: Gap[] = [];
  for (const { from, to } of gaps) {
    if (from > (dataThrough ?? "")) continue;
    const last = joined.at(-1);
    const isNext = last && parseDay(last.to) + 1 === parseDay(from);
    if (isNext) joined[joined.length - 1] = { ...last, to };
    else joined.push({ from, to });
  }
  return joined;
}

const FOLDS: Record<string, (values: number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value),
  mean: meanOf,
  max: (values) => Math.max(...values),
  last: (values) => values.at(-1)!,
};

const isFinal = ({ complete, inferred }: Point) =>
  complete || inferred === true;

/** Returns an answer without the days that were incomplete. */
function withoutIncomplete(
  answer: Recorded,
  days: Recorded,
  interval: Interval,
): Recorded {
  if (typeof answer === "string" || typeof days === "string") return answer;
  const fold = FOLDS[METRICS[answer.metric!].fold]!;
  const kept = Map.groupBy(
    days.series!.filter(isFinal),
    ({ day }) => formatDay(startOfBucket(parseDay(day), interval)),
  );
  const series = answer.series!.flatMap((point) => {
    const values = kept.get(point.day)?.map(({ value }) => value);
    return values === undefined ? [] : [{ ...point, value: fold(values) }];
  });
  const lastPeriodComplete = series.at(-1)?.complete ?? false;
  return { ...answer, series, lastPeriodComplete };
}

async function record(
  world: RevisingWorld,
  metric: StoredMetric,
): Promise<Moment> {
  const given = new Map<Interval, Recorded>();
  for (const interval of INTERVALS) {
    given.set(interval, await ask(world, { metric, interval }));
  }
  const days = given.get("day")!;
  return {
    asOf: world.deps.now().toISOString(),
    answers: new Map(
      [...given].map(([interval, answer]) => [
        interval,
        withoutIncomplete(answer, days, interval),
      ]),
    ),
  };
}

Deno.test("asOf repeats what was answered at any instant of random histories, by day, week and month", async () => {
  let revised = 0;
  let inferred = 0;
  let disputed = 0;
  let longer = 0;
  for (let seed = 0; seed < HISTORIES; seed++) {
    const random = randomFrom(seed);
    const metric = METRIC_OF_FOLD[seed % METRIC_OF_FOLD.length]!;
    await using world = await openRevisingWorld(random, metric);
    const moments: Moment[] = [];
    for (let step = 0; step < 40; step++) {
      await world.act();
      if (random() >= 0.15) continue;
      moments.push(await record(world, metric));
      // What is written in the same millisecond belongs to the answer.
      world.advance(1);
    }
    for (const { asOf, answers } of moments) {
      for (const [interval, expected] of answers) {
        const actual = await ask(world, { metric, interval, asOf });
        assertEquals(actual, expected, `seed ${seed}, ${interval} ${asOf}`);
        if (typeof actual === "string") continue;
        revised += Number(actual.series!.some(({ revisedAt }) => revisedAt));
        inferred += Number(actual.series!.some(({ inferred }) => inferred));
        disputed += Number(actual.series!.some(({ disputed }) => disputed));
        longer += Number(actual.series!.length > 1);
      }
    }
  }
  // The histories contain what they are to test.
  for (const count of [revised, inferred, disputed, longer]) {
    assert(count >= HISTORIES / 4, `${[revised, inferred, disputed, longer]}`);
  }
});

Deno.test("isFinal() is false for the first minute, in which a process with a slower clock may still write", () => {
  const now = Date.parse("2026-11-21T08:00:00Z");
  assertEquals(isFinalAt(null, now), false);
  assertEquals(isFinalAt(now, now), false);
  assertEquals(isFinalAt(now - 60_000, now), false);
  assertEquals(isFinalAt(now - 60_001, now), true);
});
