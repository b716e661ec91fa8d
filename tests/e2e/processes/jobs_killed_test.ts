/** Jobs that are killed at any moment: the next run goes on, and the store ends as one that was never disturbed. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS, dayAt } from "../../../services/platform/days.ts";
import type { ScorePoint } from "../../../services/scores/score_history.ts";
import { INDEX_METRICS } from "../../../services/chain_data/series/series_id.ts";
import { openStores, type Stores } from "../../../services/stores.ts";
import { settingsOf, startSimnet } from "../../../simnet/start.ts";
import { START, testDeps } from "../../support/deps.ts";
import { know, others, paid } from "../../support/graph.ts";
import { assertSoundFile } from "../../support/kv/invariants.ts";
import { succeed } from "../../support/jobs.ts";
import {
  FAST_CLOCK_WORKER,
  kill,
  startProgram,
  until,
} from "../../support/processes/service.ts";

const JOBS = [
  "cross-check",
  "snapshot-validators",
  "sample-blocks",
  "record-scores",
];
const TURNS = 10;
const ADDRESSES = 200;
const FACTOR = 150;

/** Longer than a dead process keeps others from its job. */
const LEASE_OVER_MS = 181_000;

/** Longest that a process lives after it was ready. */
const LONGEST_LIFE_MS = 250;

const BREAKDOWN = {
  walletAge: 1,
  txActivity: 1,
  gasSpent: 1,
  verifiedSocials: 0,
  followers: 0,
  donations: 0,
  premium: 0,
  paidSlug: 0,
  total: 3,
};

/** Makes addresses that are due to be scored. */
async function awaitScores(deps: Awaited<ReturnType<typeof testDeps>>) {
  const readAt = deps.now().getTime() - DAY_MS;
  const point: ScorePoint = {
    day: dayAt(readAt),
    score: 3,
    tier: "starter",
    breakdown: BREAKDOWN,
  };
  const addresses = others(ADDRESSES);
  await know(deps, addresses, paid(3));
  for (const address of addresses) {
    await deps.store.scores.put(address, point, { readAt });
  }
}

/** What jobs have made, without when they made it. */
async function madeIn(store: Stores) {
  const series = await Promise.all(
    INDEX_METRICS.map((metric) =>
      store.series.find({ subject: "explorer-index", metric })
    ),
  );
  const validators = await store.validatorDays.list();
  const histories = await Array.fromAsync(store.scores.list());
  return {
    series: series.map((found) => found?.series),
    validators: validators.map(({ takenAt: _, source: _source, ...day }) =>
      day
    ),
    days: histories.map(({ address, points }) => [
      address,
      points.map(({ day, score }) => [day, score]),
    ]),
  };
}

/** The blocks of sampled days, without when they were counted: which older day is chance. */
async function blocksIn(store: Stores) {
  const samples = await store.blockSamples.list();
  return new Map(samples.map(({ takenAt: _, source: _source, ...sample }) => [
    sample.day,
    sample,
  ]));
}

Deno.test("the jobs survive being killed at random, and make what undisturbed ones make", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const simnet = stack.use(startSimnet({ now: () => new Date(START) }));
  const kvPath = `${folder}/kv.sqlite3`;
  const settings = { ...settingsOf(simnet), KV_PATH: kvPath };
  {
    using deps = await testDeps({ kvPath, settings });
    await awaitScores(deps);
  }
  using calm = await testDeps({ settings });
  await awaitScores(calm);
  for (const job of JOBS) await succeed(calm, job);

  const began = Date.now();
  const start = (turn: number) => {
    const passedMs = (Date.now() - began) * FACTOR + turn * LEASE_OVER_MS;
    const now = new Date(Date.parse(START) + passedMs).toISOString();
    // Each job is the first one in its turn; at the end they go in their order.
    const first = turn === TURNS ? 0 : turn % JOBS.length;
    const jobs = [...JOBS.slice(first), ...JOBS.slice(0, first)];
    const program = [...FAST_CLOCK_WORKER, now, String(FACTOR), ...jobs];
    return stack.use(startProgram(program, settings));
  };
  let disturbed = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const worker = start(turn);
    await until(worker, () => worker.output().includes("ready"));
    const lifeMs = Math.random() * LONGEST_LIFE_MS;
    await new Promise((resolve) => setTimeout(resolve, lifeMs));
    kill(worker.process, "SIGKILL");
    const { signal } = await worker.process.status;
    if (signal === "SIGKILL") disturbed++;
    await assertSoundFile(kvPath);
  }
  assert(disturbed > 0, "all were done before they could be killed");
  const last = start(TURNS);
  assertEquals((await last.process.status).code, 0, last.output());

  await assertSoundFile(kvPath);
  using kv = await Deno.openKv(kvPath);
  const store = openStores(kv);
  for (const { job, error } of await store.jobs.listRuns()) {
    assertEquals([job, error], [job, null]);
  }
  assertEquals(await madeIn(store), await madeIn(calm.store));
  const [sampled, wanted] = [
    await blocksIn(store),
    await blocksIn(calm.store),
  ];
  const newest = dayAt(Date.parse(START)) - 1;
  for (const [day, sample] of wanted) {
    if (newest - day < 7) assert(sampled.has(day), String(day));
    if (sampled.has(day)) assertEquals(sampled.get(day), sample);
  }
});
