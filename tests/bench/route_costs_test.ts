/** What a network is charged for a route is what the route costs. */
import { assertEquals } from "@std/assert";
import { measureRows, openStored } from "../../bench/route_costs.ts";
import { median } from "../../bench/measure/statistics.ts";
import { costOf } from "../../routes/http/route_costs.ts";

/** Requests of each row. */
const REQUESTS = 5;

/** By which a row may differ whatever its factor: about what other work of the process adds. */
const SLACK_MS = 1;

Deno.test("each row of ROUTE_COSTS is the CPU time of its route, within a factor of two", async () => {
  using deps = await openStored();
  const measured = await measureRows(deps, REQUESTS);
  // How fast this machine is now.
  const speed = median(
    Array.from(measured, ([row, ms]) => ms / costOf(row).ms),
  );
  const wrong = Array.from(measured, ([row, ms]) => ({
    row,
    charged: costOf(row).ms,
    measured: ms / speed,
  })).filter(({ charged, measured }) =>
    Math.abs(measured - charged) > SLACK_MS &&
    (measured > 2 * charged || measured < charged / 2)
  );
  assertEquals(wrong, []);
});
