/** Seeded random numbers: every test that uses chance prints its seed. */

/** Replays a run: set it to the seed that the run printed. */
const SEED_VARIABLE = "FIRN_TEST_SEED";

/** Returns numbers from 0 up to 1. The seed is printed; `FIRN_TEST_SEED` replaces it. */
export function seededRandom(testName: string): () => number {
  const seed = Number(
    Deno.env.get(SEED_VARIABLE) ?? Math.floor(Math.random() * 2 ** 32),
  );
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
