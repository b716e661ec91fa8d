/**
 * fast-check with one seed for all property tests, so that a run is repeatable.
 * `FIRN_TEST_SEED` replaces the seed: set it to a number, or to `random`. A
 * property that fails prints its seed and its counterexample. By default a
 * property runs a quarter of its rounds; `FIRN_TEST_ROUNDS=all` runs all of them.
 */
import * as fc from "./fewer_rounds.ts";
import { givenSeed } from "./random.ts";

const SEED = 14;

fc.configureGlobal({
  seed: givenSeed() ?? SEED,
  // Otherwise lists have ten elements at most, whatever their `maxLength`.
  defaultSizeToMaxWhenMaxSpecified: true,
});

export { fc };
