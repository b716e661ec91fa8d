import { assertAlmostEquals, assertEquals } from "@std/assert";
import { growthOf, withoutWarmUp } from "../../../bench/soak/memory.ts";

/** Samples every ten seconds for twenty minutes. */
const samples = (mbAt: (minute: number) => number) =>
  Array.from({ length: 120 }, (_, nth) => ({
    at: nth * 10_000,
    mb: mbAt(nth / 6),
  }));

Deno.test("growthOf() measures a leak and ignores peaks", () => {
  const cases: [name: string, mbAt: (minute: number) => number, mb: number][] =
    [
      ["flat", () => 200, 0],
      ["a leak of 2 MB a minute", (minute) => 200 + 2 * minute, 20],
      ["peaks", (minute) => minute % 5 === 0 ? 400 : 200, 0],
      [
        "a leak under peaks",
        (minute) => (minute % 5 === 0 ? 300 : 200) + minute,
        10,
      ],
    ];
  for (const [name, mbAt, mb] of cases) {
    assertAlmostEquals(growthOf(samples(mbAt)), mb, 1e-6, name);
  }
});

Deno.test("withoutWarmUp() drops the first third", () => {
  const late = withoutWarmUp(samples((minute) => minute));
  assertEquals(late.length, 80);
  assertEquals(late[0]!.at, 400_000);
});
