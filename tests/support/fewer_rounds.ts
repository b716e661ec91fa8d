/** fast-check whose `assert` runs a quarter of the rounds, unless all are wanted. */
import * as fc from "fast-check";

export * from "fast-check";

/** Set to `all` before this loads, it runs every round. */
const ROUNDS_VARIABLE = "FIRN_TEST_ROUNDS";

/** What fast-check runs if no number is given. */
const DEFAULT_ROUNDS = 100;

/** A property runs at least so many, or all that it names if they are fewer. */
const MIN_ROUNDS = 10;

/** Whether every round runs. */
export const RUNS_ALL = Deno.env.get(ROUNDS_VARIABLE) === "all";

/** Runs a property, and throws with its seed and its counterexample if it fails. */
export const assert = ((
  property: fc.IRawProperty<unknown>,
  parameters?: fc.Parameters<unknown>,
) => {
  const given = parameters?.numRuns ?? DEFAULT_ROUNDS;
  const quarter = Math.max(MIN_ROUNDS, Math.ceil(given / 4));
  const numRuns = RUNS_ALL ? given : Math.min(given, quarter);
  return fc.assert(property, { ...parameters, numRuns });
}) as typeof fc.assert;
