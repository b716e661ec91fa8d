/** A program that prints the CPU time of each row of ROUTE_COSTS as JSON. */
import { measureRows, openStored } from "../../bench/route_costs.ts";

/** Requests of each row. */
const REQUESTS = 5;

using deps = await openStored();
const measured = await measureRows(deps, REQUESTS);
// deno-lint-ignore no-console
console.log(JSON.stringify([...measured]));
