/** Timeouts of work: what a caller gets, and that no timer is left; instants. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  isoTimestamps,
  isWithinSecond,
  minuteOf,
  secondOf,
  withTimeout,
} from "../../../services/platform/clock.ts";

Deno.test("withTimeout() returns the result or the error of work, and leaves no timer", async () => {
  assertEquals(await withTimeout(Promise.resolve(7), 60_000), 7);
  const bug = new Error("a bug");
  const error = await assertRejects(() =>
    withTimeout(Promise.reject(bug), 60_000)
  );
  assertStrictEquals(error, bug);
});

Deno.test("withTimeout() throws once the time is over, with the error that is asked for", async () => {
  const never = new Promise<never>(() => {});
  await assertRejects(
    () => withTimeout(never, 1),
    Error,
    "no result within 1 ms",
  );
  const late = new Error("late");
  const error = await assertRejects(() => withTimeout(never, 1, () => late));
  assertStrictEquals(error, late);
});

Deno.test("minuteOf() and secondOf() return the start of the minute and of the second", () => {
  const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
  const cases = [
    ["08:00:00.000", "08:00:00.000", "08:00:00.000"],
    ["08:00:59.999", "08:00:00.000", "08:00:59.000"],
    ["08:01:00.000", "08:01:00.000", "08:01:00.000"],
    ["08:01:01.001", "08:01:00.000", "08:01:01.000"],
  ] as const;
  for (const [now, minute, second] of cases) {
    assertEquals(minuteOf(at(now)), at(minute), now);
    assertEquals(secondOf(at(now)), at(second), now);
  }
});

Deno.test("isWithinSecond() ends after 1,000 ms, and is false of a later instant", () => {
  const at = 1_500;
  const within = [1_499, 1_500, 2_499, 2_500].map((now) =>
    isWithinSecond(now, at)
  );
  assertEquals(within, [false, true, true, false]);
  assertEquals(isWithinSecond(at, NaN), false);
});

// Memoised ISO timestamps.

Deno.test("isoTimestamps() returns the same text as toISOString(), in any order", () => {
  const iso = isoTimestamps();
  for (const at of [0, 0, 1_000, 0, -1, 1_795_219_200_000]) {
    assertEquals(iso(at), new Date(at).toISOString());
  }
});
