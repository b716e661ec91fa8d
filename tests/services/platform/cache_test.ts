/**
 * Caches: when stored data is fresh, when upstream is asked, who shares the work, and
 * what is served if it fails.
 */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  hoursSince,
  isFresh,
  readThrough,
  shareWork,
  singleFlight,
} from "../../../services/platform/cache.ts";
import {
  callsUsedUp,
  Fault,
  upstreamDown,
} from "../../../services/platform/fault.ts";
import {
  jobCallOptions,
  readerCallOptions,
  SERVICE,
} from "../../../services/platform/rate_limit/call_budget.ts";
import { timeoutsOf } from "../../support/timeouts.ts";

const MINUTE = 60_000;

Deno.test("isFresh() is true for an hour, or for the accepted staleness, and never for a future read", () => {
  const now = 100 * MINUTE;
  const at = (age: number, stale?: number) =>
    isFresh({ fetchedAt: now - age }, now, stale);
  const hour = 60 * MINUTE;
  assertEquals([at(0), at(hour - 1), at(hour)], [true, true, false]);
  assertEquals([at(hour, 1), at(hour + 1, 1), at(hour + 2, 1)], [
    true,
    true,
    false,
  ]);
  assertEquals([at(-MINUTE), at(-MINUTE - 1)], [true, false]);
  assertEquals([at(-MINUTE, hour), at(-MINUTE - 1, hour)], [true, false]);
  const hours = [
    -5,
    0,
    180_000,
    179_999,
    60 * MINUTE,
    90 * MINUTE,
    93 * MINUTE,
  ];
  assertEquals(hours.map((age) => hoursSince(now - age, now)), [
    0,
    0,
    0.1,
    0,
    1,
    1.5,
    1.6,
  ]);
});

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

const HOUR_MS = 3_600_000;
const NOW = 1_000 * HOUR_MS;

/** Reads data of an age, whose refresh fails with an error if one is given. */
async function read(
  ageMs: number | null,
  { error, maxStaleMs = 0 }: { error?: Error; maxStaleMs?: number } = {},
) {
  const now = () => new Date(NOW);
  const held = ageMs === null ? null : { fetchedAt: NOW - ageMs };
  const clients: unknown[] = [];
  const share = shareWork(now);
  const found = await readThrough(
    {
      now,
      share: (key, work, client) => {
        clients.push([key, client]);
        return share(key, work, client);
      },
    },
    "key",
    {
      find: () => Promise.resolve(held),
      refresh: () =>
        error ? Promise.reject(error) : Promise.resolve({ fetchedAt: NOW }),
    },
    { maxStaleMs, client: "192.0.2.1" },
  );
  return { isHeld: found === held, clients };
}

Deno.test("readThrough() asks upstream once stored data is an hour old, or if there is none", async () => {
  const asked = [["key", "192.0.2.1"]];
  assertEquals(await read(null), { isHeld: false, clients: asked });
  assertEquals(await read(0), { isHeld: true, clients: [] });
  assertEquals(await read(HOUR_MS - 1), { isHeld: true, clients: [] });
  assertEquals(await read(HOUR_MS), { isHeld: false, clients: asked });
  // A clock is at most a minute ahead of another one.
  assertEquals(await read(-60_000), { isHeld: true, clients: [] });
  assertEquals(await read(-60_001), { isHeld: false, clients: asked });
});

Deno.test("readThrough() serves data that is as stale as the caller accepts if upstream fails, and passes other errors on", async () => {
  const down = upstreamDown("up.test", "no connection");
  const stale = { error: down, maxStaleMs: 1_000 };
  assertEquals((await read(HOUR_MS + 1_000, stale)).isHeld, true);
  const bug = new TypeError("a bug");
  const cases: [ageMs: number | null, error: Error, maxStaleMs: number][] = [
    [HOUR_MS + 1_001, down, 1_000],
    [HOUR_MS, down, 0],
    [null, down, Infinity],
    [HOUR_MS, bug, Infinity],
  ];
  for (const [ageMs, error, maxStaleMs] of cases) {
    const thrown = await assertRejects(() =>
      read(ageMs, { error, maxStaleMs })
    );
    assertStrictEquals(thrown, error);
  }
});

Deno.test("readThrough() gives a caller who accepts nothing stale the fault of a refresh that it shares with one who does", async () => {
  const now = () => new Date(NOW);
  const deps = { now, share: shareWork(now) };
  const held = { fetchedAt: NOW - HOUR_MS };
  const down = upstreamDown("up.test", "no connection");
  for (const tolerances of [[Infinity, 0], [0, Infinity]]) {
    const reads = tolerances.map((maxStaleMs) =>
      readThrough(deps, `key ${tolerances}`, {
        find: () => Promise.resolve(held),
        refresh: () => Promise.reject(down),
      }, { maxStaleMs }).catch((error) => error)
    );
    for (const [nth, found] of (await Promise.all(reads)).entries()) {
      assertStrictEquals(found, tolerances[nth] === 0 ? down : held);
    }
  }
});

Deno.test("a reader waits ten seconds for an upstream, a job two minutes, and each names who asks", async () => {
  const made: unknown[] = [];
  const waits = await timeoutsOf(() => {
    for (const options of [readerCallOptions(SERVICE), jobCallOptions()]) {
      const { signal: _, ...rest } = options;
      made.push(rest);
    }
    return Promise.resolve();
  });
  assertEquals(waits, [10_000, 120_000]);
  assertEquals(made, [
    { priority: "reader", requester: SERVICE },
    { priority: "job", requester: SERVICE },
  ]);
});
