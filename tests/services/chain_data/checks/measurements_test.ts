/** Block samples, with what was found before, as of an instant. */
import { assertEquals } from "@std/assert";
import {
  type BlockSample,
  samplesAsOf,
  withEarlier,
} from "../../../../services/chain_data/checks/measurements.ts";

function sample(takenAt: number, firstBlock: number, next = 200): BlockSample {
  return {
    day: 1,
    firstBlock,
    firstBlockTimestamp: 1,
    previousBlock: firstBlock - 1,
    previousBlockTimestamp: 0,
    nextDayFirstBlock: next,
    nextDayFirstBlockTimestamp: 2,
    takenAt,
    source: "node",
  };
}

Deno.test("withEarlier() keeps the instant at which the same blocks were first found", () => {
  assertEquals(withEarlier(sample(5, 100), undefined), sample(5, 100));
  const second = withEarlier(sample(6, 100), sample(5, 100));
  assertEquals(second, { ...sample(6, 100), firstTakenAt: 5 });
  const third = withEarlier(sample(7, 100), second);
  assertEquals(third, { ...sample(7, 100), firstTakenAt: 5 });
});

Deno.test("withEarlier() keeps samples that found other blocks, oldest first", () => {
  const first = sample(5, 100);
  const second = withEarlier(sample(6, 101), first);
  assertEquals(second, { ...sample(6, 101), earlier: [first] });
  const other = sample(7, 101, 201);
  assertEquals(withEarlier(other, second), {
    ...other,
    earlier: [first, sample(6, 101)],
  });
  const same = withEarlier(sample(7, 101), second);
  assertEquals(same, {
    ...sample(7, 101),
    firstTakenAt: 6,
    earlier: [first],
  });
});

Deno.test("samplesAsOf() returns the samples that were known at an instant, with their times", () => {
  const first = sample(5, 100);
  const second = withEarlier(sample(8, 101), first);
  const third = withEarlier(sample(10, 101), second);
  const at = (instant: number) =>
    samplesAsOf([third], instant)
      .map(({ firstBlock, takenAt }) => [firstBlock, takenAt]);
  assertEquals(at(4), []);
  assertEquals(at(5), [[100, 5]]);
  assertEquals(at(7), [[100, 5]]);
  assertEquals(at(8), [[101, 8]]);
  assertEquals(at(9), [[101, 8]], "the second look came later");
  assertEquals(at(10), [[101, 10]]);
});
