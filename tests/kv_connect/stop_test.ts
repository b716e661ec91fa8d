/** The stop of a service whose database does not answer. */
import { assert, assertEquals } from "@std/assert";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { STOP_MS } from "../../services/platform/jobs/job_run.ts";
import {
  ACCESS_TOKEN,
  setFaults,
  startKvConnect,
} from "../support/kv_connect/kv_connect.ts";
import { startService } from "../support/processes/service.ts";

const LATENCY_MS = 30_000;

Deno.test("a stop ends in time although the last requests cannot be recorded", async () => {
  using server = await startKvConnect();
  await using simnet = startSimnet();
  const url = server.newDatabase();
  await using service = await startService({
    KV_PATH: url,
    DENO_KV_ACCESS_TOKEN: ACCESS_TOKEN,
    ...settingsOf(simnet),
  });
  await setFaults(url, { latencyMs: LATENCY_MS });
  const stoppedAt = performance.now();
  service.process.kill("SIGTERM");
  const { code, output } = await service.finish();
  assertEquals(code, 0, output);
  const tookMs = performance.now() - stoppedAt;
  assert(tookMs < LATENCY_MS, `${tookMs} ms`);
  assert(STOP_MS < 10_000, "a supervisor kills the process");
});
