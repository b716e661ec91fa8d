/** Counters and durations of the last hour, minute by minute. */
import { assertEquals } from "@std/assert";
import { hourlyCounts } from "../../../../services/platform/observability/hourly_counts.ts";
import { timings } from "../../../../services/platform/observability/process_metrics.ts";

const MINUTE = 60_000;
const START = 1_000 * MINUTE + 30_000;

function clock() {
  let at = START;
  return { now: () => new Date(at), set: (ms: number) => at = START + ms };
}

Deno.test("hourlyCounts() sums the last sixty minutes, the current one included", () => {
  const { now, set } = clock();
  const hour = hourlyCounts({ now }, 2);
  assertEquals(hour.sum(), { since: START, counts: [0, 0] });
  hour.current()[0]! += 1;
  set(MINUTE);
  hour.current()[0]! += 2;
  hour.current()[1]! += 4;
  assertEquals(hour.sum(), { since: START, counts: [3, 4] });
  set(59 * MINUTE + 29_999);
  assertEquals(hour.sum(), { since: START, counts: [3, 4] });
  set(59 * MINUTE + 30_000);
  assertEquals(hour.sum(), { since: 1_001 * MINUTE, counts: [2, 4] });
  hour.current()[0]! += 8;
  assertEquals(hour.sum().counts, [10, 4]);
  set(60 * MINUTE + 30_000);
  assertEquals(hour.sum(), { since: 1_002 * MINUTE, counts: [8, 0] });
  set(500 * MINUTE);
  assertEquals(hour.sum().counts, [0, 0]);
  hour.current()[1]! += 1;
  set(499 * MINUTE);
  assertEquals(hour.sum().counts, [0, 0], "a clock that was set back");
});

Deno.test("timings() gives counts, errors and quantiles by name, in order", () => {
  const hour = timings(clock(), ["one", "two", "three"]);
  hour.add("one", 1, { failed: true });
  for (let nth = 0; nth < 99; nth++) hour.add("three", 10, { failed: false });
  hour.add("three", 5_000, { failed: true });
  hour.add("three", 5_000, { failed: true });
  const read = hour.read();
  assertEquals(read.map(([name]) => name), ["one", "two", "three"]);
  const [one, two, three] = read.map(([, timing]) => timing);
  assertEquals([one!.count, one!.errors], [1, 1]);
  assertEquals(two, { count: 0, errors: 0, p50Ms: null, p99Ms: null });
  assertEquals([three!.count, three!.errors], [101, 2]);
  assertEquals(three!.p50Ms! < 20 && three!.p50Ms! >= 10, true);
  assertEquals(three!.p99Ms! > 4_000, true);
});
