/** Reading through the store: when upstream is asked, and what is served if it fails. */
import { SERVICE } from "../../../../services/platform/rate_limit/requesters.ts";
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { readThrough, shareWork } from "../../../../services/platform/cache.ts";
import {
  jobCallOptions,
  readerCallOptions,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { upstreamDown } from "../../../../services/platform/fault.ts";
import { timeoutsOf } from "../../../support/timeouts.ts";

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
