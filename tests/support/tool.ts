/** Programs that some tests need and some machines lack. */

/**
 * Returns whether tests skip what needs a program: where it is missing, but not
 * on CI, where its tests then fail instead.
 */
export function isSkipped(program: string, isThere: boolean): boolean {
  if (isThere || Deno.env.has("CI")) return false;
  // deno-lint-ignore no-console -- a skipped test has to say so.
  console.warn(`tests that need ${program} are skipped: there is none here`);
  return true;
}
