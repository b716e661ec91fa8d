/** The status: its parts, and what makes it degraded. */
import { assertEquals, assertMatch } from "@std/assert";
import { stub } from "@std/testing/mock";
import { FakeTime } from "@std/testing/time";
import {
  isTrafficFailing,
  listWarnings,
  runbookPath,
  statusReader,
} from "../../../services/status/status.ts";
import { DAY_MS, dayAt, formatDay } from "../../../services/platform/days.ts";
import type { JobRun } from "../../../services/platform/jobs/jobs_store.ts";
import type { Publication } from "../../../services/chain_data/series/publications_store.ts";
import { type SeriesId } from "../../../services/chain_data/catalogue/series_id.ts";
import type {
  Surface,
  Traffic,
} from "../../../services/platform/observability/process_metrics_schema.ts";
import { type DiskSpace } from "../../../services/platform/open/deps.ts";
import { readGuides } from "../../../routes/docs/guides.ts";
import { runNamed, succeed } from "../../support/jobs.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const MINUTE = 60_000;

type Broken = "runs" | "incidents" | "days" | "blockSamples" | "stake";

/** What the parts of a status answer. */
interface Parts {
  readonly ping?: () => Promise<void>;
  readonly pingWrite?: () => Promise<void>;
  readonly runs?: readonly JobRun[];
  /** Day, requests, and those that failed. */
  readonly days?: readonly (readonly [number, number, number])[];
  readonly families?: Traffic["families"];
  /** The part that cannot be read. */
  readonly broken?: Broken | undefined;
  /** Without it payments are not searched. */
  readonly treasury?: string | null;
  /** Days since the last export. */
  readonly exportDays?: number;
  readonly disk?: DiskSpace;
}

/** Reads the status of a service whose parts answer so. `reads` counts the reads of the runs. */
function readerOf(deps: TestDeps, parts: Parts = {}) {
  const { store } = deps;
  const counted = { reads: 0 };
  const days = (parts.days ?? []).map(([day, requests, serverErrors]) => ({
    day,
    requests,
    serverErrors,
  }));
  const listRuns = () => {
    counted.reads++;
    return Promise.resolve([...parts.runs ?? []]);
  };
  const { treasury = `0x${"1".repeat(40)}` } = parts;
  const read = statusReader({
    ...deps,
    payment: { ...deps.payment, treasury },
    readDisk: () => Promise.resolve(parts.disk ?? null),
    store: {
      ...store,
      ping: parts.ping ?? store.ping,
      pingWrite: parts.pingWrite ?? store.pingWrite,
      jobs: {
        ...store.jobs,
        listRuns: parts.broken === "runs" ? gone : listRuns,
        ...parts.broken === "incidents" && { listIncidents: gone },
      },
      entries: {
        ...store.entries,
        findExport: () =>
          Promise.resolve(
            parts.exportDays === undefined
              ? null
              : deps.now().getTime() - parts.exportDays * 24 * 60 * MINUTE,
          ),
      },
      trafficDays: {
        ...store.trafficDays,
        list: () => parts.broken === "days" ? gone() : Promise.resolve(days),
      },
      ...parts.broken === "blockSamples" &&
        { blockSamples: { ...store.blockSamples, list: gone } },
      ...parts.broken === "stake" && {
        series: {
          ...store.series,
          find: (id: SeriesId) =>
            id.subject === "primary-network" ? gone() : store.series.find(id),
        },
      },
    },
  }, {
    traffic: {
      count() {},
      read: () => ({
        since: "2026-11-21T08:00:00.000Z",
        requests: 0,
        requestsPerMinute: 0,
        serverErrorPct: 0,
        families: parts.families ?? [],
      }),
    },
    history: { count() {}, record: () => Promise.resolve() } as never,
  });
  return { read, counted };
}

async function statusOf(parts: Parts) {
  using deps = await testDeps();
  // No timeout passes, however busy the machine is.
  using _ = new FakeTime();
  return await readerOf(deps, parts).read();
}

const gone = () => Promise.reject(new Error("gone"));
const run = (more: Partial<JobRun>): JobRun => ({
  job: "find-payments",
  startedAt: Date.parse("2026-11-21T07:58:00Z"),
  endedAt: Date.parse("2026-11-21T07:59:00Z"),
  outcome: "3 payments",
  items: 3,
  error: null,
  ...more,
});
const START = Date.parse("2026-11-21T08:00:00Z");

