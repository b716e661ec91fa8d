/** Sketches of behaviour: their stored form, and how two of them compare. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { behaviorOf, ledShare } from "../../../services/model/behavior.ts";

/** The first day of a window of four weeks. */
const DAY = 19_600;

const use = (nth: number, day: number) => ({
  at: day * DAY_MS + nth * 3_600_000 % DAY_MS,
  to: `0x${nth % 13}`,
  method: `0x0${nth % 4}`,
});

/** Uses of three windows. */
const USES = Array.from(
  { length: 40 },
  (_, nth) => use(nth, DAY + nth % 3 * 28 + nth % 5),
);

Deno.test("behaviorOf() gives the same sketch in every version, because stored sketches are compared", () => {
  // deno-fmt-ignore -- the lowest hash and the day of each slot.
  const slots = [
    51082494, 19629, 33348430, 19604, 71674857, 19659, 0, 0, 0, 0, 14391051,
    19602, 0, 0, 0, 0, 23805276, 19601, 102566264, 19632, 58920733, 19657,
    100776086, 19659, 17489165, 19602, 0, 0, 0, 0, 39137609, 19604, 47343589,
    19604, 0, 0, 124877246, 19605, 8270700, 19631, 105424558, 19661, 112862321,
    19658, 52398433, 19660, 0, 0, 105127164, 19601, 41663864, 19605, 0, 0,
    58033779, 19660, 114837019, 19629, 12641542, 19633, 75958018, 19631,
    2162653, 19601,
  ];
  assertEquals([...behaviorOf(USES)], slots);
  assertEquals([...behaviorOf(USES.toReversed())], slots, "in any order");
});

Deno.test("behaviorOf() keeps the first day of a use that is repeated in its window", () => {
  const daysOf = (...days: number[]) =>
    behaviorOf(days.map((day) => use(0, DAY + day))).filter((n) => n > 0)
      .toSorted().slice(0, -1);
  for (const days of [[3, 9, 27], [27, 9, 3], [9, 3, 27]]) {
    assertEquals([...daysOf(...days)], [DAY + 3 + 1], days.join());
  }
  assertEquals(
    behaviorOf([use(0, DAY), use(0, DAY + 28)]).filter(Boolean).length,
    4,
  );
  assertEquals(behaviorOf([]).length, 64);
});

/** A sketch with these numbers in its first slots. */
const sketch = (...slots: [hash: number, day: number][]) =>
  new Uint32Array(64).with(0, 0).map((_, nth) => slots.flat()[nth] ?? 0);

Deno.test("ledShare() counts the slots with the same use on the day or before", () => {
  const own = sketch([1, 5], [2, 5], [3, 5], [4, 5]);
  const cases: [other: Uint32Array<ArrayBuffer>, share: number | null][] = [
    [own, 1],
    [sketch([1, 4], [2, 5], [3, 6], [9, 5]), 0.5],
    [sketch([1, 1], [2, 6], [3, 6], [4, 6]), 0.25],
    [sketch([1, 5], [2, 5], [3, 5]), null],
    [sketch([1, 5], [2, 5], [3, 0], [4, 5], [5, 5]), 0.75],
    [sketch([1, 5], [2, 5], [3, 5], [4, 5], [5, 5]), 1],
    [new Uint32Array(0), null],
  ];
  for (const [other, share] of cases) assertEquals(ledShare(own, other), share);
  const few = sketch([1, 5], [2, 5], [3, 5]);
  assertEquals(ledShare(few, own), null);
  assertEquals(ledShare(new Uint32Array(0), own), null);
  const last = new Uint32Array(64);
  for (const slot of [2, 20, 40, 62]) last.set([slot, 7], slot);
  assertEquals(ledShare(last, last), 1);
  assertEquals(ledShare(last, last.with(63, 8)), 0.75);
});
