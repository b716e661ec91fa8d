/** The age of stored data: when it is fresh, and how it is shown in hours. */
import { assertEquals } from "@std/assert";
import { hoursSince, isFresh } from "../../../../services/platform/cache.ts";

const MINUTE = 60_000;

Deno.test("isFresh() is true for an hour, or for the accepted staleness, and never for a future read", () => {
  const now = 100 * MINUTE;
  const at = (age: number, stale?: number) =>
    isFresh({ fetchedAt: now - age }, now, stale);
  const hour = 60 * MINUTE;
  assertEquals([at(0), at(hour - 1), at(hour)], [true, true, false]);
  assertEquals([at(hour, 1), at(hour + 1, 1), at(hour + 2, 1)], [
    true,
    true,
    false,
  ]);
  assertEquals([at(-MINUTE), at(-MINUTE - 1)], [true, false]);
  assertEquals([at(-MINUTE, hour), at(-MINUTE - 1, hour)], [true, false]);
  const hours = [
    -5,
    0,
    180_000,
    179_999,
    60 * MINUTE,
    90 * MINUTE,
    93 * MINUTE,
  ];
  assertEquals(hours.map((age) => hoursSince(now - age, now)), [
    0,
    0,
    0.1,
    0,
    1,
    1.5,
    1.6,
  ]);
});
