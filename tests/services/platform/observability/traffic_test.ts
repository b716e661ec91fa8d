import { assertEquals } from "@std/assert";
import {
  failedPct,
  trafficCounter,
} from "../../../../services/platform/observability/traffic.ts";

Deno.test("trafficCounter() counts the requests of the last hour only", () => {
  let ms = Date.parse("2026-11-21T08:00:00Z");
  const traffic = trafficCounter({ now: () => new Date(ms) });
  const totals = () => {
    const { requests, requestsPerMinute, serverErrorPct } = traffic.read();
    return [requests, requestsPerMinute, serverErrorPct];
  };
  assertEquals(totals(), [0, 0, 0]);
  for (const status of [200, 304, 404, 500]) {
    traffic.count("scoring", status, { failed: status === 500 });
  }
  assertEquals(totals(), [4, 4, 25]);
  ms += 2 * 60_000;
  assertEquals(totals(), [4, 2, 25]);
  ms += 58 * 60_000;
  traffic.count("pages", 200, { failed: false });
  assertEquals(totals(), [1, 0.02, 0], "the first minute has left the hour");
});

Deno.test("trafficCounter() returns finite values after the clock is set back", () => {
  let ms = Date.parse("2026-11-21T08:00:00Z");
  const traffic = trafficCounter({ now: () => new Date(ms) });
  traffic.count("pages", 200, { failed: false });
  ms -= 3 * 3_600_000;
  traffic.count("pages", 503, { failed: true });
  const { requests, serverErrorPct, requestsPerMinute } = traffic.read();
  assertEquals([requests, serverErrorPct, requestsPerMinute], [1, 100, 1]);
});

Deno.test("failedPct() has two decimals, and is 0 without requests", () => {
  assertEquals(failedPct({ requests: 3, serverErrors: 1 }), 33.33);
  assertEquals(failedPct({ requests: 0, serverErrors: 0 }), 0);
});
