import { assert, assertEquals, assertMatch } from "@std/assert";
import { METRIC_NAMES } from "../../../services/chain_data/metrics_schema.ts";
import { jobCallOptions } from "../../../services/platform/cache/read_through.ts";
import { refreshSeries } from "../../../services/chain_data/series/series_reader.ts";
import { openStores } from "../../../services/stores.ts";
import { startSimnet } from "../../../simnet/start.ts";
import { START, testDeps } from "../../support/deps.ts";
import { assertSoundFile } from "../../support/kv/invariants.ts";
import {
  FAST_CLOCK_WORKER,
  kill,
  startProgram,
  until,
} from "../../support/processes/service.ts";

const CHAINS = 12;
const FACTOR = 150;

Deno.test("a refresh survives being killed at any point and goes on where it stopped", async () => {
  await using simnet = startSimnet({
    now: () => new Date(START),
    chains: CHAINS,
  });
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  // One fast clock for all; each turn skips what is left of the dead holder's lease.
  const began = Date.now();
  const spawn = (turn: number) =>
    startProgram([
      ...FAST_CLOCK_WORKER,
      new Date(
        Date.parse(START) + (Date.now() - began) * FACTOR + turn * 181_000,
      ).toISOString(),
      String(FACTOR),
      "refresh-series",
    ], { KV_PATH: file, METRICS_API_URL: simnet.urls.metricsApi });

  for (let turn = 0; turn < 6; turn++) {
    await using worker = spawn(turn);
    const calls = simnet.calls.metricsApi.length;
    const enough = calls + 8 + 3 * turn;
    await until(worker, () => simnet.calls.metricsApi.length >= enough);
    kill(worker.process, "SIGKILL");
    await worker.process.status;
    await assertWhole(file, "some");
  }
  await using last = spawn(7);
  assertEquals((await last.process.status).code, 0);
  await last[Symbol.asyncDispose](); // What it wrote last may still be on its way.
  assertMatch(last.output(), /0 failed, 0 still due/);
  await assertWhole(file, "all");
  await assertSoundFile(file);

  const calls = simnet.calls.metricsApi.filter(({ path }) =>
    path.includes("/metrics/")
  );
  const pages = CHAINS * METRIC_NAMES.length + METRIC_NAMES.length;
  assert(
    calls.length < pages + 6 * 4,
    `${calls.length} calls for ${pages} pages`,
  );
  await Deno.remove(file);
});

/** Checks that what is stored is exactly what upstream says, series by series. */
async function assertWhole(file: string, which: "some" | "all") {
  using kv = await Deno.openKv(file);
  const store = openStores(kv);
  using direct = await testDeps({ chains: CHAINS });
  const list = await store.chains.read();
  let found = 0;
  for (const { chainId } of list?.chains ?? []) {
    for (const metric of METRIC_NAMES) {
      const id = { subject: chainId, metric };
      const stored = await store.series.find(id);
      if (stored === null || found++ % (which === "all" ? 1 : 9)) continue;
      const upstream = await refreshSeries(direct, id, jobCallOptions());
      assertEquals(stored.series, upstream.series);
    }
  }
  if (which === "all") assertEquals(found, CHAINS * METRIC_NAMES.length);
}
