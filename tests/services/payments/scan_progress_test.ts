/** Progress of the payment scan: no block is lost between the last scanned one and the disputed ones. */
import { assert, assertEquals } from "@std/assert";
import {
  isDue,
  MAX_CHECKPOINTS,
  MAX_DISPUTED,
  MAX_UNLISTED,
  type ScanProgress,
  withCheckpoint,
  withRange,
} from "../../../services/payments/scan_progress.ts";
import { fc } from "../../support/properties.ts";

const held = (block: number, foundAt = 1) => ({ block, foundAt });

Deno.test("withRange() moves past disputed blocks, keeps when they were found, and forgets settled ones", () => {
  const progress = {
    block: 10,
    disputed: [held(3), held(8)],
    unlisted: [],
    checkpoints: [],
  };
  const cases: [
    name: string,
    range: [first: number, doneTo: number, disputedBlocks: number[]],
    expected: ScanProgress,
  ][] = [
    ["the next blocks", [11, 20, []], { ...progress, block: 20 }],
    ["a new dispute", [11, 20, [15]], {
      ...progress,
      block: 20,
      disputed: [held(3), held(8), held(15, 2)],
    }],
    ["one stays", [5, 20, [8]], { ...progress, block: 20 }],
    ["one is settled", [5, 20, []], {
      ...progress,
      block: 20,
      disputed: [held(3)],
    }],
    ["the last one is settled", [3, 8, []], { ...progress, disputed: [] }],
    ["old blocks only", [3, 9, [8]], { ...progress, disputed: [held(8)] }],
    ["an unfinished range", [2, 5, []], { ...progress, disputed: [held(8)] }],
    ["after an unfinished block", [12, 20, [15]], progress],
    ["a dispute after the unfinished block", [11, 12, [15]], {
      ...progress,
      block: 12,
    }],
  ];
  for (const [name, [first, doneTo, disputedBlocks], expected] of cases) {
    assertEquals(
      withRange(
        progress,
        { first, doneTo, disputedBlocks, unlisted: [] },
        2,
      ),
      expected,
      name,
    );
  }
});

/** An unlisted range, found at 1 and tried when it is said. */
const aside = (first: number, last: number, triedAt = 1) => ({
  first,
  last,
  foundAt: 1,
  triedAt,
});

Deno.test("withRange() keeps unlisted blocks until they are listed, and since when", () => {
  const unlisted = [aside(5, 9)];
  const progress = { block: 20, disputed: [], unlisted, checkpoints: [] };
  const cases: [
    name: string,
    range: [first: number, doneTo: number, unlisted: boolean],
    expected: ScanProgress["unlisted"],
  ][] = [
    ["other blocks", [10, 12, false], [aside(5, 9)]],
    ["all of them", [4, 12, false], []],
    ["some in the middle", [6, 7, false], [aside(5, 5), aside(8, 9)]],
    ["not yet", [5, 9, true], [aside(5, 9, 2)]],
    ["the blocks after them", [10, 12, true], [aside(5, 12, 2)]],
    ["others", [12, 13, true], [
      aside(5, 9),
      { first: 12, last: 13, foundAt: 2, triedAt: 2 },
    ]],
    ["the progress ends among them", [22, 30, true], [aside(5, 9)]],
  ];
  for (const [name, [first, doneTo, isUnlisted], expected] of cases) {
    const unlisted = isUnlisted ? [{ first, last: doneTo }] : [];
    const range = { first, doneTo, disputedBlocks: [], unlisted };
    assertEquals(withRange(progress, range, 2).unlisted, expected, name);
  }
});

Deno.test("withCheckpoint() keeps the newest up to the last scanned block, and withRange() none after it", () => {
  let progress: ScanProgress = {
    block: 60,
    disputed: [],
    unlisted: [],
    checkpoints: [],
  };
  for (let block = 1; block <= 70; block++) {
    progress = withCheckpoint(progress, { block, hash: `0x${block}` });
  }
  const blocks = () => progress.checkpoints.map(({ block }) => block);
  assertEquals([blocks().length, blocks()[0], blocks().at(-1)], [
    MAX_CHECKPOINTS,
    11,
    60,
  ]);
  progress = withCheckpoint(progress, { block: 58, hash: "0xother" });
  assertEquals(progress.checkpoints.at(-1), { block: 58, hash: "0xother" });
  const disputedBlocks = Array.from({ length: 51 }, (_, nth) => nth);
  const range = { first: 0, doneTo: 60, disputedBlocks, unlisted: [] };
  progress = withRange(progress, range, 1);
  assertEquals([progress.block, blocks().at(-1)], [49, 49]);
});

Deno.test("isDue() waits as long as blocks were not listed before, and at most an hour", () => {
  const found = { first: 1, last: 1, foundAt: 0 };
  const minutes = (count: number) => count * 60_000;
  const cases: [triedAt: number, now: number, due: boolean][] = [
    [0, 0, true],
    [10, 19, false],
    [10, 20, true],
    [1_000, 1_059, false],
    [1_000, 1_060, true],
  ];
  for (const [triedAt, now, due] of cases) {
    assertEquals(
      isDue({ ...found, triedAt: minutes(triedAt) }, minutes(now)),
      due,
      `${triedAt} ${now}`,
    );
  }
});

Deno.test("withRange() has every block up to the last scanned one finished or listed, in any order of ranges", () => {
  const height = fc.nat({ max: 300 });
  const range = fc.record({
    first: height,
    done: height,
    disputed: fc.uniqueArray(height, { maxLength: 80, size: "max" }),
    isListed: fc.boolean(),
  });
  fc.assert(fc.property(fc.array(range, { maxLength: 200 }), (ranges) => {
    let progress: ScanProgress = {
      block: -1,
      disputed: [],
      unlisted: [],
      checkpoints: [],
    };
    const finished = new Set<number>();
    for (const { first, done, disputed, isListed } of ranges) {
      const doneTo = Math.max(first - 1, isListed ? done : first);
      const disputedBlocks = isListed
        ? disputed.filter((block) => block >= first)
        : [];
      const unlisted = isListed ? [] : [{ first, last: doneTo }];
      for (let block = first; block <= doneTo; block++) {
        if (isListed) finished.add(block);
        else finished.delete(block);
      }
      for (const block of disputedBlocks) finished.delete(block);
      const range = { first, doneTo, disputedBlocks, unlisted };
      progress = withRange(progress, range, 1);
      const listed = progress.disputed.map(({ block }) => block);
      assert(listed.length <= MAX_DISPUTED);
      assert(progress.unlisted.length <= MAX_UNLISTED);
      assertEquals(listed, listed.toSorted((a, b) => a - b));
      for (let block = 0; block <= progress.block; block++) {
        const isAside = progress.unlisted.some(({ first, last }) =>
          first <= block && block <= last
        );
        assert(
          finished.has(block) || listed.includes(block) || isAside,
          `${block}`,
        );
      }
    }
  }));
});
