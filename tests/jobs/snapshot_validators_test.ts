import { assert, assertEquals } from "@std/assert";
import { formatDay } from "../../services/platform/days.ts";
import { totalStakeOf } from "../../services/chain_data/checks/measurements.ts";
import { takeSnapshot } from "../../jobs/own_measurements.ts";
import { stakingOn } from "../../simnet/series/staking.ts";
import { testDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";
import { tapKv } from "../support/kv/tapped_kv.ts";
import { CALL_OPTIONS } from "../support/upstreams.ts";

const JOB = "snapshot-validators";
const HOUR_MS = 3_600_000;

Deno.test("snapshot-validators keeps the first snapshot of a UTC day and calls once a day", async () => {
  using deps = await testDeps({ start: "2026-11-20T00:10:00Z" });
  const { calls } = deps.upstreams.pChainRpc;
  assertEquals(await succeed(deps, JOB), "snapshot taken");
  const first = await deps.store.validatorDays.list();
  for (let run = 0; run < 3; run++) {
    deps.advance(6 * HOUR_MS);
    assertEquals(await succeed(deps, JOB), "today has its snapshot");
  }
  assertEquals(await deps.store.validatorDays.list(), first);
  assertEquals(calls.length, 1);

  deps.advance(6 * HOUR_MS);
  assertEquals(await succeed(deps, JOB), "snapshot taken");
  const snapshots = await deps.store.validatorDays.list();
  assertEquals(
    snapshots.map(({ day, takenAt }) => [
      formatDay(day),
      new Date(takenAt).toISOString(),
    ]),
    [
      ["2026-11-20", "2026-11-20T00:10:00.000Z"],
      ["2026-11-21", "2026-11-21T00:10:00.000Z"],
    ],
  );
  assertEquals(calls.length, 2);
});

Deno.test("snapshot-validators counts stakes in whole nAVAX", async () => {
  using deps = await testDeps();
  await succeed(deps, JOB);
  const [snapshot] = await deps.store.validatorDays.list();
  const { day, validators, validatorStake, delegatorStake } = snapshot!;
  assert(validatorStake !== null && delegatorStake !== null);
  assert(validatorStake > BigInt(Number.MAX_SAFE_INTEGER));
  const near = (counted: number, published: number) =>
    assert(Math.abs(counted / published - 1) <= 0.0011);
  near(validators!, stakingOn("validatorCount", day));
  near(Number(validatorStake), stakingOn("validatorWeight", day));
  near(Number(delegatorStake), stakingOn("delegatorWeight", day));
  assertEquals(
    totalStakeOf(snapshot!),
    Number(validatorStake + delegatorStake) / 1e9,
  );
});

Deno.test("snapshot-validators stores nothing in a failed run and succeeds later that day", async () => {
  using deps = await testDeps({ start: "2026-11-21T00:10:00Z" });
  const failures: [mode: "html" | "shape" | "refuse", error: string][] = [
    ["html", "Cannot read p-chain.test: answer is not JSON"],
    [
      "shape",
      "Cannot read p-chain.test: answer has another shape than documented",
    ],
    ["refuse", "Cannot read p-chain.test: no connection"],
  ];
  for (const [mode, error] of failures) {
    deps.upstreams.pChainRpc.switch.set({ mode });
    assertEquals((await runNamed(deps, JOB)).error, error);
    assertEquals(await deps.store.validatorDays.list(), []);
    deps.advance(6 * HOUR_MS);
  }
  deps.upstreams.pChainRpc.switch.set({ mode: "ok" });
  assertEquals(await succeed(deps, JOB), "snapshot taken");
  const [snapshot] = await deps.store.validatorDays.list();
  assertEquals(
    new Date(snapshot!.takenAt).toISOString(),
    "2026-11-21T18:10:00.000Z",
  );
});

Deno.test("snapshot-validators stores a response after midnight under the new day", async () => {
  using deps = await testDeps({ start: "2026-11-20T23:59:59Z" });
  const { platformChain } = deps.upstream;
  const readValidators: typeof platformChain.readValidators = async (
    options,
  ) => {
    const answer = await platformChain.readValidators(options);
    deps.advance(2_000);
    return answer;
  };
  const upstream = {
    ...deps.upstream,
    platformChain: { ...platformChain, readValidators },
  };
  await succeed({ ...deps, upstream }, JOB);
  const [snapshot] = await deps.store.validatorDays.list();
  assertEquals(formatDay(snapshot!.day), "2026-11-21");
  assertEquals(await succeed(deps, JOB), "today has its snapshot");
});

Deno.test("takeSnapshot in two processes at once stores one snapshot", async () => {
  using deps = await testDeps();
  const taken = await Promise.all([
    takeSnapshot(deps, CALL_OPTIONS),
    takeSnapshot(deps, CALL_OPTIONS),
  ]);
  assertEquals(taken.toSorted(), [false, true]);
  assertEquals(deps.upstreams.pChainRpc.calls.length, 2);
  assertEquals((await deps.store.validatorDays.list()).length, 1);
});

Deno.test("a snapshot and a sample of blocks read as much beside six chains as beside two: they change no chain's series", async () => {
  const countReads = async (chains: number, job: string) => {
    using deps = await testDeps({ chains });
    await succeed(deps, "refresh-series");
    await succeed(deps, "cross-check");
    const { list } = deps.kv;
    const { reads } = tapKv(deps.kv);
    let lists = 0;
    deps.kv.list = (...args) => {
      lists++;
      return list.apply(deps.kv, args) as never;
    };
    await succeed(deps, job);
    return { lists, keys: reads.flat().length };
  };
  for (const job of ["snapshot-validators", "sample-blocks"]) {
    const few = await countReads(2, job);
    assert(few.lists > 0, job);
    assertEquals(await countReads(6, job), few, job);
  }
});
