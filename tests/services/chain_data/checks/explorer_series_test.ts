/** Which days of the explorer index are fetched, and in which calls. */
import { SERVICE } from "../../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals, assertRejects } from "@std/assert";
import {
  fetchNewDays,
  findExplorerSeries,
  recheckDays,
} from "../../../../services/chain_data/checks/explorer_series.ts";
import { GENESIS_DAY } from "../../../../services/chain_data/catalogue/fields_schema.ts";
import { newestDay } from "../../../../services/chain_data/series/series.ts";
import {
  DAY_MS,
  dayAt,
  HOUR_MS,
  parseDay,
} from "../../../../services/platform/days.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

const METRIC = "feesPaid";
const GENESIS = parseDay(GENESIS_DAY);

/** Days after genesis at which the tests start: one more than 28 × 30, so that a part of a round has 31. */
const AGE = 841;

const options = () => ({
  priority: "job" as const,
  signal: new AbortController().signal,
  requester: SERVICE,
});

/** A service whose explorer index has a value for each day but those that are missing, and fails for calls from some days. */
async function young(age = AGE) {
  const start = new Date((GENESIS + age) * DAY_MS).toISOString();
  const deps = await testDeps({ start });
  const calls: [from: number, to: number][] = [];
  const missing = new Set<number>();
  const failing = new Set<number>();
  const { explorer } = deps.upstream;
  const read: TestDeps["upstream"]["explorer"]["readDaily"] = (
    _metric,
    { from, to },
  ) => {
    calls.push([from - GENESIS, to - GENESIS]);
    if (failing.has(from)) return Promise.reject(new Error("no answer"));
    const days = Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
    const body = days.filter((day) => !missing.has(day))
      .map((day) => ({ day, value: day }));
    return Promise.resolve({ body, source: "test" });
  };
  const upstream = {
    ...deps.upstream,
    explorer: { ...explorer, readDaily: read },
  };
  return {
    ...deps,
    upstream,
    missing,
    failing,
    /** Runs a fetch, and returns the first and last day of each call, from genesis. */
    async callsOf(work: typeof fetchNewDays) {
      calls.length = 0;
      await work(
        { log: deps.log, now: deps.now, store: deps.store, upstream },
        METRIC,
        options,
      );
      return [...calls];
    },
  };
}

Deno.test("fetchNewDays() reads all days up to yesterday, a leap year a call, and then the newest and two weeks before it", async () => {
  using deps = await young();
  const { callsOf } = deps;
  assertEquals(await callsOf(fetchNewDays), [[0, 365], [366, 731], [
    732,
    840,
  ]]);
  const stored = await findExplorerSeries(deps, METRIC);
  assertEquals(newestDay(stored!.series), dayAt(deps.now().getTime()) - 1);
  assertEquals(stored!.wholeAt, deps.now().getTime());
  deps.advance(2 * DAY_MS);
  assertEquals(await callsOf(fetchNewDays), [[826, 842]]);
});

Deno.test("fetchNewDays() reads again from the first day that the index withdraws", async () => {
  using deps = await young();
  const { callsOf, missing } = deps;
  await callsOf(fetchNewDays);
  missing.add(GENESIS + 700);
  await callsOf((...args) => recheckWhole(deps, ...args));
  assertEquals(await callsOf(fetchNewDays), [[700, 840]]);
});

/** Rechecks until the round is over. */
async function recheckWhole(
  { store }: TestDeps | Awaited<ReturnType<typeof young>>,
  ...args: Parameters<typeof recheckDays>
): Promise<void> {
  do await recheckDays(...args); while (
    (await store.rechecks.find(METRIC))! < GENESIS + 701
  );
}

