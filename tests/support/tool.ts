/** Programs that some tests need. */

/** Returns whether to skip tests that need a program: if it is missing, except on CI, where they fail. */
export function isSkipped(program: string, isThere: boolean): boolean {
  if (isThere || Deno.env.has("CI")) return false;
  // deno-lint-ignore no-console -- a skip must be visible.
  console.warn(`tests that need ${program} are skipped: it is not installed`);
  return true;
}
