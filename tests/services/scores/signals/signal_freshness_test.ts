import { assertEquals } from "@std/assert";
import {
  type Freshness,
  freshnessOf,
  isUsable,
  supersedes,
} from "../../../../services/scores/signals/signal_freshness.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.parse("2026-11-21T08:00:00Z");

const whole = (age: number) => ({ fetchedAt: NOW - age, isPartial: false });
const partial = (age: number) => ({ fetchedAt: NOW - age, isPartial: true });

Deno.test("freshnessOf(): complete signals are fresh for a day, partial ones for minutes, and both are stale from then on", () => {
  const cases: [age: number, whole: Freshness, partial: Freshness][] = [
    [-DAY, "fresh", "fresh"],
    [0, "fresh", "fresh"],
    [5 * MINUTE, "fresh", "fresh"],
    [5 * MINUTE + 1, "fresh", "stale"],
    [DAY, "fresh", "stale"],
    [DAY + 1, "stale", "stale"],
    [180 * DAY, "stale", "stale"],
  ];
  for (const [age, asWhole, asPartial] of cases) {
    assertEquals(freshnessOf(whole(age), NOW), asWhole, `whole, ${age} ms`);
    assertEquals(freshnessOf(partial(age), NOW), asPartial, `part, ${age} ms`);
  }
});

Deno.test("isUsable(): signals replace those of a failed read for a week", () => {
  for (const signalsOf of [whole, partial]) {
    assertEquals(isUsable(signalsOf(7 * DAY), NOW), true);
    assertEquals(isUsable(signalsOf(7 * DAY + 1), NOW), false);
  }
});

Deno.test("supersedes() keeps complete signals while they are usable, and the newer of equal ones", () => {
  const next = { whole: whole(0), partial: partial(0) };
  for (const age of [0, MINUTE, DAY + 1, 7 * DAY]) {
    assertEquals(supersedes(next.whole, whole(age)), true);
    assertEquals(supersedes(next.whole, partial(age)), true);
    assertEquals(supersedes(next.partial, partial(age)), true);
    assertEquals(supersedes(next.partial, whole(age)), false);
  }
  assertEquals(supersedes(next.partial, whole(7 * DAY + 1)), true);
  assertEquals(supersedes(whole(MINUTE), whole(0)), false);
  assertEquals(supersedes(whole(MINUTE), partial(0)), false);
});
