/** The block ranges that the payment scan asks a node to list. */
import { assertEquals } from "@std/assert";
import { newScanRun, scanBlocks } from "../../jobs/find_payments.ts";
import { TREASURY } from "../support/evm/paid_chain.ts";
import { runNamed, runSlowly } from "../support/jobs.ts";
import { paidDeps } from "../support/evm/payers.ts";

const JOB = "find-payments";

/** A service whose node notes the block ranges that it is asked to list. */
async function rangeDeps() {
  const ranges: [first: number, last: number][] = [];
  let fails = (_first: number, _last: number) => false;
  const deps = await paidDeps({
    nodes: (chain) => [async (request) => {
      const { method, params } = await request.clone().json();
      if (method === "eth_getLogs") {
        const { fromBlock, toBlock } = params[0];
        const [first, last] = [Number(fromBlock), Number(toBlock)];
        ranges.push([first, last]);
        if (fails(first, last)) return new Response("no", { status: 500 });
      }
      return await chain.node()(request);
    }],
  });
  return {
    ...deps,
    /** Runs the job; returns its error, its outcome and the ranges. */
    async run() {
      ranges.length = 0;
      const { error, outcome } = await runNamed(deps, JOB);
      return { error, outcome, ranges: [...ranges] };
    },
    failAt: (holds: typeof fails) => fails = holds,
  };
}

const scannedTo = (block: number) =>
  `0 payments credited, 0 revoked, scanned to block ${block}`;

Deno.test("find-payments lists new blocks in ranges of 2,000, at most 50 a run, and older ones once more", async () => {
  using deps = await rangeDeps();
  const first = await deps.run();
  assertEquals([first.ranges, first.outcome], [
    [[8_999, 9_998]],
    scannedTo(9_998),
  ]);
  deps.chain.mine(1_500);
  assertEquals((await deps.run()).ranges, [[9_999, 11_498], [9_899, 9_998]]);
  deps.chain.mine(200_000);
  const long = await deps.run();
  assertEquals([long.ranges.length, long.ranges[0], long.ranges.slice(-2)], [
    51,
    [11_499, 13_498],
    [[109_499, 111_498], [11_399, 11_498]],
  ]);
  assertEquals(long.outcome, scannedTo(111_498));
  assertEquals((await deps.run()).ranges[0], [111_499, 113_498]);
});

Deno.test("find-payments splits a range that a node refuses in ten parts, down to one block", async () => {
  using deps = await rangeDeps();
  await deps.run();
  deps.chain.mine(1_001);
  deps.failAt((first, last) => last - first >= 150);
  const { ranges, error } = await deps.run();
  assertEquals(error, null);
  const parts = Array.from({ length: 10 }, (_, nth) => {
    const first = 9_999 + 101 * nth;
    return [first, Math.min(first + 100, 10_999)];
  });
  assertEquals(ranges.slice(0, -1), [[9_999, 10_999], ...parts]);

  deps.chain.mine(1_000);
  deps.failAt((first) => first === 11_000);
  const last = await deps.run();
  assertEquals(last.ranges.slice(0, 5), [
    [11_000, 11_999],
    [11_000, 11_099],
    [11_000, 11_009],
    [11_000, 11_000],
    [11_001, 11_001],
  ]);
  assertEquals(last.ranges.slice(30), [[11_900, 11_999], [10_900, 10_999]]);
  const since = deps.now().toISOString();
  assertEquals(
    last.outcome,
    `${scannedTo(11_999)}, blocks 11000 to 11000 not listed since ${since}`,
  );
});

Deno.test("find-payments keeps its lease while the parts of a range are slow", async () => {
  using deps = await rangeDeps();
  await deps.run();
  deps.chain.mine(1_000);
  deps.failAt((first, last) => last - first >= 150);
  const [node] = deps.upstream.transfers;
  const { error, others } = await runSlowly(deps, JOB, (wait) => {
    const slow: typeof node = {
      ...node!,
      async listTransfers(filter, options) {
        await wait(options.signal);
        return await node!.listTransfers(filter, options);
      },
    };
    return { ...deps, upstream: { ...deps.upstream, transfers: [slow] } };
  });
  assertEquals(others, ["runs already"]);
  assertEquals(error, null);
});

Deno.test("scanBlocks() yields the parts that it listed before time ran out", async () => {
  using deps = await rangeDeps();
  await deps.run();
  deps.failAt((first, last) => last - first >= 150);
  let left = 9;
  const run = newScanRun({ proceed: () => Promise.resolve(left-- > 0) });
  const range = { treasury: TREASURY, first: 9_000, last: 9_999 };
  const parts = await Array.fromAsync(scanBlocks(deps, range, run));
  assertEquals(
    parts.map(({ first, doneTo }) => [first, doneTo]),
    Array.from(
      { length: 9 },
      (_, nth) => [9_000 + 100 * nth, 9_099 + 100 * nth],
    ),
  );
});

Deno.test("find-payments lists what a reorganisation replaced, from the newest block known to all nodes on", async () => {
  using deps = await rangeDeps();
  await deps.run();
  for (const count of [300, 200, 100]) {
    deps.chain.mine(count);
    await deps.run();
  }
  deps.chain.reorganise(50);
  assertEquals((await deps.run()).ranges, [[10_499, 10_598]]);
  assertEquals((await deps.run()).ranges, [], "nothing is new");
  deps.chain.reorganise(590);
  assertEquals((await deps.run()).ranges, [[9_999, 10_598]]);
  deps.chain.reorganise(5_000);
  assertEquals((await deps.run()).ranges, [[9_599, 10_598]]);
});

Deno.test("find-payments starts at block 0 of a short chain", async () => {
  using deps = await rangeDeps();
  await deps.store.payments.putScanned({
    block: 10,
    disputed: [],
    unlisted: [],
    checkpoints: [],
  });
  deps.chain.mine(-9_970);
  assertEquals((await deps.run()).ranges, [[0, 28]]);
});
