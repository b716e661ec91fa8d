/** Walks in a process of its own, and prints each operation with the statuses it answered. */
import { walkAll } from "./walk_all.ts";

const visits = await walkAll();
const answers = visits.map(({ operationId, status }) =>
  `${operationId} ${status}`
);
// deno-lint-ignore no-console
console.log(JSON.stringify([...new Set(answers)].toSorted()));
