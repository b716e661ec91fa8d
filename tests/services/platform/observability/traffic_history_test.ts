/** Requests by day, as they are recorded. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { trafficDayStore } from "../../../../services/platform/observability/traffic_days_store.ts";
import { trafficHistory } from "../../../../services/platform/observability/traffic.ts";

const MINUTE_MS = 60_000;

function newHistory() {
  let at = 10 * DAY_MS;
  let isDown = false;
  const added: [day: number, requests: number, serverErrors: number][] = [];
  const history = trafficHistory({
    now: () => new Date(at),
    store: {
      trafficDays: {
        add(day, { requests, serverErrors }) {
          if (isDown) return Promise.reject(new Error("down"));
          added.push([day, requests, serverErrors]);
          return Promise.resolve();
        },
      },
    },
  });
  return {
    ...history,
    added,
    advance: (ms: number) => at += ms,
    setDown: (value: boolean) => isDown = value,
  };
}

Deno.test("count() adds up responses and failures of a day, and records them ten seconds after the first, then every five minutes", async () => {
  const { count, added, advance } = newHistory();
  advance(MINUTE_MS);
  for (const failed of [false, false, true, true]) {
    assertEquals(count({ failed }), null);
  }
  advance(9_999);
  assertEquals(count({ failed: false }), null);
  advance(1);
  await count({ failed: true });
  assertEquals(added.splice(0), [[10, 6, 3]]);
  assertEquals(count({ failed: false }), null, "just recorded");
  advance(5 * MINUTE_MS - 1);
  assertEquals(count({ failed: false }), null);
  advance(1);
  await count({ failed: false });
  assertEquals(added.splice(0), [[10, 3, 0]]);
  assertEquals(count({ failed: false }), null, "just recorded");
  advance(-12 * MINUTE_MS);
  await count({ failed: false });
  assertEquals(added, [[10, 1, 0], [9, 1, 0]]);
});

Deno.test("recordDue() records the last requests before a pause, and writes nothing without requests", async () => {
  const { count, record, recordDue, added, advance } = newHistory();
  await record();
  advance(10 * MINUTE_MS);
  assertEquals(recordDue(), null);
  count({ failed: false });
  assertEquals(recordDue(), null, "too early");
  advance(10_000);
  await recordDue();
  advance(10 * MINUTE_MS);
  assertEquals(recordDue(), null, "nothing waits");
  assertEquals(added, [[10, 1, 0]]);
});

Deno.test("record() at a stop also writes the counts of a recording under way that fails", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const added: number[] = [];
  let nth = 0;
  const { count, record } = trafficHistory({
    now: () => new Date(0),
    store: {
      trafficDays: {
        async add(_day, { requests }) {
          if (nth++ === 0) await promise;
          added.push(requests);
        },
      },
    },
  });
  count({ failed: false });
  const underWay = record();
  count({ failed: false });
  const last = record();
  reject(new Error("down"));
  await Promise.all([underWay, last]);
  assertEquals(added, [2]);
});

Deno.test("recorders of several processes that record at once lose and double no request", async () => {
  using kv = await Deno.openKv(":memory:");
  const trafficDays = trafficDayStore(kv);
  const options = { now: () => new Date(0), store: { trafficDays } };
  const histories = Array.from({ length: 5 }, () => trafficHistory(options));
  const recordings: Promise<void>[] = [];
  for (let round = 0; round < 20; round++) {
    for (const { count, record } of histories) {
      count({ failed: true });
      recordings.push(record(), record());
    }
  }
  await Promise.all(recordings);
  assertEquals(await trafficDays.list(0), [
    { day: 0, requests: 100, serverErrors: 100 },
  ]);
});

Deno.test("counts that cannot be written wait for the next recording", async () => {
  const { count, record, added, setDown } = newHistory();
  count({ failed: true });
  setDown(true);
  await record();
  count({ failed: false });
  setDown(false);
  await record();
  assertEquals(added, [[10, 2, 1]]);
  await record();
  assertEquals(added.length, 1, "written once");
});

Deno.test("list() gives ninety days up to one, oldest first", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, list } = trafficDayStore(kv);
  const more = { requests: 2, serverErrors: 1 };
  for (const day of [1_000, 911, 910, 1_001, 1_000]) await add(day, more);
  assertEquals(await list(1_000), [
    { day: 911, ...more },
    { day: 1_000, requests: 4, serverErrors: 2 },
  ]);
});
