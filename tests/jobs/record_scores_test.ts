/** The daily job that records the scores of recently read addresses. */
import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DAY_MS, dayAt } from "../../services/platform/days.ts";
import { readScore } from "../../services/scores/scores.ts";
import type { ScorePoint } from "../../services/scores/score_history.ts";
import { recordScores } from "../../jobs/record_scores.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { countUnits } from "../support/kv/units.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  runNamed,
  succeed,
} from "../support/jobs.ts";

const JOB = "record-scores";
const ADDRESSES = [0, 1, 2].map((nth) => exampleOf("ordinary", nth));

/** Reads the scores of some addresses as a request does. */
async function readAll(deps: TestDeps, addresses = ADDRESSES): Promise<void> {
  for (const address of addresses) {
    await readScore(deps, address, { requester: SERVICE });
  }
}

/** Returns the ages in days of the points of an address. */
async function agesOf(deps: TestDeps, address: string): Promise<number[]> {
  const { points } = (await deps.store.scores.find(address))!;
  return points.map(({ day }) => dayAt(deps.now().getTime()) - day);
}

Deno.test("record-scores adds a point a day to addresses for 30 days after their last read, without upstream calls", async () => {
  using deps = await testDeps();
  await readAll(deps);
  const before = await Promise.all(ADDRESSES.map(deps.store.scores.find));
  const { explorer, cChainRpc } = deps.upstreams;
  const calls = () => explorer.calls.length + cChainRpc.calls.length;
  const made = calls();
  for (let day = 1; day <= 30; day++) {
    deps.advance(DAY_MS);
    assertEquals(await succeed(deps, JOB), "3 scores recorded", `day ${day}`);
  }
  deps.advance(DAY_MS);
  assertEquals(await succeed(deps, JOB), "0 scores recorded");
  assertEquals(calls(), made);
  for (const [nth, address] of ADDRESSES.entries()) {
    const ages = await agesOf(deps, address);
    assertEquals(ages, Array.from({ length: 31 }, (_, nth) => 31 - nth));
    const { readAt } = (await deps.store.scores.find(address))!;
    assertEquals(
      readAt,
      before[nth]!.readAt,
      "the job does not count as a read",
    );
  }
});

Deno.test("record-scores writes at most two units a point, also of full histories", async () => {
  using deps = await testDeps();
  await readAll(deps);
  const now = deps.now().getTime();
  for (const address of ADDRESSES) {
    const [point] = (await deps.store.scores.find(address))!.points;
    await deps.kv.delete(["score_histories", address]);
    for (let ago = 90; ago > 0; ago--) {
      // Every part changes each day.
      const breakdown = Object.fromEntries(
        Object.keys(point!.breakdown).map((name, nth) => [
          name,
          (ago * 37 + nth * 101) % 1_200 / 100,
        ]),
      ) as unknown as ScorePoint["breakdown"];
      const day = dayAt(now) - ago;
      await deps.store.scores.put(address, { ...point!, day, breakdown }, {
        readAt: now,
      });
    }
  }
  const take = countUnits(deps.kv);
  assertEquals(await succeed(deps, JOB), "3 scores recorded");
  // The run has its record and its cursor, however many points it writes.
  const ofRun = ["job_leases", "job_runs", "score_cursor"];
  const units = [...take()].filter(([name]) => !ofRun.includes(name));
  const written = units.reduce((sum, [, { writes }]) => sum + writes, 0);
  assert(written >= 3 && written <= 6, Deno.inspect(units));
});

Deno.test("record-scores skips addresses with today's point, so a second run does nothing", async () => {
  using deps = await testDeps();
  await readAll(deps);
  assertEquals(await succeed(deps, JOB), "0 scores recorded");
  deps.advance(DAY_MS);
  await readAll(deps, ADDRESSES.slice(0, 1));
  assertEquals(await succeed(deps, JOB), "2 scores recorded");
  assertEquals(await succeed(deps, JOB), "0 scores recorded");
});

Deno.test("record-scores continues after a killed process", async () => {
  using deps = await testDeps();
  await readAll(deps);
  deps.advance(DAY_MS);
  const { scores } = deps.store;
  const put = dyingAfter(1, scores.put);
  const store = { ...deps.store, scores: { ...scores, put: put.call } };
  runNamed({ ...deps, store }, JOB);
  await put.died;
  assertEquals((await runNamed(deps, JOB)).outcome, "runs already");
  deps.advance(LEASE_OVER_MS);
  assertEquals(await succeed(deps, JOB), "2 scores recorded");
  for (const address of ADDRESSES) {
    assertEquals(await agesOf(deps, address), [1, 0]);
  }
});

Deno.test("record-scores stops at the end of its time, and names the backlog", async () => {
  using deps = await testDeps();
  const many = Array.from(
    { length: 20 },
    (_, nth) => exampleOf("ordinary", nth),
  );
  await readAll(deps, many);
  deps.advance(DAY_MS);
  const { scores } = deps.store;
  let puts = 0;
  const put: typeof scores.put = (...args) => {
    if (++puts === 2) deps.advance(50 * 60_000);
    return scores.put(...args);
  };
  const store = { ...deps.store, scores: { ...scores, put } };
  const { outcome } = await runNamed({ ...deps, store }, JOB);
  assertEquals(
    outcome,
    "8 scores recorded, 12 due are left for the next run",
  );
  assertEquals(await succeed(deps, JOB), "12 scores recorded");
});

Deno.test("record-scores continues after addresses that have no signals", async () => {
  using deps = await testDeps();
  await readAll(deps);
  deps.advance(DAY_MS);
  const known = ADDRESSES.toSorted();
  const { value: history } = await deps.kv.get(["score_histories", known[0]!]);
  // They sort before the others.
  const atomic = deps.kv.atomic();
  for (let nth = 0; nth < 500; nth++) {
    const address = `0x${`${nth}`.padStart(40, "0")}`;
    atomic.set(["score_histories", address], history);
  }
  await atomic.commit();
  let tried = 0;
  const proceed = () => Promise.resolve(tried++ < 400);
  let left = 0;
  assertEquals(
    await recordScores(deps, { proceed, leave: (items) => left = items }),
    "0 scores recorded, 103 due are left for the next run",
  );
  assertEquals(left, 103);
  tried = 0;
  // Those of the first run are due again, and come last.
  assertMatch(await recordScores(deps, { proceed }), /^3 scores recorded/);
});

Deno.test("record-scores continues after an address that throws", async () => {
  using deps = await testDeps();
  await readAll(deps);
  deps.advance(DAY_MS);
  const [bad] = ADDRESSES.toSorted();
  const { scores } = deps.store;
  const put: typeof scores.put = (address, ...rest) =>
    address === bad
      ? Promise.reject(new Error("a bad record"))
      : scores.put(address, ...rest);
  const store = { ...deps.store, scores: { ...scores, put } };
  const failed = await runNamed({ ...deps, store }, JOB);
  assertEquals(failed.error, "internal error");
  await runNamed({ ...deps, store }, JOB);
  for (const address of ADDRESSES) {
    const ages = address === bad ? [1] : [1, 0];
    assertEquals(await agesOf(deps, address), ages);
  }
});
