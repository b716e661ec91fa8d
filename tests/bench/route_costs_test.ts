/** What a network is charged for a route is what the route costs. */
import { assertEquals } from "@std/assert";
import { measureRows, openStored } from "../../bench/route_costs.ts";
import { median } from "../../bench/measure/statistics.ts";
import { costOf } from "../../routes/http/route_costs.ts";

/** Requests of each row. */
const REQUESTS = 5;

Deno.test("each row of ROUTE_COSTS is the CPU time of its route, within a factor of two", async () => {
  using deps = await openStored();
  const measured = await measureRows(deps, REQUESTS);
  const ratios = Array.from(
    measured,
    ([row, ms]) => [row, ms / costOf(row).ms] as const,
  );
  // How fast this machine is now.
  const speed = median(ratios.map(([, ratio]) => ratio));
  const wrong = ratios
    .map(([row, ratio]) => [row, ratio / speed] as const)
    .filter(([, ratio]) => ratio > 2 || ratio < 1 / 2);
  assertEquals(wrong, []);
});
