/** The status: what it says while all is well, and while something is not. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { JOB_NAMES } from "../../../services/platform/jobs/job_schedules_schema.ts";
import type { Surface } from "../../../services/platform/observability/process_metrics_schema.ts";
import { StatusAnswer } from "../../../services/status/status_schema.ts";
import type { Deps } from "../../../services/deps.ts";
import { upstreamDown } from "../../../services/platform/fault.ts";
import { FAILED_FIXTURES } from "../../../services/scores/test_key_answers.ts";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import { runJob } from "../../../services/platform/jobs/job_run.ts";
import { WALLET } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkedDeps, succeed } from "../../support/jobs.ts";
import { outlineOf } from "../../support/outline.ts";

type App = ReturnType<typeof createApp>;

async function read(app: App): Promise<StatusAnswer> {
  const response = await app.request("/status.json");
  const body = await response.json();
  assertEquals(response.status, 200);
  assertEquals(StatusAnswer.parse(body), body);
  return body;
}

const readFresh = (deps: Deps) => read(createApp(deps));

const find = ({ jobs }: StatusAnswer, name: string) =>
  jobs!.find(({ job }) => job === name)!;

async function readPage(deps: Deps): Promise<string> {
  const headers = { Accept: "text/html" };
  const response = await createApp(deps).request("/status", { headers });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Cache-Control"), "no-cache");
  return await response.text();
}

Deno.test("/status.json reports how current sources are, and the results of checks and jobs", async () => {
  using deps = await checkedDeps();
  await createApp(deps).request("/api/chain-data/metrics");
  deps.advance(3 * 3_600_000);
  const at = deps.now().getTime() - 1;
  await deps.store.jobs.end({
    job: "find-payments",
    startedAt: at,
    endedAt: at,
    outcome: "",
    items: 0,
    error: null,
  }, "test");
  const body = await readFresh(deps);
  assertEquals([body.status, body.database.status], ["ok", "ok"]);
  assert(body.database.pingMs! >= 0);
  assertEquals(body.sources!.map(({ lagHours }) => lagHours), [3, 3, 3, 3]);
  assertEquals(
    body.openDisputeCount,
    body.checks!.reduce((sum, check) => sum + check.openDisputeCount, 0),
  );
  assertEquals(body.jobs!.map(({ job }) => job), [...JOB_NAMES]);
  const { lastRun, nextDueAt } = find(body, "cross-check");
  assertEquals(lastRun!.result, "ok");
  assertEquals(lastRun!.startedAt, "2026-11-21T08:00:00.000Z");
  assertEquals(nextDueAt, "2026-11-22T03:20:00.000Z", "done for today");
  assertEquals(
    find(body, "find-payments").nextDueAt,
    "2026-11-21T11:01:00.000Z",
  );
  assertEquals(find(body, "record-scores").lastRun, null);
});

Deno.test("/status.json distinguishes failed, running and lost runs", async () => {
  using deps = await testDeps();
  const start = deps.now().getTime();
  const chainsDown = upstreamDown("glacier.test", "no");
  await runJob(deps, {
    name: "refresh-chains",
    run: () => Promise.reject(chainsDown),
  });
  const defect = new Error("secret detail of /a/path");
  await runJob(deps, {
    name: "find-payments",
    run: () => Promise.reject(defect),
  });
  const begun = { endedAt: null, outcome: null, items: 4, error: null };
  await deps.store.jobs.hold("refresh-series", "test", {
    now: start,
    forMs: 45_000,
    begins: { job: "refresh-series", startedAt: start, ...begun },
  });
  const early = await readFresh(deps);
  assertEquals(early.status, "degraded");
  assertEquals(find(early, "refresh-chains").lastRun, {
    result: "failed",
    startedAt: "2026-11-21T08:00:00.000Z",
    endedAt: "2026-11-21T08:00:00.000Z",
    items: 0,
    outcome: "Cannot read glacier.test: no",
  });
  const { lastRun } = find(early, "find-payments");
  assertEquals(lastRun!.outcome, "internal error");
  assertMatch(deps.lines.join("\n"), /secret detail/);
  assertEquals(
    find(early, "cross-check").nextDueAt,
    "2026-11-21T09:20:00.000Z",
    "a daily job that has not succeeded today",
  );
  assertEquals(find(early, "refresh-series").lastRun!.result, "running");
  assertMatch(
    await readPage(deps),
    /the last run of refresh-chains and find-payments failed\./,
  );
  deps.advance(3_600_000);
  assertEquals(
    find(await readFresh(deps), "refresh-series").lastRun!.result,
    "lost",
  );
});

Deno.test("a database that fails or hangs is shown, by page and JSON", async (t) => {
  const outages: [name: string, answer: () => Promise<never>][] = [
    ["fails", () => Promise.reject(new Error("gone"))],
    ["hangs", () => Promise.withResolvers<never>().promise],
  ];
  for (const [name, answer] of outages) {
    await t.step(name, async () => {
      using deps = await testDeps();
      breakKv(deps, answer);
      const app = createApp(deps);
      const body = await read(app);
      assertEquals(body.status, "degraded");
      assertEquals(body.database, { status: "unreachable", pingMs: null });
      assertEquals(
        [body.sources, body.checks, body.jobs, body.openDisputeCount],
        [null, null, null, null],
      );
      assertEquals((await read(app)).traffic.requests, 1);
      const page = await readPage(deps);
      assertMatch(page, /The database does not answer\./);
      assertMatch(page, /Unreachable/);
      // The reads that hang end a second after the status has given up.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    });
  }
});

function breakKv({ kv }: TestDeps, answer: () => Promise<never>): void {
  kv.get = answer;
  kv.getMany = answer;
  kv.list = (() => ({
    [Symbol.asyncIterator]: () => ({ next: answer }),
  })) as never;
}

Deno.test("requests are counted by surface and status, repeated ones too, for an hour", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const order = { wallet: WALLET, name: "test", kind: "test" } as const;
  const { key } = (await createApiKey(deps, order))!;
  const { scoringDown } = FAILED_FIXTURES;
  const asked: [path: string, times: number][] = [
    ["/api/chain-data/metrics?range=30d", 3],
    ["/api/chain-data/metrics?range=31d", 1],
    [`/api/v1/score/${scoringDown.address}`, 2],
    ["/api/tools/score-badge/0x123", 1],
    ["/static/firn.css", 1],
    ["/nowhere", 1],
  ];
  for (const [path, times] of asked) {
    for (let nth = 0; nth < times; nth++) {
      await app.request(path, { headers: { "X-Api-Key": key } });
    }
  }
  const { traffic } = await read(app);
  const counts = Object.fromEntries(
    traffic.families.map((row) => [
      row.family,
      [row.requests, row.clientErrors, row.serverErrors],
    ]),
  ) as Record<Surface, number[]>;
  assertEquals(counts, {
    chainData: [4, 1, 0],
    scoring: [2, 0, 0],
    account: [0, 0, 0],
    profiles: [0, 0, 0],
    badges: [1, 1, 0],
    mcp: [0, 0, 0],
    static: [1, 0, 0],
    pages: [1, 1, 0],
  });
  assertEquals([traffic.requests, traffic.serverErrorPct], [9, 0]);
  assertEquals(traffic.since, "2026-11-21T08:00:00.000Z");
  deps.advance(59 * 60_000);
  assertEquals((await read(app)).traffic.requests, 10);
  deps.advance(60_000);
  const later = (await read(app)).traffic;
  assertEquals([later.requests, later.since], [1, "2026-11-21T08:01:00.000Z"]);
});

Deno.test("/status shows every job, source and surface", async () => {
  using deps = await testDeps();
  await succeed(deps, "refresh-chains");
  const page = await readPage(deps);
  const lines = outlineOf(page).join("\n");
  for (const name of JOB_NAMES) assert(lines.includes(name), name);
  for (const { source } of (await readFresh(deps)).sources!) {
    assert(lines.includes(source), source);
  }
  assertMatch(page, /No source has been read yet\./);
  assertMatch(page, /No days have been compared yet|Transactions/);
});

Deno.test("/status formats shares as the explorer does, and does not call an outage of a source a failure of the service", async () => {
  using deps = await checkedDeps();
  assertMatch(await readPage(deps), /All systems are working\./);
  const app = createApp(deps);
  const headers = { Accept: "text/html" };
  const explorer = await (await app.request("/", { headers })).text();
  const [transactions] = (await read(app)).checks!;
  assertEquals(transactions!.recentAgreementPct, 98.8889);
  deps.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const down = await app.request("/api/chain-data/metrics?chainId=4337");
  assertEquals(down.status, 503);
  const page = await (await app.request("/status", { headers })).text();
  for (const text of [explorer, page]) assertMatch(text, /\b98\.88 %/);
  assert(!page.includes("98.89 %"));
  assert(!page.includes("by a fault here"));
  assertMatch(
    page,
    /of requests \(5xx\), including failures of a source/,
  );
});

Deno.test("/status.json is degraded, with the reason, where a source or a job is older than promised", async () => {
  using deps = await checkedDeps();
  await createApp(deps).request("/api/chain-data/metrics");
  const run = async (job: string) => {
    const at = deps.now().getTime();
    const done = { endedAt: at, outcome: "", items: 0, error: null };
    await deps.store.jobs.end({ job, startedAt: at, ...done }, "test");
  };
  for (const job of JOB_NAMES) await run(job);
  assertEquals((await readFresh(deps)).reasons, []);
  // Hourly and minutely jobs miss two due times; daily ones are not due yet, and
  // payments are not searched without a treasury.
  deps.advance(3 * 3_600_000);
  const late = await readFresh(deps);
  assertEquals(late.status, "degraded");
  assertEquals(late.reasons, [
    "refresh-chains: missed two due times",
    "refresh-series: missed two due times",
    "build-downloads: missed two due times",
    "refresh-graph: missed two due times",
    "score-waiting: missed two due times",
  ]);
  deps.advance(71 * 3_600_000);
  for (const job of JOB_NAMES) await run(job);
  const stale = await readFresh(deps);
  assertEquals(stale.status, "degraded");
  assertEquals(
    stale.reasons[0],
    "the source of daily series of every chain was last read 74 hours ago",
  );
  assertEquals(stale.reasons.length, 4);
  assertMatch(await readPage(deps), /last read 74 hours ago/);
});
