/** Headers of the quota status. */
import { assertEquals } from "@std/assert";
import { keyedHeaders } from "../../../routes/http/rate_limit_headers.ts";
import type { QuotaStatus } from "../../../services/accounts/quota/quota.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");

Deno.test("keyedHeaders() gives waits in whole seconds, rounded up and never negative", () => {
  const statusAt = (resetAt: number): QuotaStatus => {
    const window = { limit: 60, remaining: 7, resetAt };
    const period = { ...window, used: 53 };
    const burst = { ...window, perMs: 60_000 };
    return { ...period, cap: period, tighter: "period", burst };
  };
  const rows: [waitMs: number, seconds: number][] = [
    [-5_000, 0],
    [0, 0],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
  ];
  for (const [waitMs, seconds] of rows) {
    const headers = keyedHeaders(statusAt(NOW + waitMs), NOW);
    const entries = ["period", "cap", "burst"]
      .map((name) => `"${name}";r=7;t=${seconds}`);
    assertEquals(headers["RateLimit"], entries.join(", "), `${waitMs} ms`);
  }
});