Deno.test("the status is degraded by the database, by a part that cannot be read, by jobs and by traffic", async () => {
  const failing: Traffic["families"] = [{
    family: "badges",
    requests: 4,
    clientErrors: 0,
    serverErrors: 3,
  }];
  const rows: [name: string, parts: Parts, status: string][] = [
    ["nothing is wrong", {}, "ok"],
    ["a run that ended", { runs: [run({})] }, "ok"],
    ["a job that missed two due times", {
      runs: [run({ startedAt: START - 60 * MINUTE })],
    }, "degraded"],
    ["a job that has no schedule with these settings", {
      treasury: null,
      runs: [run({ startedAt: START - 60 * MINUTE, error: "no" })],
    }, "ok"],
    ["a run that goes on", {
      runs: [run({ startedAt: START - 50 * MINUTE, endedAt: null })],
    }, "ok"],
    ["a run that was lost", {
      runs: [run({ startedAt: START - 50 * MINUTE - 1, endedAt: null })],
    }, "degraded"],
    ["a run that failed", { runs: [run({ error: "no" })] }, "degraded"],
    [
      "a job that is not known",
      { runs: [run({ job: "other", error: "no" })] },
      "ok",
    ],
    ["a database that does not read", { ping: gone }, "degraded"],
    ["a database that does not write", { pingWrite: gone }, "degraded"],
    ["runs that cannot be read", { broken: "runs" }, "degraded"],
    ["sources that cannot be read", { broken: "blockSamples" }, "degraded"],
    ["checks that cannot be read", { broken: "stake" }, "degraded"],
    ["incidents that cannot be read", { broken: "incidents" }, "ok"],
    ["a history that cannot be read", { broken: "days" }, "ok"],
    ["requests that fail", { families: failing }, "degraded"],
  ];
  for (const [name, parts, status] of rows) {
    assertEquals((await statusOf(parts)).status, status, name);
  }
});

Deno.test("the status says what grows or runs out: due items that a run left, an old export, and a disk with less room than two copies", async () => {
  const rows: [parts: Parts, reasons: string[]][] = [
    [{ runs: [run({ left: 29_000 })] }, [
      "find-payments: 29000 due items are left for its next run",
    ]],
    [{ runs: [run({ left: 29_000, endedAt: null })] }, []],
    [{ exportDays: 7.9 }, []],
    [{ exportDays: 8 }, ["the last export of the database was 8 days ago"]],
    [{ disk: { used: 5, free: 10 } }, []],
    [{ disk: { used: 5, free: 9 } }, [
      "the disk has room for less than two copies of the database",
    ]],
  ];
  for (const [parts, reasons] of rows) {
    const answer = await statusOf(parts);
    assertEquals(answer.reasons, reasons);
    assertEquals(answer.status, reasons.length === 0 ? "ok" : "degraded");
  }
});

Deno.test("the runbook has a section for each reason, and each section of a reason is reached", async () => {
  const traffic: Traffic["families"] = [{
    family: "badges",
    requests: 4,
    clientErrors: 0,
    serverErrors: 3,
  }];
  const hour = 60 * MINUTE;
  const parts: Parts[] = [
    { ping: gone },
    { pingWrite: gone },
    { broken: "runs" },
    { broken: "blockSamples" },
    { broken: "stake" },
    { families: traffic },
    { runs: [run({ error: "no" })] },
    { runs: [run({ startedAt: START - hour, endedAt: null })] },
    { runs: [run({ startedAt: START - hour })] },
    { runs: [run({ left: 1 })] },
    { exportDays: 8 },
    { disk: { used: 5, free: 9 } },
  ];
  const reasons = [
    ...await reasonsOfSources(),
    ...await reasonsAfter(60, { readHours: 1 }),
  ];
  for (const part of parts) reasons.push(...(await statusOf(part)).reasons);
  const reached = reasons.map(runbookPath);
  const { headings } = (await readGuides("https://firn.test"))
    .find(({ slug }) => slug === "runbook")!;
  const sections = headings.map(({ id }) => `/docs/runbook#${id}`)
    .filter((path) => !path.endsWith("#the-health-probe-does-not-answer"));
  assertEquals([...new Set(reached)].toSorted(), sections.toSorted());
});

/** Returns the reasons of a source that was not read, has few calls left, and has days that can't be true. */
async function reasonsOfSources(): Promise<string[]> {
  using deps = await testDeps({ settings: { EXPLORER_CALLS_PER_DAY: "10" } });
  await succeed(deps, "snapshot-validators");
  deps.advance(31 * 60 * MINUTE);
  // It fails when no calls are left.
  await runNamed(deps, "cross-check");
  const doubted = {
    id: { subject: 43114, metric: "gasUsed" },
    from: dayAt(START),
    kind: "otherUnit",
  } as const;
  const series = {
    ...deps.store.series,
    listDoubted: () => Promise.resolve([doubted]),
  };
  const store = { ...deps.store, series };
  using _ = new FakeTime();
  return [...(await readerOf({ ...deps, store }).read()).reasons];
}

