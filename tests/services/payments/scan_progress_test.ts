/** Progress of the payment scan: no block is lost between the last scanned one and the disputed ones. */
import { assert, assertEquals } from "@std/assert";
import {
  MAX_DISPUTED,
  type ScanProgress,
  withRange,
} from "../../../services/payments/scan_progress.ts";
import { fc } from "../../support/properties.ts";

const held = (block: number, foundAt = 1) => ({ block, foundAt });

Deno.test("withRange() moves past disputed blocks, keeps when they were found, and forgets settled ones", () => {
  const progress = { block: 10, disputed: [held(3), held(8)] };
  const cases: [
    name: string,
    range: [first: number, doneTo: number, disputedBlocks: number[]],
    expected: ScanProgress,
  ][] = [
    ["the next blocks", [11, 20, []], { ...progress, block: 20 }],
    ["a new dispute", [11, 20, [15]], {
      block: 20,
      disputed: [held(3), held(8), held(15, 2)],
    }],
    ["one stays", [5, 20, [8]], { ...progress, block: 20 }],
    ["one is settled", [5, 20, []], { block: 20, disputed: [held(3)] }],
    ["the last one is settled", [3, 8, []], { block: 10, disputed: [] }],
    ["old blocks only", [3, 9, [8]], { block: 10, disputed: [held(8)] }],
    ["an unfinished range", [2, 5, []], { block: 10, disputed: [held(8)] }],
    ["after an unfinished block", [12, 20, [15]], progress],
    ["a dispute after the unfinished block", [11, 12, [15]], {
      ...progress,
      block: 12,
    }],
  ];
  for (const [name, [first, doneTo, disputedBlocks], expected] of cases) {
    assertEquals(
      withRange(progress, { first, doneTo, disputedBlocks }, 2),
      expected,
      name,
    );
  }
});

Deno.test("withRange() has every block up to the last scanned one finished or listed, in any order of ranges", () => {
  const height = fc.nat({ max: 300 });
  const range = fc.record({
    first: height,
    done: height,
    disputed: fc.uniqueArray(height, { maxLength: 80, size: "max" }),
  });
  fc.assert(fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
    let progress: ScanProgress = { block: -1, disputed: [] };
    const finished = new Set<number>();
    for (const { first, done, disputed } of ranges) {
      const doneTo = Math.max(first - 1, done);
      const disputedBlocks = disputed.filter((block) => block >= first);
      for (let block = first; block <= doneTo; block++) finished.add(block);
      for (const block of disputedBlocks) finished.delete(block);
      progress = withRange(progress, { first, doneTo, disputedBlocks }, 1);
      const listed = progress.disputed.map(({ block }) => block);
      assert(listed.length <= MAX_DISPUTED);
      assertEquals(listed, listed.toSorted((a, b) => a - b));
      for (let block = 0; block <= progress.block; block++) {
        assert(finished.has(block) || listed.includes(block), `${block}`);
      }
    }
  }));
});
