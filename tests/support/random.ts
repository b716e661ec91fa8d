/** Seeded random numbers: every test that uses chance prints its seed. */

/** Replays a run: set it to the seed that the run printed, or to `random`. */
const SEED_VARIABLE = "FIRN_TEST_SEED";

const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

/** Returns the seed that `FIRN_TEST_SEED` gives, or a random one if it is `random`; null if it is not set. */
export function givenSeed(): number | null {
  const given = Deno.env.get(SEED_VARIABLE);
  if (given === undefined) return null;
  if (given === "random") return randomSeed();
  const seed = Number(given);
  if (given.trim() === "" || !Number.isInteger(seed)) {
    throw new Error(
      `Invalid ${SEED_VARIABLE} "${given}": expected an integer, or random`,
    );
  }
  return seed;
}

/** Returns numbers from 0 up to 1. The seed is printed; `FIRN_TEST_SEED` replaces it. */
export function seededRandom(testName: string): () => number {
  const seed = givenSeed() ?? randomSeed();
  // deno-lint-ignore no-console -- a failure is replayed with it.
  console.log(`${testName}: ${SEED_VARIABLE}=${seed}`);
  return randomFrom(seed);
}

/** Returns numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