/**
 * Returns the reasons with the clock so many days past the newest published day, and past
 * the last read of the validators. Whether there are new days was read so many hours ago.
 */
async function reasonsAfter(
  days: number,
  { readHours }: { readonly readHours: number },
): Promise<readonly string[]> {
  using deps = await testDeps();
  await succeed(deps, "snapshot-validators");
  const today = dayAt(deps.now().getTime());
  deps.advance(days * DAY_MS);
  const published: Publication = {
    newestDay: today,
    publishedAt: 0,
    confirmedAt: deps.now().getTime() - readHours * 60 * MINUTE,
    unpublishedAt: null,
    previousAt: null,
    origin: deps.upstream.metrics.baseUrl,
  };
  deps.store.publications.find = () => Promise.resolve(published);
  using _ = new FakeTime();
  return (await readerOf(deps).read()).reasons;
}

Deno.test("the status is degraded while the clock is days past the data", async () => {
  const ofSource = (hours: number) =>
    `the source of validator sets was last read ${hours} hours ago`;
  assertEquals(await reasonsAfter(1, { readHours: 1 }), []);
  assertEquals(await reasonsAfter(4, { readHours: 1 }), [ofSource(96)]);
  assertEquals(await reasonsAfter(60, { readHours: 1 }), [
    ofSource(1_440),
    "the newest published day of the C-Chain is 60 days ago",
  ]);
  assertEquals(await reasonsAfter(60, { readHours: 31 }), [ofSource(1_440)]);
});

Deno.test("the status says what it could not read as null", async () => {
  const of = async (broken: Parts["broken"]) => {
    const { sources, checks, openDisputeCount, jobs, incidents, history } =
      await statusOf({ broken });
    return Object.entries({
      sources,
      checks,
      openDisputeCount,
      jobs,
      incidents,
      history,
    })
      .filter(([, part]) => part === null).map(([name]) => name);
  };
  assertEquals(await of(undefined), []);
  assertEquals(await of("runs"), ["jobs"]);
  assertEquals(await of("incidents"), ["incidents"]);
  assertEquals(await of("days"), ["history"]);
  assertEquals(await of("blockSamples"), ["sources"]);
  assertEquals(await of("stake"), ["checks", "openDisputeCount"]);
});

Deno.test("the status shows the last run of a job, and its incidents", async () => {
  using deps = await testDeps();
  const incident = {
    job: "find-payments",
    from: START - 5 * MINUTE,
    failedRuns: 2,
    error: "no",
  };
  const runs = [
    run({ job: "refresh-chains", error: "Cannot read", outcome: null }),
    run({
      job: "refresh-series",
      startedAt: START - 60 * MINUTE,
      endedAt: null,
      outcome: null,
      items: 0,
    }),
    run({}),
  ];
  const { read } = readerOf({
    ...deps,
    store: {
      ...deps.store,
      jobs: {
        ...deps.store.jobs,
        listIncidents: () =>
          Promise.resolve([
            { ...incident, to: START - MINUTE },
            { ...incident, to: null },
          ]),
      },
    },
  }, { runs });
  using _ = new FakeTime();
  const { jobs, incidents, openDisputeCount, time } = await read();
  const lastRunOf = (name: string) =>
    jobs!.find(({ job }) => job === name)!.lastRun;
  assertEquals(lastRunOf("find-payments"), {
    result: "ok",
    startedAt: "2026-11-21T07:58:00.000Z",
    endedAt: "2026-11-21T07:59:00.000Z",
    items: 3,
    outcome: "3 payments",
  });
  assertEquals(lastRunOf("refresh-chains")!.outcome, "Cannot read");
  assertEquals(lastRunOf("refresh-series"), {
    result: "lost",
    startedAt: "2026-11-21T07:00:00.000Z",
    endedAt: null,
    items: 0,
    outcome: null,
  });
  assertEquals(lastRunOf("cross-check"), null);
  const shown = {
    job: "find-payments",
    from: "2026-11-21T07:55:00.000Z",
    failedRuns: 2,
    reason: "no",
  };
  assertEquals(incidents, [
    { ...shown, to: "2026-11-21T07:59:00.000Z" },
    { ...shown, to: null },
  ]);
  assertEquals([openDisputeCount, time], [0, "2026-11-21T08:00:00.000Z"]);
});

