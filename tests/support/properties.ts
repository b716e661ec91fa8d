/**
 * fast-check with one seed for all property tests, so that a run is repeatable.
 * `FIRN_TEST_SEED` replaces the seed: set it to a number, or to `random`. A
 * property that fails prints its seed and its counterexample.
 */
import * as fc from "fast-check";
import { givenSeed } from "./random.ts";

const SEED = 14;

fc.configureGlobal({
  seed: givenSeed() ?? SEED,
  // Otherwise lists have ten elements at most, whatever their `maxLength`.
  defaultSizeToMaxWhenMaxSpecified: true,
});

export { fc };
