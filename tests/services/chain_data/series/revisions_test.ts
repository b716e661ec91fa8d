/** Revisions of chains: their order, their pages, and what a query selects. */
import { assertEquals, assertRejects } from "@std/assert";
import { readRevisions } from "../../../../services/chain_data/series/revisions.ts";
import { RevisionsQuery } from "../../../../services/chain_data/series/revisions_schema.ts";
import { METRIC_NAMES } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { parseDay } from "../../../../services/platform/days.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { sweep } from "../../../support/chain_data/swept.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { putSeries } from "../../../support/series.ts";

const HOUR_MS = 3_600_000;
const FIRST = "2026-11-16";

/** Two chains of which three values change in one instant, and a third that changes nothing. */
async function revisedDeps(): Promise<TestDeps> {
  const deps = await testDeps();
  await sweep(deps, {
    chains: { 43114: "C-Chain", 7: "Seven", 8: "Eight" },
    metrics: ["txCount", "feesPaid"],
    valuesOf: () => ({ from: FIRST, values: [1, 2, 3, 4] }),
  });
  deps.advance(HOUR_MS);
  for (const subject of [43114, 7]) {
    const put = (metric: "txCount" | "feesPaid", values: number[]) =>
      putSeries(deps, { subject, metric }, { from: FIRST, values });
    await put("txCount", [10, 20, 3, 4]);
    await put("feesPaid", [1, 20, 3, 4]);
  }
  deps.advance(HOUR_MS);
  return deps;
}

const SEEN = "2026-11-21T09:00:00.000Z";
const read = (deps: TestDeps, query: Record<string, string>) =>
  readRevisions(deps, RevisionsQuery.parse(query));
const placesOf = ({ answer }: Awaited<ReturnType<typeof read>>) =>
  answer.revisions.map(({ day, metric, chainId }) =>
    `${day} ${metric} ${chainId}`
  );

/** Of one instant: the newest day first, then by metric and by chain. */
const BOTH = { chainIds: "43114,7" };
const IN_ORDER = [
  "2026-11-17 txCount 7",
  "2026-11-17 txCount 43114",
  "2026-11-17 feesPaid 7",
  "2026-11-17 feesPaid 43114",
  "2026-11-16 txCount 7",
  "2026-11-16 txCount 43114",
];

Deno.test("readRevisions orders the changes of one instant by day, metric and chain", async () => {
  using deps = await revisedDeps();
  const found = await read(deps, BOTH);
  assertEquals(placesOf(found), IN_ORDER);
  const { answer: { chainId, chainName, count, nextCursor, revisions } } =
    found;
  assertEquals([chainId, chainName, count, nextCursor], [null, null, 6, null]);
  assertEquals(revisions[2], {
    day: "2026-11-17",
    metric: "feesPaid",
    oldValue: 2,
    newValue: 20,
    unit: "avax",
    cause: "restated",
    seenAt: SEEN,
    chainId: 7,
    chainName: "Seven",
  });
  const one = await read(deps, { chainId: "7" });
  assertEquals([one.answer.chainId, one.answer.chainName], [7, "Seven"]);
  assertEquals(placesOf(one), IN_ORDER.filter((place) => place.endsWith(" 7")));
  assertEquals((await read(deps, {})).answer.chainId, 43114);
});

Deno.test("readRevisions: a page ends with a cursor only if more follow", async () => {
  using deps = await revisedDeps();
  assertEquals(
    (await read(deps, { ...BOTH, limit: "6" })).answer.nextCursor,
    null,
  );
  const day = parseDay("2026-11-17");
  const { answer } = await read(deps, { ...BOTH, limit: "3" });
  const metric = METRIC_NAMES.indexOf("feesPaid");
  assertEquals(answer.nextCursor, `${Date.parse(SEEN)}.${day}.${metric}.7`);
  for (const limit of [1, 2, 3, 5]) {
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null; pages++) {
      const page = await read(deps, {
        ...BOTH,
        limit: String(limit),
        ...cursor && { cursor },
      });
      found.push(...placesOf(page));
      cursor = page.answer.nextCursor;
    }
    assertEquals(found, IN_ORDER);
    assertEquals(pages, Math.ceil(6 / limit), `pages of ${limit}`);
  }
});

Deno.test("readRevisions selects days with both ends, and what was seen after an instant", async () => {
  using deps = await revisedDeps();
  const rows: [query: Record<string, string>, count: number][] = [
    [{ from: "2026-11-17" }, 4],
    [{ from: "2026-11-18" }, 0],
    [{ to: "2026-11-16" }, 2],
    [{ to: "2026-11-15" }, 0],
    [{ from: "2026-11-16", to: "2026-11-17" }, 6],
    [{ since: SEEN }, 0],
    [{ since: "2026-11-21T08:59:59.999Z" }, 6],
    [{ since: "2026-11-21T10:00:00.000Z" }, 0],
    // Of a process whose clock is ahead.
    [{ since: "2026-11-21T10:01:00.000Z" }, 0],
    [{ metric: "feesPaid" }, 2],
  ];
  for (const [query, count] of rows) {
    const { answer } = await read(deps, { ...BOTH, ...query });
    assertEquals(answer.count, count, JSON.stringify(query));
  }
  await assertRejects(
    () => read(deps, { since: "2026-11-21T10:01:00.001Z" }),
    Fault,
    "an instant up to 2026-11-21T10:00:00.000Z",
  );
  await assertRejects(() => read(deps, { chainId: "9" }), Fault, "chain 9");
});

Deno.test("readRevisions last changed with the newest revision of the chains, selected or not", async () => {
  using deps = await revisedDeps();
  const now = deps.now().getTime();
  const datesOf = async (query: Record<string, string>) => {
    const { fetchedAt, changedAt } = await read(deps, query);
    return [fetchedAt, changedAt];
  };
  const seenAt = Date.parse(SEEN);
  assertEquals(await datesOf({ to: "2026-11-15" }), [now, seenAt]);
  assertEquals(await datesOf({ chainId: "8" }), [now, null]);
  await putSeries(deps, { subject: 7, metric: "feesPaid" }, {
    from: FIRST,
    values: [5, 20, 3, 4],
  });
  assertEquals(await datesOf(BOTH), [now, now]);
});
