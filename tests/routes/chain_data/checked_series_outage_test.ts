import { assert, assertEquals, assertMatch } from "@std/assert";
import { appOf } from "../../support/app.ts";
import type { CheckedTail } from "../../../services/chain_data/checks/checked_series_schema.ts";
import type { UpstreamName } from "../../../simnet/upstreams.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { checkDaily, checkedDeps, runNamed } from "../../support/jobs.ts";

const BASE = "/api/chain-data";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const PATHS = [
  "/monthly-transactions",
  "/transaction-fees",
  "/block-production",
  "/validators",
] as const;
type Path = typeof PATHS[number];

/** The series of the Metrics API. Blocks come from the explorer index. */
const OF_METRICS_API = PATHS.filter((path) => path !== "/block-production");

async function ask(deps: TestDeps, path: string, init?: RequestInit) {
  const response = await appOf(deps).request(`${BASE}${path}`, init);
  const body = await response.json();
  return { response, status: response.status, body };
}

/** Reads the last checked day of a series. The response must be 200. */
async function readChecks(deps: TestDeps, path: Path) {
  const { status, body } = await ask(deps, path);
  assertEquals(status, 200, `${path}: ${body.error}`);
  const { checks, dataThrough }: CheckedTail = body;
  return { ...checks, dataThrough };
}

/** Returns a body without `lagHours`, which grows with time. */
function timeless({ lagHours: _, ...body }: { lagHours?: number }) {
  return body;
}

function setDown(deps: TestDeps, ...names: UpstreamName[]): void {
  for (const name of names) {
    deps.upstreams[name].switch.set({ mode: "refuse" });
  }
}

Deno.test("without any check the series are served with zero compared days", async () => {
  using deps = await testDeps();
  for (const path of PATHS) {
    const { checks, recentAgreementPct, disputedDayCount, series }:
      & CheckedTail
      & {
        series: unknown[];
      } = (await ask(deps, path)).body;
    assertEquals(checks.comparedDayCount, 0, path);
    assert(checks.notComparedDayCount > 2_000, path);
    assertEquals(
      [checks.checkedThrough, checks.agreementPct, recentAgreementPct],
      [null, null, null],
      path,
    );
    assertEquals([checks.disputedDays, disputedDayCount], [[], 0]);
    assert(series.length > 0);
    assertMatch(
      checks.source,
      /^(explorer index|[CP]-Chain RPC) \(.*\.test\)$/,
    );
  }
});

Deno.test("with the second source down, earlier comparisons are served and no day is added", async (t) => {
  const cases: [down: UpstreamName, path: Path][] = [
    ["explorer", "/monthly-transactions"],
    ["explorer", "/transaction-fees"],
    ["cChainRpc", "/block-production"],
    ["pChainRpc", "/validators"],
  ];
  using deps = await testDeps({ start: "2026-11-17T08:00:00Z" });
  await checkDaily(deps, 3);
  setDown(deps, "explorer", "cChainRpc", "pChainRpc");

  /** Runs the jobs of the next day while their sources are down. */
  const passDay = async () => {
    deps.advance(DAY_MS);
    for (const job of ["snapshot-validators", "cross-check"]) {
      assertMatch((await runNamed(deps, job)).error!, /no connection/);
    }
    await runNamed(deps, "sample-blocks");
  };
  // Upstream publishes late, so the newest days are not compared yet.
  for (let day = 0; day < 3; day++) await passDay();
  const before = new Map<Path, Awaited<ReturnType<typeof readChecks>>>();
  for (const path of PATHS) before.set(path, await readChecks(deps, path));
  const days = 4;
  for (let day = 0; day < days; day++) await passDay();

  for (const [down, path] of cases) {
    await t.step(`${path} with ${down} down for a week`, async () => {
      const then = before.get(path)!;
      const now = await readChecks(deps, path);
      assert(then.checkedThrough !== null && then.comparedDayCount > 0);
      assertEquals(now.checkedThrough, then.checkedThrough);
      assertEquals(now.comparedDayCount, then.comparedDayCount);
      assertEquals(now.agreementPct, then.agreementPct);
      // The source of blocks, the explorer index, is down as well.
      const more = path === "/block-production" ? 0 : days;
      assertEquals(now.notComparedDayCount, then.notComparedDayCount + more);
    });
  }
  await t.step("after recovery all days are checked", async () => {
    for (const name of ["explorer", "cChainRpc", "pChainRpc"] as const) {
      deps.upstreams[name].switch.set({ mode: "ok" });
    }
    await checkDaily(deps, 1);
    for (
      const path of ["/monthly-transactions", "/transaction-fees"] as const
    ) {
      const { checkedThrough, dataThrough } = await readChecks(deps, path);
      assertEquals(checkedThrough, dataThrough);
    }
    const blocks = await readChecks(deps, "/block-production");
    assertEquals(blocks.checkedThrough, blocks.dataThrough);
  });
});

Deno.test("with the first source down, the series return 200 within one hour and 503 after it", async (t) => {
  using deps = await checkedDeps();
  const fresh = new Map<Path, unknown>();
  for (const path of PATHS) {
    fresh.set(path, timeless((await ask(deps, path)).body));
  }
  setDown(deps, "metricsApi");
  deps.advance(HOUR_MS - 60_000);
  for (const path of PATHS) {
    await t.step(`${path} inside its hour`, async () => {
      const { status, body } = await ask(deps, path);
      assertEquals(status, 200);
      assertEquals(timeless(body), fresh.get(path));
    });
  }
  deps.advance(HOUR_MS);
  for (const path of OF_METRICS_API) {
    await t.step(`${path} past it`, async () => {
      const { response, status, body } = await ask(deps, path);
      assertEquals(status, 503);
      assertEquals(response.headers.get("Cache-Control"), "no-store");
      assert(Number(response.headers.get("Retry-After")) > 0);
      assertEquals(body.code, "UPSTREAM_UNAVAILABLE");
      assertEquals(
        body.error,
        "Cannot read metrics.test: no connection; the stored series is " +
          "complete through 2026-11-18: Cache-Control: max-stale accepts it, " +
          "and to=2026-11-04 or earlier needs no upstream",
      );
      assertEquals(body.settledThrough, "2026-11-04");
    });
    await t.step(`${path} with max-stale`, async () => {
      const headers = { "Cache-Control": "max-stale" };
      const { response, status, body } = await ask(deps, path, { headers });
      assertEquals(status, 200);
      assert(Number(response.headers.get("Age")) > HOUR_MS / 1000);
      assertEquals(timeless(body), fresh.get(path));
    });
  }
  await t.step("/block-production does not need the Metrics API", async () => {
    const { status, body } = await ask(deps, "/block-production");
    assertEquals(status, 200);
    assertEquals(timeless(body), fresh.get("/block-production"));
  });
  await deps.settle();
});

Deno.test("with an empty store and the first source down, the series return 503", async () => {
  using deps = await testDeps();
  setDown(deps, "metricsApi", "explorer");
  for (const path of PATHS) {
    const { status, body } = await ask(deps, path);
    assertEquals(status, 503, path);
    assertMatch(
      body.error,
      /^Cannot read (metrics|explorer).test: no connection/,
    );
  }
  await deps.settle();
});
