import { assertEquals, assertRejects } from "@std/assert";
import {
  callsUsedUp,
  Fault,
  upstreamDown,
} from "../../../../services/platform/fault.ts";
import {
  shareWork,
  singleFlight,
} from "../../../../services/platform/cache.ts";

/** Makes work that fails a number of times, and counts its runs. */
function work(failures: number) {
  const runs = { count: 0 };
  const run = () => {
    runs.count++;
    return runs.count <= failures
      ? Promise.reject(upstreamDown("up.test", "no connection"))
      : Promise.resolve(runs.count);
  };
  return { runs, run };
}

Deno.test("shareWork() runs once for concurrent callers of one key, and once for each key", async () => {
  const share = shareWork(() => new Date(0));
  const { runs, run } = work(0);
  const all = await Promise.all([
    share("a", run),
    share("a", run),
    share("b", run),
  ]);
  assertEquals(runs.count, 2);
  assertEquals(all, [1, 1, 2]);
  await share("a", run);
  assertEquals(runs.count, 3, "a finished run is not shared");
});

Deno.test("shareWork() rethrows a fault during a backoff that doubles up to 30 s", async () => {
  let ms = 0;
  const share = shareWork(() => new Date(ms));
  const { runs, run } = work(10);
  const backoffsMs = [
    250,
    500,
    1000,
    2000,
    4000,
    8000,
    16_000,
    30_000,
    30_000,
    30_000,
  ];
  for (const [index, backoffMs] of backoffsMs.entries()) {
    await assertRejects(() => share("a", run), Fault);
    ms += backoffMs - 1;
    await assertRejects(() => share("a", run), Fault);
    assertEquals(runs.count, index + 1, "no run during the backoff");
    ms += 1;
  }
  assertEquals(await share("a", run), 11);
  assertEquals(await share("a", run), 12, "a success resets the backoff");
});

Deno.test("shareWork() starts no backoff after an error that is not a fault", async () => {
  const share = shareWork(() => new Date(0));
  let runs = 0;
  const run = () =>
    ++runs === 1 ? Promise.reject(new TypeError("bug")) : Promise.resolve(runs);
  await assertRejects(() => share("a", run), TypeError);
  assertEquals(await share("a", run), 2);
});

Deno.test("shareWork() evicts the oldest of too many faults", async () => {
  const share = shareWork(() => new Date(0));
  const { runs, run } = work(Infinity);
  await assertRejects(() => share("first", run), Fault);
  for (let key = 0; key < 6000; key++) {
    await share(`${key}`, run).catch(() => {});
  }
  const made = runs.count;
  await assertRejects(() => share("5999", run), Fault);
  assertEquals(runs.count, made, "the newest is kept");
  await assertRejects(() => share("first", run), Fault);
  assertEquals(runs.count, made + 1, "the oldest is evicted");
});

Deno.test("shareWork() runs again if the clock was set back by more than the longest pause", async () => {
  let ms = 1_000_000;
  const share = shareWork(() => new Date(ms));
  const { runs, run } = work(Infinity);
  for (const [at, expected] of [[0, 1], [-29_750, 1], [-29_751, 2]] as const) {
    ms = 1_000_000 + at;
    await assertRejects(() => share("a", run), Fault);
    assertEquals(runs.count, expected, String(at));
  }
});

// Shared runs: who gets the result of a run, and who runs again after a refusal.

Deno.test("singleFlight() gives all callers an error, and runs again for those that a refusal does not concern", async () => {
  const refused = callsUsedUp("scoringBusy", {
    upstream: "up.test",
    requester: "a",
    usedBy: "network",
    retryAfterMs: 1,
  });
  const cases: [error: Error, runs: string[], outcomes: string[]][] = [
    [new Error("down"), ["a"], ["down", "down", "down", "down"]],
    [refused, ["a", "b"], ["refused", "b", "refused", "b"]],
  ];
  for (const [error, expected, outcomes] of cases) {
    const runOnce = singleFlight();
    const runs: string[] = [];
    const ask = (client: string) =>
      runOnce("key", async () => {
        runs.push(client);
        await null;
        if (client === "a") throw error;
        return client;
      }, client).catch((thrown) => thrown === refused ? "refused" : "down");
    const asked = ["a", "b", "a", "c"].map(ask);
    assertEquals(await Promise.all(asked), outcomes);
    assertEquals(runs, expected);
    assertEquals(await ask("d"), "d", "nothing is kept");
  }
});