Deno.test("the history has the last 90 days, also those without requests", async () => {
  const today = dayAt(START);
  const { history } = await statusOf({
    days: [
      [today - 89, 300, 3],
      [today - 1, 302, 3],
      [today, 1, 0],
    ],
  });
  assertEquals(
    history!.map(({ date }) => date),
    Array.from({ length: 90 }, (_, nth) => formatDay(today - 89 + nth)),
  );
  const shown = history!.map(({ date, status, requests, serverErrorPct }) =>
    [date, status, requests, serverErrorPct].join(" ")
  );
  assertEquals(shown.filter((day) => !day.endsWith("  0 0")), [
    `${formatDay(today - 89)} degraded 300 1`,
    `${formatDay(today - 1)} ok 302 0.99`,
    `${formatDay(today)} ok 1 0`,
  ]);
  assertEquals(history![1], {
    date: formatDay(today - 88),
    status: null,
    requests: 0,
    serverErrors: 0,
    serverErrorPct: 0,
  });
});

Deno.test("the status says how long a read of the database took, to a tenth of a millisecond", async () => {
  using deps = await testDeps();
  let ms = 100;
  using _ = stub(performance, "now", () => ms);
  const { read } = readerOf(deps, {
    ping: () => {
      ms += 12.345;
      return Promise.resolve();
    },
  });
  {
    using _time = new FakeTime();
    assertEquals((await read()).database, { status: "ok", pingMs: 12.3 });
  }
  const { database } = await statusOf({ pingWrite: gone });
  assertEquals(database.status, "readOnly");
  assertEquals((await statusOf({ ping: gone })).database, {
    status: "unreachable",
    pingMs: null,
  });
});

Deno.test("a part that does not answer is given up after a second", async () => {
  using deps = await testDeps();
  const { read } = readerOf(deps, {
    ping: () => Promise.withResolvers<void>().promise,
  });
  using time = new FakeTime();
  let isRead = false;
  const reading = read().finally(() => isRead = true);
  await time.tickAsync(999);
  await deps.kv.get(["settle"]);
  assertEquals(isRead, false);
  await time.tickAsync(1);
  assertEquals((await reading).database.status, "unreachable");
});

Deno.test("the parts of a status are read again after five seconds, or if the clock was set back", async () => {
  using deps = await testDeps();
  using _ = new FakeTime();
  const { read, counted } = readerOf(deps);
  const readAfter = async (ms: number) => {
    deps.advance(ms);
    await read();
    return counted.reads;
  };
  assertEquals(await readAfter(0), 1);
  assertEquals(await readAfter(4_999), 1);
  assertEquals(await readAfter(1), 2);
  assertEquals(await readAfter(-4_999), 2);
  assertEquals(await readAfter(-1), 3);
});

// From which share of failed requests on the service is degraded.

const counted = (
  family: Surface,
  requests: number,
  serverErrors: number,
  clientErrors = 0,
) => ({ family, requests, serverErrors, clientErrors });

Deno.test("isTrafficFailing() is true from 1 % of all requests, 5 % of a surface, and three failures on", () => {
  const good = counted("pages", 600, 0);
  const cases: [ReturnType<typeof counted>[], boolean][] = [
    [[], false],
    // 1 % of all.
    [[good, counted("scoring", 400, 10)], true],
    [[good, counted("scoring", 400, 9)], false],
    // Less than 1 %, and 1 % when rounded to two decimals.
    [[counted("pages", 201, 0), counted("scoring", 100, 3)], true],
    [[counted("pages", 202, 0), counted("scoring", 100, 3)], false],
    // 5 % of a surface.
    [[good, counted("scoring", 100, 5)], true],
    [[good, counted("scoring", 101, 5)], false],
    // Refusals, of strangers too, hide no failures.
    [[counted("scoring", 3_100, 5, 3_000)], true],
    // Three failures.
    [[counted("scoring", 10, 3)], true],
    [[counted("scoring", 2, 2)], false],
  ];
  for (const [families, isFailing] of cases) {
    assertEquals(isTrafficFailing(families), isFailing, Deno.inspect(families));
  }
});

Deno.test("listWarnings() warns of one node if payments are enabled", () => {
  const treasury = "0xfe";
  const warningsOf = (nodeHosts: string[], to: string | null = treasury) =>
    listWarnings({
      payment: { treasury: to },
      upstream: { transfers: nodeHosts.map((host) => ({ host })) },
      proxies: { isBypassable: false },
    }).map(({ warning }) => warning);
  for (const alone of [["a.test"], ["a.test", "a.test"]]) {
    const [warning, ...others] = warningsOf(alone);
    assertMatch(warning!, /C_CHAIN_RPC_URL/);
    assertEquals(others, []);
  }
  assertEquals(warningsOf(["a.test", "b.test"]), []);
  assertEquals(warningsOf(["a.test"], null), []);
});
