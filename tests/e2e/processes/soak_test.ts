/** A short soak: what the long one asks for, but for memory, which takes its time. */
import { assertEquals } from "@std/assert";
import { soak } from "../../../bench/soak/run.ts";

const SOAK_MS = 4_000;

Deno.test("with everything at once on two services no answer is wrong, and every unit is counted", async () => {
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
