import { assert, assertEquals } from "@std/assert";
import {
  bucketOf,
  BUCKETS,
  quantileMs,
} from "../../../../services/platform/observability/process_metrics.ts";
import { fc } from "../../../support/properties.ts";

const count = (durations: readonly number[]) => {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const ms of durations) counts[bucketOf(ms)]!++;
  return counts;
};

Deno.test("bucketOf() returns a bucket for every number, also negative and NaN", () => {
  const odd: [ms: number, bucket: number][] = [
    [0, 0],
    [-5, 0],
    [0.1, 0],
    [0.11, 1],
    [80_000, BUCKETS - 1],
    [1e9, BUCKETS - 1],
    [NaN, BUCKETS - 1],
  ];
  for (const [ms, bucket] of odd) assertEquals(bucketOf(ms), bucket, `${ms}`);
});

Deno.test("quantileMs() is never below the exact quantile, and at most 28 % above it", () => {
  const duration = fc.double({ min: 0.1, max: 80_000, noNaN: true });
  fc.assert(fc.property(
    fc.array(duration, { minLength: 1 }),
    fc.constantFrom(0.5, 0.99, 1),
    (durations, share) => {
      const found = quantileMs(count(durations), share)!;
      const sorted = durations.toSorted((a, b) => a - b);
      const truth = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
      assert(
        found >= truth && found <= truth * 1.28,
        `${found} ${truth}`,
      );
    },
  ));
});

Deno.test("quantileMs() is null without durations", () => {
  assertEquals(quantileMs(count([]), 0.5), null);
});
