/** One bad row of a source, through the service: it stops nothing, is named, and is read again. */
import {
  jobCallOptions,
  SERVICE,
} from "../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { altered, qualityOf, type Rows } from "../support/altered_sources.ts";
import { refreshChains } from "../../services/chain_data/catalogue/chains.ts";
import { refreshSeries } from "../../services/chain_data/series/series_reader.ts";
import { HOUR_MS } from "../../services/platform/days.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { readScore } from "../../services/scores/scores.ts";
import { findIndex } from "../support/chain_data/explorer_calls.ts";
import { runNamed, succeed } from "../support/jobs.ts";
import { revisionsOf } from "../support/series.ts";
import { parseDay } from "../../services/platform/days.ts";
import { valueOn } from "../../services/chain_data/series/series.ts";

Deno.test("a bad day of the explorer index stops no job, keeps its stored value, and is read again", async () => {
  const { deps, alter } = await altered();
  using _ = deps;
  const day = "2026-11-10";
  const breakDay = (value: unknown) => (rows: Rows, asked: string) =>
    asked.includes("dailyblkcount")
      ? rows.map((row) =>
        row.UTCDate === day ? { ...row, blockCount: value } : row
      )
      : rows;
  alter.rows = breakDay("");
  await succeed(deps, "cross-check");
  const missing = await findIndex(deps, "blocks");
  assert(Number.isNaN(valueOn(missing.series, parseDay(day))));
  const app = createApp(deps);
  const blocks = await (await app.request(
    "/api/chain-data/block-production?from=2026-11-09&to=2026-11-11",
  )).json();
  assertEquals(
    blocks.series.map((item: { day: string }) => item.day),
    ["2026-11-09", "2026-11-11"],
  );
  const [{ foundAt, ...setAside }, ...others] =
    (await qualityOf(deps)).setAside;
  assertEquals([others, foundAt.slice(0, 10)], [[], "2026-11-21"]);
  assertEquals(setAside, {
    of: "blocks of the explorer-index",
    rowCount: 1,
    days: [day],
    reason: "blockCount is empty",
  });
  assertMatch(
    deps.lines.find((line) => line.includes("source.rows_set_aside"))!,
    /"day":"2026-11-10","reason":"blockCount is empty"/,
  );

  alter.rows = null;
  deps.advance(24 * HOUR_MS);
  await succeed(deps, "cross-check");
  const { series } = await findIndex(deps, "blocks");
  const value = valueOn(series, parseDay(day));
  assert(value > 0);
  assertEquals((await qualityOf(deps)).setAside, []);

  // Four reads over three days are no withdrawal.
  alter.rows = breakDay(null);
  for (let read = 0; read < 4; read++) {
    deps.advance(24 * HOUR_MS);
    await succeed(deps, "cross-check");
    const { series, withdrawals } = await findIndex(deps, "blocks");
    assertEquals(valueOn(series, parseDay(day)), value);
    assertEquals(withdrawals ?? [], []);
  }
  const id = { subject: "explorer-index", metric: "blocks" } as const;
  assertEquals(
    (await revisionsOf(deps, id)).filter(({ cause }) => cause === "withdrawn"),
    [],
  );
});

Deno.test("days whose rows can't be read are never inferred as zeroes", async () => {
  const { deps, alter } = await altered();
  using _ = deps;
  await refreshChains(deps, jobCallOptions());
  await refreshSeries(
    deps,
    { subject: 43114, metric: "txCount" },
    jobCallOptions(),
  );
  alter.rows = (rows, asked) =>
    asked.includes("/chains/4337/")
      ? rows.map((row, nth) => nth < 9 ? { ...row, value: "?" } : row)
      : rows;
  const app = createApp(deps);
  const { series, gaps, inferredDayCount } = await (await app.request(
    "/api/chain-data/metrics?metric=txCount&chainId=4337&range=30d",
  )).json();
  assertEquals(inferredDayCount, 0);
  assert(series.every(({ value }: { value: number }) => value > 0));
  assertEquals(gaps.length, 1);
  assertEquals(gaps[0].reason, "rows of the source that can't be read");
});

