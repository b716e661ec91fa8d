/** A short soak: what the long one asks for, but for memory, which takes its time. */
import { assertEquals } from "@std/assert";
import { soak } from "../../../bench/soak/run.ts";

const SOAK_MS = 10_000;

Deno.test("with everything at once on two services no answer is wrong, and every unit is counted", async () => {
  const { families, troubles, logged, units, miscounted } = await soak({
    ms: SOAK_MS,
  });
  assertEquals(troubles, []);
  assertEquals(logged, []);
  assertEquals(miscounted, []);
  assertEquals(units.counted, units.answered);
  const silent = families.filter(({ answers }) => answers === 0)
    .map(({ family }) => family);
  assertEquals(silent, []);
});
