/** refresh-series, killed several times: it loses no stored page, reads none twice, and logs each revision once. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { seriesAsOf } from "../../services/chain_data/series/vintages.ts";
import { listRevisions } from "../../services/chain_data/series/revision_log.ts";
import {
  pointsOf,
  seriesOf,
  valueOn,
} from "../../services/chain_data/series/series.ts";
import type { SeriesId } from "../../services/chain_data/catalogue/series_id.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { STORED_METRICS } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { jobCallOptions } from "../../services/platform/rate_limit/call_budget.ts";
import { refreshSeries } from "../../services/chain_data/series/series_reader.ts";
import { openStores } from "../../services/stores.ts";
import { startSimnet } from "../../simnet/start.ts";
import { START, testDeps } from "../support/deps.ts";
import { assertSoundFile } from "../support/kv/invariants.ts";
import {
  JOB_WORKER,
  kill,
  startProgram,
  until,
} from "../support/processes/service.ts";

const CHAINS = 12;
const KILLS = 6;

/** Between two runs: longer than the lease of a dead process, and all runs together shorter than a series stays fresh. */
const TURN_MS = 240_000;

/** Calls that a killed process can have made without storing their answers. */
const LOST_CALLS = 4;

/** Kills while a new day is read and days are restated. */
const KILLS_OF_REVISIONS = 3;

Deno.test("refresh-series resumes after each kill, stores what upstream has, and loses or doubles no revision", async () => {
  let now = Date.parse(START);
  await using simnet = startSimnet({
    now: () => new Date(now),
    chains: CHAINS,
  });
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const spawn = (turn: number) => {
    const at = new Date(now + turn * TURN_MS).toISOString();
    return startProgram([...JOB_WORKER, at, "refresh-series"], {
      KV_PATH: file,
      METRICS_API_URL: simnet.urls.metricsApi,
    });
  };

  for (let turn = 0; turn < KILLS; turn++) {
    await using worker = spawn(turn);
    const enough = simnet.calls.metricsApi.length + 8 + 3 * turn;
    await until(worker, () => simnet.calls.metricsApi.length >= enough);
    kill(worker.process, "SIGKILL");
    await worker.process.status;
    await assertStored(file, "some");
  }
  await using last = spawn(KILLS);
  const { code, output } = await last.finish();
  assertEquals(code, 0, output);
  assertMatch(output, /series read, 0 failed/);
  await assertStored(file, "all");
  await assertSoundFile(file);

  const calls = simnet.calls.metricsApi.filter(({ path }) =>
    path.includes("/metrics/")
  );
  const pages = CHAINS * STORED_METRICS.length + STORED_METRICS.length;
  assert(
    calls.length < pages + KILLS * LOST_CALLS,
    `${calls.length} calls for ${pages} pages`,
  );

  const restated = await restateDays(file, now + DAY_MS / 2);
  now += DAY_MS;
  for (let turn = 0; turn < KILLS_OF_REVISIONS; turn++) {
    await using worker = spawn(turn);
    const enough = simnet.calls.metricsApi.length + 20 + 3 * turn;
    await until(worker, () => simnet.calls.metricsApi.length >= enough);
    kill(worker.process, "SIGKILL");
    await worker.process.status;
    assert(await assertLogged(file, restated) > 0);
  }
  await using rest = spawn(KILLS_OF_REVISIONS);
  const resumed = await rest.finish();
  assertEquals(resumed.code, 0, resumed.output);
  assertEquals(await assertLogged(file, restated), restated.length);
  await assertSoundFile(file);
  await Deno.remove(file);
});

/** A complete day of a series, with upstream's value and the one that was stored in its place. */
interface RestatedDay {
  readonly id: SeriesId;
  readonly day: number;
  readonly value: number;
  readonly stored: number;
}

/** Stores another value for a recent complete day of each series, so that the next read revises it. */
async function restateDays(file: string, at: number): Promise<RestatedDay[]> {
  using kv = await Deno.openKv(file);
  const store = openStores(kv);
  const restated: RestatedDay[] = [];
  for (const { chainId } of (await store.chains.find())!.chains) {
    for (const metric of STORED_METRICS) {
      const id = { subject: chainId, metric };
      const { logs: _, since: __, newestAt: ___, ...found } = (await store
        .series.find(id))!;
      const points = pointsOf(found.series);
      // Upstream has no value of some metrics, and its 0 would withdraw a value first.
      const point = points.slice(-10, -2).findLast(({ value }) => value > 0);
      if (point === undefined) continue;
      const { day, value } = point;
      const stored = value + 1;
      const series = seriesOf(
        points.map((point) =>
          point.day === day ? { day, value: stored } : point
        ),
      );
      assert(await store.series.replace(id, { ...found, series }, { at }));
      restated.push({ id, day, value, stored });
    }
  }
  return restated;
}

/** Asserts that each series logs its revisions once; returns how many upstream has revised back. */
async function assertLogged(
  file: string,
  restated: readonly RestatedDay[],
): Promise<number> {
  using kv = await Deno.openKv(file);
  const { series: store } = openStores(kv);
  let read = 0;
  for (const { id, day, value, stored } of restated) {
    const found = (await store.find(id))!;
    const now = valueOn(found.series, day);
    const isRead = now === value;
    assertEquals(now, isRead ? value : stored);
    assertEquals(
      listRevisions(found).map(({ seenAt: _, ...revision }) => revision),
      [
        { day, from: value, to: stored, cause: "restated" },
        ...isRead
          ? [{ day, from: stored, to: value, cause: "restated" as const }]
          : [],
      ],
    );
    const first = seriesAsOf(found, found.since).series;
    assertEquals(valueOn(first, day), value, "as it was first read");
    if (isRead) read++;
  }
  return read;
}

/** Asserts that stored series equal upstream's; "some" compares every ninth. */
async function assertStored(file: string, which: "some" | "all") {
  using kv = await Deno.openKv(file);
  const store = openStores(kv);
  using direct = await testDeps({ chains: CHAINS });
  const list = await store.chains.find();
  let found = 0;
  for (const { chainId } of list?.chains ?? []) {
    for (const metric of STORED_METRICS) {
      const id = { subject: chainId, metric };
      const stored = await store.series.find(id);
      if (stored === null || found++ % (which === "all" ? 1 : 9)) continue;
      await refreshSeries(direct, id, jobCallOptions());
      const upstream = await direct.store.series.find(id);
      assertEquals(stored.series, upstream!.series);
    }
  }
  if (which === "all") assertEquals(found, CHAINS * STORED_METRICS.length);
}
