/** The job that records scores: a day on which 100,000 addresses are due. */
import { JOBS, runDueJob } from "../../jobs/register_jobs.ts";
import type { Deps } from "../../services/deps.ts";
import { DAY_MS, dayAt } from "../../services/platform/days.ts";
import { MAX_RUN_MS } from "../../services/platform/jobs/job_run.ts";
import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { HISTORY_DAYS } from "../../services/model/scores_schema.ts";
import type { ScorePoint } from "../../services/scores/score_history.ts";
import { readScore } from "../../services/scores/scores.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../tests/support/deps.ts";
import { addressOf } from "../../tests/support/graph.ts";
import { countUnits } from "../../tests/support/kv/units.ts";
import {
  setFaults,
  startKvConnect,
} from "../../tests/support/kv_connect/kv_connect.ts";
import type { BenchmarkOptions, Measurement } from "../measure/measurement.ts";
import { cpuSeconds } from "../measure/process_usage.ts";

/** Addresses that are due, in the full and in the short run. */
const DUE = { full: 100_000, short: 5_000 };

/** Addresses of the runs that show the units, and the time on a hosted database. */
const FEW = 2_000;

/** Latency of a hosted database in its own region. */
const NEAR_MS = 7;

const JOB = JOBS.find(({ name }) => name === "record-scores")!;

/** Measures runs of the job, as it is scheduled, with full histories that all change. */
export async function measureRecordScores(
  { short }: BenchmarkOptions,
): Promise<Measurement[]> {
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const due = short ? DUE.short : DUE.full;
  const deps = stack.use(await testDeps({ kvPath: `${folder}/due` }));
  await fill(deps, due);
  const cpuBefore = cpuSeconds(Deno.pid);
  const file = await record(deps);
  const cpuMs = (cpuSeconds(Deno.pid) - cpuBefore) * 1_000;

  const counted = stack.use(await testDeps());
  await fill(counted, FEW);
  const take = countUnits(counted.kv);
  await record(counted);
  // The run itself writes its lease, its record and its cursor.
  const ofRun = ["job_leases", "job_runs", "score_cursor"];
  const units = [...take()].filter(([name]) => !ofRun.includes(name));
  const unitsOf = (kind: "reads" | "writes") =>
    units.reduce((sum, [, of]) => sum + of[kind], 0) / FEW;

  using server = await startKvConnect();
  const kvPath = server.newDatabase();
  const hosted = stack.use(await testDeps({ kvPath }));
  await fill(hosted, FEW);
  await setFaults(kvPath, { latencyMs: NEAR_MS });
  const far = await record(hosted);

  const many = due.toLocaleString("en");
  const row = (
    name: string,
    value: number,
    unit: string,
    target: Measurement["target"] = null,
  ): Measurement => ({ name, value, unit, peer: null, target });
  const inRun = (perSecond: number) => perSecond * MAX_RUN_MS / 1_000;
  const ENOUGH = { of: "value", is: ">=", than: DUE.full } as const;
  return [
    row(`scores recorded of ${many} due`, file.recorded, "", {
      of: "value",
      is: "=",
      than: due,
    }),
    row("the same, points a second", file.perSecond, "/s"),
    row("the same, CPU time a point", cpuMs / due, "ms"),
    row("the same, points in the time of a run", inRun(file.perSecond), "", {
      ...ENOUGH,
    }),
    row("the same, read units a point", unitsOf("reads"), ""),
    row("the same, write units a point", unitsOf("writes"), "", {
      of: "value",
      is: "<=",
      than: 2,
    }),
    row(
      `on a hosted database at ${NEAR_MS} ms, points a second`,
      far.perSecond,
      "/s",
    ),
    row("the same, points in the time of a run", inRun(far.perSecond), "", {
      ...ENOUGH,
    }),
  ];
}

/** Copies the records of an ordinary wallet to many addresses, each with a history of 90 days in which every part changes. */
async function fill(deps: TestDeps, addresses: number): Promise<void> {
  const wallet = exampleOf("ordinary");
  const { scores, signals, entries } = deps.store;
  await readScore(deps, wallet, { requester: SERVICE });
  const [point] = (await scores.find(wallet))!.points;
  const now = deps.now().getTime();
  const template = addressOf(1);
  for (let ago = HISTORY_DAYS - 1; ago >= 0; ago--) {
    const breakdown = Object.fromEntries(
      Object.keys(point!.breakdown).map((name, nth) => [
        name,
        (ago * 37 + nth * 101) % 1_200 / 100,
      ]),
    ) as unknown as ScorePoint["breakdown"];
    const day = dayAt(now) - ago;
    const readAt = ago === 0 ? now : null;
    await scores.put(template, { ...point!, day, breakdown }, { readAt });
  }
  const [stored] = await signals.findAll([wallet]);
  await signals.put(template, stored!);
  const kept = ["score_histories", "signals"];
  const records = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  const copied = records.filter(({ key: [name, address] }) =>
    kept.includes(String(name)) && address === template
  );
  for (let first = 0; first < addresses; first += 100) {
    const many = Array.from(
      { length: 100 },
      (_, nth) => addressOf(1e6 + first + nth),
    );
    await entries.put(
      many.flatMap((address) =>
        copied.map(({ key: [name], value }) => ({
          key: [name!, address],
          value,
        }))
      ),
      { isCurrent: true },
    );
  }
  // The two templates are not due.
  await deps.kv.delete(["score_histories", template]);
  await deps.kv.delete(["score_histories", wallet]);
  deps.advance(DAY_MS);
}

/** Runs the job once at its time. */
async function record(deps: Deps) {
  const startedAt = performance.now();
  const run = await runDueJob(deps, JOB);
  const seconds = (performance.now() - startedAt) / 1_000;
  const recorded = Number(run?.outcome?.match(/^\d+/)?.[0]);
  return { recorded, perSecond: recorded / seconds };
}