Deno.test("a validator that can't be read leaves one total of the snapshot null, until a later read of the day", async () => {
  const { deps, alter } = await altered();
  using _ = deps;
  alter.rows = (rows) =>
    rows.map((row, nth) => nth === 5 ? { ...row, delegatorCount: null } : row);
  assertEquals(await succeed(deps, "snapshot-validators"), "snapshot taken");
  const [partial] = await deps.store.validatorDays.list();
  assertEquals(partial!.delegators, null);
  assert(partial!.validatorStake! > 0n && partial!.validators! > 100);
  assertEquals((await qualityOf(deps)).setAside[0].of, "current validators");
  alter.rows = null;
  deps.advance(6 * HOUR_MS);
  assertEquals(await succeed(deps, "snapshot-validators"), "snapshot taken");
  const [whole, ...others] = await deps.store.validatorDays.list();
  assert(whole!.delegators! > 0);
  assertEquals(others, []);
  assertEquals((await qualityOf(deps)).setAside, []);
});

Deno.test("a transaction that can't be read makes signals partial, and the score is no error", async () => {
  const { deps, alter } = await altered();
  using _ = deps;
  const address = exampleOf("heavy");
  alter.rows = (rows, asked) =>
    asked.includes("txlist")
      ? rows.map((row, nth) =>
        nth === 3 ? { ...row, from: address, gasPrice: "" } : row
      )
      : rows;
  const partial = await readScore(deps, address, { requester: SERVICE });
  assert(JSON.stringify(partial).includes("PARTIAL_SIGNALS"));
  assertEquals((await qualityOf(deps)).setAside[0].reason, "gasPrice is empty");
  alter.rows = null;
  deps.advance(6 * 60_000);
  assert(
    !JSON.stringify(await readScore(deps, address, { requester: SERVICE }))
      .includes("PARTIAL"),
  );
});

Deno.test("a chain whose row can't be read stays in the list, and its id stays with it", async () => {
  const { deps, alter } = await altered();
  using _ = deps;
  const read = () => refreshChains(deps, jobCallOptions());
  const { chains } = await read();
  const beam = chains.find(({ chainId }) => chainId === 4337)!;
  const impostor = (row: Record<string, unknown>) => ({
    ...row,
    chainName: "Impostor",
    blockchainId: "impostor",
  });
  const isBeam = ({ evmChainId }: Record<string, unknown>) =>
    evmChainId === 4337;
  const lists: Record<string, (row: Record<string, unknown>) => unknown[]> = {
    "a name that can't be read": (row) => [{ ...row, chainName: "" }],
    "an id that can't be read": (row) => [{ ...row, evmChainId: null }],
    "an impostor after it": (row) => [row, impostor(row)],
    "an impostor before it": (row) => [impostor(row), row],
    "an impostor in its place": (row) => [impostor(row)],
    "an impostor of the C-Chain": (row) => [row, {
      ...impostor(row),
      evmChainId: 43114,
    }],
  };
  for (const [name, list] of Object.entries(lists)) {
    alter.rows = (rows) =>
      rows.flatMap((row) => isBeam(row) ? list(row) : [row]);
    for (let nth = 0; nth < 4; nth++) {
      deps.advance(HOUR_MS);
      assertEquals((await read()).chains, chains, name);
    }
    const { chainDoubts, setAside } = await qualityOf(deps);
    const isClaim = name.includes("impostor");
    assertEquals(chainDoubts.length, isClaim ? 1 : 0, name);
    assertEquals(setAside.length, isClaim ? 0 : 1, name);
  }

  alter.rows = (rows) =>
    rows.map((row) => isBeam(row) ? { ...row, chainName: "Beam 2" } : row);
  const renamed = (await read()).chains.find(({ chainId }) =>
    chainId === 4337
  )!;
  assertEquals(renamed, { ...beam, chainName: "Beam 2" });
  assertEquals(
    (await qualityOf(deps)).chainDoubts.map(
      (
        { kind, chainName }: { kind: string; chainName: string },
      ) => [kind, chainName],
    ),
    [["renamed", beam.chainName]],
  );
});

Deno.test("with ten of forty days unreadable the explorer index is down, and the job says so", async () => {
  const { deps, alter } = await altered();
  using _ = deps;
  alter.rows = (rows, asked) =>
    asked.includes("dailytx&")
      ? rows.map((row, nth) =>
        nth % 4 === 0 ? { ...row, transactionCount: "" } : row
      )
      : rows;
  const { error } = await runNamed(deps, "cross-check");
  assertMatch(error!, /another shape than documented: \d+ of \d+ rows/);
});
