/** Async iteration: over a series in parts of a year, and over the pages of a list. */
import { assert, assertEquals } from "@std/assert";
import { stub } from "@std/testing/mock";
import { fc } from "../support/properties.ts";
import { GENESIS_DAY } from "../../services/chain_data/catalogue/fields_schema.ts";
import { DAY_MS, formatDay, parseDay } from "../../services/platform/days.ts";
import type { MetricsQuery } from "../../sdk/mod.ts";
import { FIRST_DAY, partsOf } from "../../sdk/metrics_parts.ts";
import { putSeries } from "../support/series.ts";
import { openFirn } from "../support/sdk/service.ts";

Deno.test("iteration begins at the first day of any series", () => {
  assertEquals(FIRST_DAY, GENESIS_DAY);
});

Deno.test("iteration gives the points of one answer, read a year at a time", async (t) => {
  const queries: [query: MetricsQuery, requests: number][] = [
    [{ range: "all" }, 7],
    [{ range: "all", interval: "week" }, 7],
    [{ range: "all", interval: "month", metric: "cumulativeTxCount" }, 7],
    [{ from: "2023-12-28", to: "2024-01-03", interval: "week" }, 2],
    [{ from: "2024-02-10" }, 3],
    [{ range: "90d" }, 1],
    [{}, 1],
  ];
  for (const [query, requests] of queries) {
    await t.step(JSON.stringify(query), async () => {
      using service = await openFirn();
      using _clock = stub(Date, "now", () => service.deps.now().getTime());
      const { series } = await service.firn.metrics(query);
      service.requests.length = 0;
      const points = await Array.fromAsync(service.firn.metrics(query));
      assertEquals(points, [...series]);
      assert(points.length > 1);
      assertEquals(service.requests.length, requests);
    });
  }
});

Deno.test("iteration over a young chain gives its points alone", async () => {
  using service = await openFirn();
  using _clock = stub(Date, "now", () => service.deps.now().getTime());
  const { chains } = await service.firn.chains();
  const { chainId } = chains.at(-1)!;
  const { series } = await service.firn.metrics({ chainId, range: "all" });
  const points = await Array.fromAsync(
    service.firn.metrics({ chainId, range: "all" }),
  );
  assertEquals(points, [...series]);
});

Deno.test("iteration that stops early sends no further request", async () => {
  using service = await openFirn();
  using _clock = stub(Date, "now", () => service.deps.now().getTime());
  for await (const { day } of service.firn.metrics({ range: "all" })) {
    if (day >= "2021-03-01") break;
  }
  assertEquals(service.requests.length, 2);
});

Deno.test("a request that nobody awaits is never sent", async () => {
  using service = await openFirn();
  service.firn.metrics();
  await service.firn.health();
  assertEquals(service.requests.length, 1);
});

Deno.test("parts follow each other without a gap, and no bucket is in two of them", () => {
  const day = fc.integer({ min: parseDay(FIRST_DAY), max: 22_000 });
  const interval = fc.constantFrom("day", "week", "month");
  fc.assert(
    fc.property(day, day, interval, (one, other, interval) => {
      const [from, to] = [one, other].toSorted((a, b) => a - b).map(formatDay);
      const parts = partsOf({ from, to, interval }, "2026-11-21")!;
      assertEquals([parts[0]!.from, parts.at(-1)!.to], [from, to]);
      for (const [nth, part] of parts.slice(1).entries()) {
        assertEquals(
          formatDay(parseDay(parts[nth]!.to!) + 1),
          part.from,
        );
        const start = new Date(part.from);
        if (interval === "week") assertEquals(start.getUTCDay(), 1);
        else assertEquals(part.from.slice(4), "-01-01");
      }
    }),
    { seed: 20, numRuns: 500 },
  );
});

Deno.test("the last part has no end, so the service's clock decides what is today", () => {
  const lastOf = (today: string) => partsOf({ from: "2026-06-01" }, today)!;
  assertEquals(lastOf("2026-11-21"), [{ from: "2026-06-01" }]);
  // The service may still be in the old year, or already in the new one.
  assertEquals(lastOf("2027-01-01"), [{ from: "2026-06-01" }]);
  assertEquals(lastOf("2027-01-02"), [
    { from: "2026-06-01", to: "2026-12-31" },
    { from: "2027-01-01" },
  ]);
});

Deno.test("days before the first one, or far in the future, cost no requests", () => {
  const today = "2026-11-21";
  const count = (query: MetricsQuery) => partsOf(query, today)?.length;
  assertEquals(count({ from: "0001-01-01" }), 7);
  assertEquals(count({ from: "2026-01-01", to: "9999-12-31" }), 1);
  const isSentAsItIs: MetricsQuery[] = [
    { from: "0001-01-01", to: "2020-01-01" },
    { from: "yesterday" },
    { range: "all", from: "2020-01-01" },
    { range: "90d" },
    { to: "2026-01-01" },
    { range: "all", updatedAfter: "2026-11-01T00:00:00Z" },
  ];
  for (const query of isSentAsItIs) assertEquals(partsOf(query, today), null);
});

Deno.test("asOf gives the points of an instant, and updatedAfter what came since", async () => {
  using service = await openFirn();
  const { deps, firn } = service;
  using _clock = stub(Date, "now", () => deps.now().getTime());
  const first = await firn.metrics({ range: "all" });
  const asOf = deps.now().toISOString();
  deps.advance(3 * DAY_MS);
  const later = await firn.metrics({ range: "all" });
  assert(later.series.length > first.series.length);
  const then = await Array.fromAsync(firn.metrics({ range: "all", asOf }));
  // What was incomplete then is left out.
  assertEquals(then, first.series.filter(({ complete }) => complete));
  const changed = firn.metrics({ range: "all", updatedAfter: asOf });
  const { removedDays } = await changed;
  const known = new Set(then.map(({ day }) => day));
  const days = (await Array.fromAsync(changed)).map(({ day }) => day);
  assertEquals(removedDays, []);
  assertEquals(
    days,
    later.series.map(({ day }) => day).filter((day) => !known.has(day)),
  );
});

Deno.test("revisions come a page at a time when awaited, and all when iterated over", async () => {
  using service = await openFirn();
  const { deps, firn } = service;
  await firn.chains();
  const id = { subject: 43114, metric: "txCount" } as const;
  for (const value of [1, 2, 3, 4, 5]) {
    await putSeries(deps, id, { from: "2026-11-16", values: [value, 9, 9, 9] });
    deps.advance(DAY_MS);
  }
  const newValues = [5, 4, 3, 2];
  const one = await firn.revisions({ limit: 3 });
  assertEquals(one.revisions.map(({ newValue }) => newValue), [5, 4, 3]);
  assert(one.nextCursor !== null);
  service.requests.length = 0;
  const all = await Array.fromAsync(firn.revisions({ limit: 3 }));
  assertEquals(all.map(({ newValue }) => newValue), newValues);
  assertEquals(service.requests.length, 2);
  const rest = await Array.fromAsync(
    firn.revisions({ cursor: one.nextCursor }),
  );
  assertEquals(rest.map(({ newValue }) => newValue), [2]);
});
