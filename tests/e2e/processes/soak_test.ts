/** A short soak: the checks of the long one, without memory. */
import { assertEquals } from "@std/assert";
import { soak } from "../../../bench/soak/run.ts";

const SOAK_MS = 4_000;

Deno.test("mixed load on two services gives no wrong answer, and counts every unit", async () => {
  const { workloads, problems, logged, units, miscounted } = await soak({
    ms: SOAK_MS,
  });
  assertEquals(problems, []);
  assertEquals(logged, []);
  assertEquals(miscounted, []);
  assertEquals(units.counted, units.answered);
  const silent = workloads.filter(({ answers }) => answers === 0)
    .map(({ workload }) => workload);
  assertEquals(silent, []);
});
