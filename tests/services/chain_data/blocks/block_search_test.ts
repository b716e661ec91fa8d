import { assert, assertEquals } from "@std/assert";
import {
  type BlockTime,
  narrow,
  nextStep,
  startSearch,
} from "../../../../services/chain_data/blocks/block_search.ts";
import {
  C_CHAIN_ANCHORS,
  unevenChain,
} from "../../../support/evm/uneven_chain.ts";
import type { FirstBlock } from "../../../../services/chain_data/checks/measurements.ts";
import { fc } from "../../../support/properties.ts";

const DAY = 86_400;

/** Runs a search on a chain of the given timestamps. A missing block ends in disorder. */
function follow(
  timestampOf: (height: number) => number | undefined,
  instant: number,
  anchors: readonly BlockTime[],
) {
  let search = startSearch(instant, anchors);
  for (let probes = 0;; probes++) {
    const step = nextStep(search);
    if (step.kind === "found") return { ...step, probes };
    if (step.kind !== "probe") return { kind: step.kind, probes };
    const timestamp = timestampOf(step.height);
    if (timestamp === undefined) return { kind: "disorder", probes } as const;
    search = narrow(search, { height: step.height, timestamp });
  }
}

/** Finds the block by a linear scan; null if all blocks are older than the instant. */
function scan(times: readonly number[], instant: number): FirstBlock | null {
  const first = times.findIndex((timestamp) => timestamp >= instant);
  return first === -1 ? null : {
    firstBlock: first,
    firstBlockTimestamp: times[first]!,
    previousBlock: first === 0 ? null : first - 1,
    previousBlockTimestamp: times[first - 1] ?? null,
  };
}

/** Chains with equal timestamps, and with seconds, hours or days between blocks. */
const chains = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 600, max: 7_200 }),
    fc.integer({ min: DAY, max: 3 * DAY }),
  ),
  { maxLength: 200 },
).map((gaps) => {
  let timestamp = 0;
  return [0, ...gaps.map((gap) => timestamp += gap)];
});

const instants = fc.oneof(
  fc.integer({ min: 0, max: 100 * DAY }),
  fc.integer({ min: 0, max: 100 }).map((day) => day * DAY),
  fc.integer({ min: 0, max: 500 }),
);

const heights = fc.array(fc.nat(199), { maxLength: 6 });

const headOf = (times: readonly number[]): BlockTime => ({
  height: times.length - 1,
  timestamp: times.at(-1)!,
});

Deno.test("the search finds the same block as a linear scan", () => {
  fc.assert(
    fc.property(chains, instants, heights, (times, instant, known) => {
      const anchors = known.filter((height) => height < times.length)
        .map((height) => ({ height, timestamp: times[height]! }));
      const end = follow(
        (height) => times[height],
        instant,
        [...anchors, headOf(times)],
      );
      const expected = scan(times, instant);
      assertEquals(end.kind, expected ? "found" : "notYet");
      assertEquals("found" in end ? end.found : null, expected);
      // Bisection, six spare probes, block 0, and both blocks of the result.
      assert(end.probes <= Math.ceil(Math.log2(times.length)) + 9);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("the search is correct for an instant equal to a block's timestamp", () => {
  fc.assert(fc.property(chains, (times) => {
    for (const instant of times) {
      const end = follow((height) => times[height], instant, [headOf(times)]);
      assertEquals("found" in end && end.found, scan(times, instant));
    }
  }));
});

Deno.test("a wrong anchor ends in disorder or does not change the result", () => {
  const wrong = fc.array(
    fc.record({ height: fc.nat(250), timestamp: fc.nat(100 * DAY) }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(chains, instants, wrong, (times, instant, anchors) => {
      const end = follow(
        (height) => times[height],
        instant,
        [...anchors, headOf(times)],
      );
      if (end.kind === "disorder") return;
      const expected = scan(times, instant);
      assertEquals("found" in end ? end.found : null, expected);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("an anchor next to the instant is probed before it is used", () => {
  const anchors = [{ height: 7, timestamp: 70 }, { height: 8, timestamp: 80 }];
  const end = follow((height) => height * 10, 75, anchors);
  assertEquals([end.kind, end.probes], ["found", 2]);
});

Deno.test("a run of equal timestamps needs few probes more than bisection", () => {
  const burst = (height: number) => height < 40_000_000 ? 1_000 : 2_000;
  const anchors = [{ height: 0, timestamp: 0 }, {
    height: 100_000_000,
    timestamp: 2_000,
  }];
  const end = follow((height) => height && burst(height), 1_500, anchors);
  assertEquals("found" in end && end.found.firstBlock, 40_000_000);
  assert(end.probes <= 27 + 8, `${end.probes} probes`);
});

Deno.test("each day boundary of a year needs few probes, in any order", async (t) => {
  const head = { height: 100_000_000, timestamp: 1794538964 };
  const newestDay = Math.floor(head.timestamp / DAY);
  const days = Array.from({ length: 366 }, (_, index) => newestDay - index);
  const orders: [name: string, days: number[]][] = [
    ["oldest first", days.toReversed()],
    ["newest first", days],
    ["in no order", days.toSorted((a, b) => a * 5851 % 366 - b * 5851 % 366)],
  ];
  const spreads: [spread: number, mean: number][] = [
    [0.05, 6.5],
    [0.2, 8.5],
    [0.4, 10.5],
  ];
  for (const [spread, mean] of spreads) {
    const timestampOf = unevenChain([...C_CHAIN_ANCHORS, head], { spread });
    for (const [name, order] of orders) {
      await t.step(`${name}, at a spread of ${spread}`, () => {
        const anchors = [...C_CHAIN_ANCHORS, head];
        let total = 0;
        for (const day of order) {
          const end = follow(timestampOf, day * DAY, anchors);
          assert("found" in end);
          const { firstBlock, previousBlock } = end.found;
          assertEquals(previousBlock, firstBlock - 1);
          assert(timestampOf(firstBlock) >= day * DAY);
          assert(timestampOf(firstBlock - 1) < day * DAY);
          anchors.push(
            { height: firstBlock, timestamp: timestampOf(firstBlock) },
            { height: firstBlock - 1, timestamp: timestampOf(firstBlock - 1) },
          );
          total += end.probes;
        }
        assert(total / days.length <= mean, `${total / days.length} probes`);
      });
    }
  }
});