Deno.test("recheckDays() reads a twenty-eighth of the history, and starts again before the last two weeks", async () => {
  using deps = await young();
  const { callsOf, store } = deps;
  await callsOf(fetchNewDays);
  assertEquals(await callsOf(recheckDays), [[0, 30]]);
  assertEquals(await callsOf(recheckDays), [[31, 61]]);
  await store.rechecks.put(METRIC, GENESIS + 840 - 14);
  assertEquals(await callsOf(recheckDays), [[826, 840]]);
  assertEquals(await store.rechecks.find(METRIC), GENESIS + 857);
  assertEquals(await callsOf(recheckDays), [[0, 30]]);
  await store.rechecks.put(METRIC, GENESIS + 840 - 13);
  assertEquals(await callsOf(recheckDays), [[0, 30]]);
});

Deno.test("the last call and a part of a round may be of one day, or of exactly a twenty-eighth", async () => {
  using deps = await young(733);
  assertEquals(await deps.callsOf(fetchNewDays), [[0, 365], [366, 731], [
    732,
    732,
  ]]);
  using whole = await young(840);
  assertEquals(await whole.callsOf(recheckDays), [[0, 29]]);
});

Deno.test("a series is whole once a fetch reached yesterday, and not before", async () => {
  using deps = await young();
  const { callsOf, failing, store } = deps;
  const wholeAt = async () => (await findExplorerSeries(deps, METRIC))!.wholeAt;
  failing.add(GENESIS + 366);
  await assertRejects(() => callsOf(fetchNewDays), Error, "no answer");
  assertEquals(await wholeAt(), 0);
  failing.clear();
  await callsOf(fetchNewDays);
  const filledAt = deps.now().getTime();
  assertEquals(await wholeAt(), filledAt);
  deps.advance(1_000);
  // The first part of a round that ends a day before yesterday, and one that ends yesterday.
  await store.rechecks.put(METRIC, GENESIS + 840 - 31);
  assertEquals(await callsOf(recheckDays), [[809, 839]]);
  assertEquals(await wholeAt(), filledAt);
  await store.rechecks.put(METRIC, GENESIS + 840 - 30);
  assertEquals(await callsOf(recheckDays), [[810, 840]]);
  assertEquals(await wholeAt(), filledAt + 1_000);
});

Deno.test("an answer that withdraws days in more than 500 places is refused, and changes nothing", async () => {
  using deps = await young(1_098);
  const { callsOf, missing } = deps;
  await callsOf(fetchNewDays);
  missing.add(GENESIS);
  await callsOf(recheckDays);
  for (let day = 0; day < 732 + 2 * 134; day += 2) missing.add(GENESIS + day);
  await callsOf(fetchNewDays);
  const last = await findExplorerSeries(deps, METRIC);
  assertEquals(last!.withdrawals!.length, 500);
  missing.add(GENESIS + 1_002);
  await assertRejects(
    () => callsOf(fetchNewDays),
    Error,
    "lacks days it had before",
  );
  const after = await findExplorerSeries(deps, METRIC);
  assertEquals(after!.withdrawals!.length, 500);
  assertEquals(after!.series, last!.series);
});

Deno.test("fetchNewDays() dates a change by the end of its call, also if only the newest day grows", async () => {
  using deps = await testDeps({ start: "2020-09-25T12:00:00Z" });
  let newest = 5;
  const readDaily: TestDeps["upstream"]["explorer"]["readDaily"] = () => {
    deps.advance(2_000);
    const body = [{ day: GENESIS, value: 1 }, {
      day: GENESIS + 1,
      value: newest,
    }];
    return Promise.resolve({ body, source: "test" });
  };
  const explorer = { ...deps.upstream.explorer, readDaily };
  const slow = { ...deps, upstream: { ...deps.upstream, explorer } };
  const fetch = async () => {
    deps.advance(HOUR_MS);
    await fetchNewDays(slow, METRIC, options);
    const { changedAt } = (await findExplorerSeries(deps, METRIC))!;
    return deps.now().getTime() - changedAt;
  };
  assertEquals(await fetch(), 0);
  newest = 6;
  assertEquals(await fetch(), 0);
  assertEquals(await fetch(), HOUR_MS + 2_000, "nothing has changed");
});
