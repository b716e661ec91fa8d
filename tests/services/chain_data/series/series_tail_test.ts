/** The newest days of a series in its head: a series is the same with and without them, whatever the source answers. */
import { assert, assertEquals } from "@std/assert";
import { jobCallOptions } from "../../../../services/platform/rate_limit/call_budget.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { DAY_MS, HOUR_MS } from "../../../../services/platform/days.ts";
import type { MetricsSeriesId } from "../../../../services/chain_data/catalogue/series_id.ts";
import { decodeLog } from "../../../../services/chain_data/series/revision_log_codec.ts";
import { refreshSeries } from "../../../../services/chain_data/series/series_reader.ts";
import { altered, type Rows } from "../../../support/altered_sources.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { assertSound } from "../../../support/kv/invariants.ts";
import { randomFrom, seededRandom } from "../../../support/random.ts";

const SERIES: readonly MetricsSeriesId[] = [
  { subject: 43114, metric: "txCount" },
  { subject: 43114, metric: "cumulativeTxCount" },
  { subject: 2044, metric: "txCount" },
  { subject: 2044, metric: "activeAddresses" },
];

/** Days of the test, from 2026-11-21: the year ends meanwhile. */
const DAYS = 45;

/** What a source may do to a row. */
const CHANGES: readonly ((row: Rows[number]) => Rows)[] = [
  () => [],
  (row) => [{ ...row, value: 0 }],
  (row) => [{ ...row, value: Number(row.value) * 1_000 }],
  (row) => [{ ...row, value: Number(row.value) + 1 }],
  (row) => [{ ...row, value: "unreadable" }],
];

/** Changes one row, as sources do: often the newest one. */
function disturb(rows: Rows, random: () => number): Rows {
  const byAge = rows.toSorted((a, b) =>
    Number(b.timestamp) - Number(a.timestamp)
  );
  const changed = byAge[Math.floor(random() ** 2 * byAge.length)];
  const change = CHANGES[Math.floor(random() * CHANGES.length)]!;
  return rows.flatMap((row) => row === changed ? change(row) : [row]);
}

async function refresh(deps: TestDeps, id: MetricsSeriesId): Promise<void> {
  await refreshSeries(deps, id, jobCallOptions()).catch((error) => {
    if (!(error instanceof Fault)) throw error;
  });
}

/** Writes a series without a tail. */
async function writeWhole({ store }: TestDeps, id: MetricsSeriesId) {
  if (await store.series.find(id) === null) return;
  await store.series.update(id, (stored) => stored!);
}

async function found({ store }: TestDeps, id: MetricsSeriesId) {
  const stored = await store.series.find(id);
  if (stored === null) return null;
  const { versionstamp: _, logs, ...rest } = stored;
  const [state] = await store.series.listStates([id], () => rest.origin);
  return { ...rest, state, logs: logs.map(decodeLog) };
}

Deno.test("a series is the same with and without a tail, whatever the source answers", async () => {
  const random = seededRandom("series_tail_test");
  const [tailed, whole] = [await altered(), await altered()];
  using deps = tailed.deps;
  using plain = whole.deps;
  let changes = 0;
  for (let nth = 0; nth < DAYS * 2; nth++) {
    const seed = Math.floor(random() * 2 ** 31);
    const isDisturbed = random() < 0.2;
    for (const { alter } of [tailed, whole]) {
      alter.rows = isDisturbed
        ? (rows, asked) =>
          disturb(rows as Rows, randomFrom(seed + asked.length))
        : null;
    }
    for (const id of SERIES) {
      await refresh(deps, id);
      await refresh(plain, id);
      await writeWhole(plain, id);
      const [a, b] = [await found(deps, id), await found(plain, id)];
      assertEquals(a, b, `${nth} ${JSON.stringify(id)}`);
      if (a !== null && a.changedAt === a.fetchedAt) changes++;
    }
    if (nth % 10 === 0) await assertSound(deps.kv, deps.now().getTime());
    for (const each of [deps, plain]) each.advance(DAY_MS / 2);
  }
  assert(changes > DAYS, String(changes));
});

Deno.test("a read that adds a day reads and writes the head alone, and its days reach the year within two weeks", async () => {
  using deps = await testDeps();
  const [id] = SERIES as [MetricsSeriesId];
  await refresh(deps, id);
  const yearOf = () =>
    deps.kv.get<Float64Array>(["series", 43114, id.metric, 2026]);
  const before = (await yearOf()).versionstamp;
  let lists = 0;
  const { list } = deps.kv;
  deps.kv.list = (...args) => {
    lists++;
    return list.apply(deps.kv, args) as never;
  };
  for (let day = 0; day < 14; day++) {
    deps.advance(DAY_MS);
    await refresh(deps, id);
    deps.advance(HOUR_MS);
    await refresh(deps, id);
  }
  assertEquals(lists, 0);
  assertEquals((await yearOf()).versionstamp, before);
  deps.advance(DAY_MS);
  await refresh(deps, id);
  assert((await yearOf()).versionstamp !== before);
});
