/** The stop of a real process: in four seconds, and every request that was sent is answered. */
import { assert, assertEquals } from "@std/assert";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { startOperator, startService } from "../support/processes/service.ts";

/** Reads the status and the code of an answer. */
async function ask(url: string, key: string) {
  const response = await fetch(url, { headers: { "X-Api-Key": key } });
  const { code } = await response.json();
  return { status: response.status, code };
}

Deno.test("a stop answers what was sent: waiting reads by a 429 at once, slow calls before its end; health says 503 first", async () => {
  await using simnet = startSimnet();
  const folder = await Deno.makeTempDir();
  const settings = {
    KV_PATH: `${folder}/stop.sqlite3`,
    ...settingsOf(simnet),
    EXPLORER_CALLS_PER_SECOND: "1",
  };
  const wallet = `0x${"1".repeat(40)}`;
  await using operator = startOperator(settings, "key", "create", wallet);
  const { output } = await operator.finish();
  const key = output.match(/firn_live_\w+/)![0];
  await using service = await startService(settings);
  const { url } = service;
  simnet.switches.explorer.set({ mode: "slow", delayMs: 60_000 });
  const scores = Array.from(
    { length: 8 },
    (_, nth) => ask(`${url}/api/v1/score/0x${`${nth}`.repeat(40)}`, key),
  );
  // The first calls are made by then, and the others wait for their turn.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const stoppedAt = performance.now();
  service.process.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const health = await fetch(`${url}/api/v1/health`);
  assertEquals([health.status, (await health.json()).status], [
    503,
    "degraded",
  ]);
  const answers = await Promise.all(scores);
  const { code } = await service.finish();
  const tookMs = performance.now() - stoppedAt;
  assertEquals(code, 0);
  // Deno Deploy kills a process after five seconds.
  assert(tookMs < 5_000, `${tookMs} ms`);
  const busy = answers.filter(({ code }) => code === "SCORING_BUSY");
  assert(busy.length > 0, "no read waited for its turn");
  assert(answers.every(({ status }) => status === 429 || status === 500));
  await Deno.remove(folder, { recursive: true });
});
