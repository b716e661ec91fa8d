/** Jobs killed at random moments: the next run resumes, and the store ends as after undisturbed runs. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS, dayAt, HOUR_MS } from "../../services/platform/days.ts";
import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { readScore } from "../../services/scores/scores.ts";
import type { ScorePoint } from "../../services/scores/score_history.ts";
import { EXPLORER_METRICS } from "../../services/chain_data/catalogue/series_id.ts";
import { openStores, type Stores } from "../../services/stores.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { START, testDeps } from "../support/deps.ts";
import { know, others, paid } from "../support/graph.ts";
import { assertSoundFile } from "../support/kv/invariants.ts";
import { databasePath, sizeOf } from "../support/kv/hosted.ts";
import { succeed } from "../support/jobs.ts";
import {
  JOB_WORKER,
  kill,
  startProgram,
  until,
} from "../support/processes/service.ts";
import { seededRandom } from "../support/random.ts";
import { waitUntil } from "../support/wait_until.ts";

const JOBS = [
  "cross-check",
  "snapshot-validators",
  "sample-blocks",
  "record-scores",
];
const TURNS = sizeOf({ local: 10, hosted: 4 });
const ADDRESSES = sizeOf({ local: 200, hosted: 40 });

/** Between two runs: longer than the lease of a dead process. */
const TURN_MS = 240_000;

/** Upstream calls after which a process is killed, at most. */
const MAX_CALLS = 60;

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

/** Stores addresses whose scores are due. */
async function storeDueScores(deps: Awaited<ReturnType<typeof testDeps>>) {
  const readAt = deps.now().getTime() - DAY_MS;
  const point: ScorePoint = {
    day: dayAt(readAt),
    headline: 0,
    model: "s4-2026.2",
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

/** Reads what the jobs stored, without the times at which they stored it. */
async function readResults(store: Stores) {
  const series = await Promise.all(
    EXPLORER_METRICS.map((metric) =>
      store.series.find({ subject: "explorer-index", metric })
    ),
  );
  const validators = await store.validatorDays.list();
  const histories = (await Array.fromAsync(store.scores.list()))
    .toSorted((a, b) => a.address.localeCompare(b.address));
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

/** Reads block samples by day, without the times of sampling. Which older day is sampled is random. */
async function readBlockSamples(store: Stores) {
  const samples = await store.blockSamples.list();
  return new Map(samples.map(({ takenAt: _, source: _source, ...sample }) => [
    sample.day,
    sample,
  ]));
}

Deno.test("killed jobs resume, and store what undisturbed jobs store", async () => {
  const random = seededRandom("jobs_killed_test");
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const simnet = stack.use(startSimnet({ now: () => new Date(START) }));
  const kvPath = databasePath(`${folder}/kv.sqlite3`);
  const settings = { ...settingsOf(simnet), KV_PATH: kvPath };
  {
    using deps = await testDeps({ kvPath, settings });
    await storeDueScores(deps);
  }
  using calm = await testDeps({ settings });
  await storeDueScores(calm);
  for (const job of JOBS) await succeed(calm, job);

  const countCalls = () =>
    Object.values(simnet.calls).reduce((sum, { length }) => sum + length, 0);
  const start = (turn: number) => {
    const now = new Date(Date.parse(START) + turn * TURN_MS).toISOString();
    // Each job is the first one in its turn; the last turn keeps their order.
    const first = turn === TURNS ? 0 : turn % JOBS.length;
    const jobs = [...JOBS.slice(first), ...JOBS.slice(0, first)];
    return stack.use(startProgram([...JOB_WORKER, now, ...jobs], settings));
  };
  let disturbed = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const enough = countCalls() + 1 + Math.floor(random() * MAX_CALLS);
    const { process } = start(turn);
    let hasEnded = false;
    process.status.then(() => hasEnded = true);
    await waitUntil(() => hasEnded || countCalls() >= enough);
    kill(process, "SIGKILL");
    const { signal } = await process.status;
    if (signal === "SIGKILL") disturbed++;
    await assertSoundFile(kvPath);
  }
  assert(disturbed > 0, "every process ended before it was killed");
  const { code, output } = await start(TURNS).finish();
  assertEquals(code, 0, output);

  await assertSoundFile(kvPath);
  using kv = await Deno.openKv(kvPath);
  const store = openStores(kv);
  for (const { job, error } of await store.jobs.listRuns()) {
    assertEquals([job, error], [job, null]);
  }
  assertEquals(await readResults(store), await readResults(calm.store));
  const [sampled, wanted] = [
    await readBlockSamples(store),
    await readBlockSamples(calm.store),
  ];
  const newest = dayAt(Date.parse(START)) - 1;
  for (const [day, sample] of wanted) {
    if (newest - day < 7) assert(sampled.has(day), String(day));
    if (sampled.has(day)) assertEquals(sampled.get(day), sample);
  }
});

/** Rounds of two processes that are killed, and the calls after which they are. */
const KILLED_PAIRS = 3;
const CALLS_A_PAIR = 8;

/** Long enough for both processes to run while one of them makes its calls. */
const ANSWER_MS = 200;

Deno.test("two processes that run score-waiting at once, killed again and again, refresh no address twice", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const simnet = stack.use(startSimnet({ now: () => new Date(START) }));
  simnet.switches.explorer.set({ mode: "slow", delayMs: ANSWER_MS });
  const kvPath = databasePath(`${folder}/kv.sqlite3`);
  const settings = { ...settingsOf(simnet), KV_PATH: kvPath };
  const addresses = Array.from(
    { length: 40 },
    (_, nth) => exampleOf("ordinary", nth),
  );
  let now = 0;
  {
    using deps = await testDeps({ kvPath, settings });
    for (const hours of [22.5, 0.75]) {
      for (const address of addresses) {
        await readScore(deps, address, { requester: SERVICE });
      }
      deps.advance(hours * HOUR_MS);
    }
    now = deps.now().getTime();
  }
  const calls = simnet.calls.explorer;
  const startPair = (turn: number) =>
    [0, 1].map(() => {
      const at = new Date(now + turn * TURN_MS).toISOString();
      const args = [...JOB_WORKER, at, "score-waiting"];
      return stack.use(startProgram(args, settings));
    });
  for (let turn = 0; turn < KILLED_PAIRS; turn++) {
    const enough = calls.length + CALLS_A_PAIR;
    const pair = startPair(turn);
    await until(pair[0]!, () => pair[0]!.output().includes("ready"));
    await waitUntil(() => calls.length >= enough);
    for (const { process } of pair) {
      kill(process, "SIGKILL");
      await process.status;
    }
    await assertSoundFile(kvPath);
  }
  for (const running of startPair(KILLED_PAIRS)) {
    const { code, output } = await running.finish();
    assertEquals(code, 0, output);
  }
  // The first call for each history; a long one takes more.
  const read = calls.filter(({ path }) => path.endsWith("&sort=desc"))
    .map(({ path }) => addresses.find((address) => path.includes(address)));
  assertEquals(read.length, new Set(read).size, "one was read twice");
  // A killed process had listed the address of its call for the next day.
  assert(read.length >= addresses.length - KILLED_PAIRS, `${read.length}`);
});
