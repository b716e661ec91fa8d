/** What a series that cannot be read is refused with, and what a read never writes. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  readSeries,
  refreshSeries,
} from "../../../../services/chain_data/series/series_reader.ts";
import { jobCallOptions } from "../../../../services/platform/cache/read_through.ts";
import { parseDay } from "../../../../services/platform/days.ts";
import { Fault, upstreamDown } from "../../../../services/platform/fault.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

const HOUR_MS = 3_600_000;
const L1 = { subject: 2044, metric: "gasUsed" } as const;

/** Replaces how the Metrics API answers a read of days. */
function answering(
  deps: TestDeps,
  readDaily: TestDeps["upstream"]["metrics"]["readDaily"],
) {
  const metrics = { ...deps.upstream.metrics, readDaily };
  return { ...deps, upstream: { ...deps.upstream, metrics } };
}

const C_CHAIN_TX = { subject: 43114, metric: "txCount" } as const;

/** Days from one on, each with the value 1. */
const ones = (from: string, count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    day: parseDay(from) + nth,
    value: 1,
  }));

Deno.test("readSeries() says through which day a stored series is complete and settled when it cannot be read", async () => {
  const down = upstreamDown("metrics.test", "no", { retryAfterMs: 7_000 });
  const through = { dataThrough: "2026-11-19", settledThrough: "2026-11-05" };
  const rows: [
    days: ReturnType<typeof ones>,
    fault: Fault,
    reason: string,
    stored: string,
    failure: object,
  ][] = [
    [
      ones("2026-10-20", 32),
      down,
      "Cannot read metrics.test: no",
      "; the stored series is complete through 2026-11-19: Cache-Control: max-stale accepts it, and to=2026-11-05 or earlier needs no upstream",
      through,
    ],
    [
      ones("2026-11-15", 6),
      down,
      "Cannot read metrics.test: no",
      "; the stored series is complete through 2026-11-19: Cache-Control: max-stale accepts it",
      { dataThrough: "2026-11-19", settledThrough: null },
    ],
    [
      ones("2026-11-20", 1),
      down,
      "Cannot read metrics.test: no",
      "",
      {},
    ],
  ];
  for (const [body, fault, reason, stored, days] of rows) {
    using deps = await testDeps({ start: "2026-11-20T22:30:00Z" });
    const { source } = deps.upstream.metrics;
    const reader = answering(deps, () => Promise.resolve({ body, source }));
    await refreshSeries(reader, C_CHAIN_TX, jobCallOptions());
    deps.advance(2 * HOUR_MS);
    const failing = answering(deps, () => Promise.reject(fault));
    const error = await assertRejects(
      () => readSeries(failing, C_CHAIN_TX, { maxStaleMs: 0 }),
      Fault,
    );
    assertEquals(error.message, reason + stored);
    const { host } = new URL(deps.upstream.metrics.baseUrl);
    assertEquals<object>(error.failure, {
      kind: "upstreamDown",
      upstream: host,
      retryAfterMs: 7_000,
      ...days,
    });
    assertStrictEquals(error.cause, fault);
    const { fetchedAt } = await readSeries(failing, C_CHAIN_TX, {
      maxStaleMs: HOUR_MS,
    });
    assertEquals(fetchedAt, deps.now().getTime() - 2 * HOUR_MS);
  }
});

Deno.test("readSeries() passes on what is no failure of upstream, and queues nothing", async () => {
  using deps = await testDeps();
  const others = [
    new Error("a bug"),
    new Fault("gone", { kind: "unknownFile" }),
  ];
  for (const other of others) {
    const failing = answering(deps, () => Promise.reject(other));
    const error = await assertRejects(() =>
      readSeries(failing, C_CHAIN_TX, { maxStaleMs: HOUR_MS })
    );
    assertStrictEquals(error, other);
  }
  const entries = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  assertEquals(entries.map(({ key }) => key), []);
});

Deno.test("readSeries() asks for a series that is not served only once its chain is known", async () => {
  using deps = await testDeps();
  const unknown = new Fault("no such chain", {
    kind: "unknownChain",
    chainId: 7,
  });
  const never = answering(deps, () => Promise.reject(new Error("asked")));
  const chain = Promise.reject(unknown);
  // Its rejection is awaited later.
  chain.catch(() => {});
  const error = await assertRejects(() =>
    readSeries(
      never,
      C_CHAIN_TX,
      { maxStaleMs: 0 },
      undefined,
      chain,
    )
  );
  assertStrictEquals(error, unknown);
});

Deno.test("refreshSeries() writes nothing of a canary without values, nor of a series that lacks days in many places", async () => {
  using deps = await testDeps({ start: "2026-11-20T12:00:00Z" });
  const { source, baseUrl } = deps.upstream.metrics;
  const { host } = new URL(baseUrl);
  const answer = (body: ReturnType<typeof ones>) =>
    answering(deps, () => Promise.resolve({ body, source }));
  const options = { ...jobCallOptions(), isWhole: true };
  // A first read may be empty.
  await refreshSeries(answer([]), C_CHAIN_TX, options);
  const days = ones("2024-01-01", 1_003);
  await refreshSeries(answer(days), C_CHAIN_TX, options);
  const stored = await deps.store.series.find(C_CHAIN_TX);
  assertEquals(stored?.series.values.length, 1_003);
  deps.advance(HOUR_MS);
  const gappy = days.filter((_, nth) => nth % 2 === 0);
  for (
    const [body, reason] of [
      [[], "txCount of chain 43114 has no values now"],
      [gappy, "txCount of chain 43114 lacks days it had before"],
    ] as const
  ) {
    const { message } = await assertRejects(
      () => refreshSeries(answer([...body]), C_CHAIN_TX, options),
      Fault,
    );
    assertEquals(message, `Cannot read ${host}: ${reason}`);
  }
  assertEquals(await deps.store.series.find(C_CHAIN_TX), stored);
  // Other series may have no new days.
  await refreshSeries(answer(days), L1, options);
  await refreshSeries(answer([]), L1, jobCallOptions());
});
