/** refresh-series, killed several times: it loses no stored page and reads none twice. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { METRIC_NAMES } from "../../../services/chain_data/metrics_schema.ts";
import { jobCallOptions } from "../../../services/platform/cache/read_through.ts";
import { refreshSeries } from "../../../services/chain_data/series/series_reader.ts";
import { openStores } from "../../../services/stores.ts";
import { startSimnet } from "../../../simnet/start.ts";
import { START, testDeps } from "../../support/deps.ts";
import { assertSoundFile } from "../../support/kv/invariants.ts";
import {
  JOB_WORKER,
  kill,
  startProgram,
  until,
} from "../../support/processes/service.ts";

const CHAINS = 12;
const KILLS = 6;

/** Between two runs: longer than the lease of a dead process, and all runs together shorter than a series stays fresh. */
const TURN_MS = 240_000;

/** Calls that a killed process can have made without storing their answers. */
const LOST_CALLS = 4;

Deno.test("refresh-series resumes after each kill, and stores what upstream has", async () => {
  await using simnet = startSimnet({
    now: () => new Date(START),
    chains: CHAINS,
  });
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const spawn = (turn: number) => {
    const now = new Date(Date.parse(START) + turn * TURN_MS).toISOString();
    return startProgram([...JOB_WORKER, now, "refresh-series"], {
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
  const pages = CHAINS * METRIC_NAMES.length + METRIC_NAMES.length;
  assert(
    calls.length < pages + KILLS * LOST_CALLS,
    `${calls.length} calls for ${pages} pages`,
  );
  await Deno.remove(file);
});

/** Asserts that stored series equal upstream's; "some" compares every ninth. */
async function assertStored(file: string, which: "some" | "all") {
  using kv = await Deno.openKv(file);
  const store = openStores(kv);
  using direct = await testDeps({ chains: CHAINS });
  const list = await store.chains.find();
  let found = 0;
  for (const { chainId } of list?.chains ?? []) {
    for (const metric of METRIC_NAMES) {
      const id = { subject: chainId, metric };
      const stored = await store.series.find(id);
      if (stored === null || found++ % (which === "all" ? 1 : 9)) continue;
      await refreshSeries(direct, id, jobCallOptions());
      const upstream = await direct.store.series.find(id);
      assertEquals(stored.series, upstream!.series);
    }
  }
  if (which === "all") assertEquals(found, CHAINS * METRIC_NAMES.length);
}
