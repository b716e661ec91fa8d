/** Requests by day, as they are recorded. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { trafficDayStore } from "../../../../services/platform/observability/traffic_days_store.ts";
import { trafficHistory } from "../../../../services/platform/observability/traffic_history.ts";

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

Deno.test("count() adds up responses and server errors of a day, and records them after five minutes", async () => {
  const { count, added, advance } = newHistory();
  for (const status of [200, 499, 500, 503]) {
    assertEquals(count(status), null);
  }
  advance(5 * MINUTE_MS - 1);
  assertEquals(count(200), null);
  advance(1);
  await count(500);
  assertEquals(added, [[10, 6, 3]]);
  assertEquals(count(200), null, "just recorded");
  advance(-6 * MINUTE_MS);
  await count(200);
  assertEquals(added.slice(1), [[10, 1, 0], [9, 1, 0]]);
});

Deno.test("counts that cannot be written wait for the next recording", async () => {
  const { count, record, added, setDown } = newHistory();
  count(500);
  setDown(true);
  await record();
  count(200);
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
