/**
 * Gives every test a time limit, so that a test that loops or waits for ever
 * fails. Preloaded by `tests/run.ts`. A test that names a timeout keeps it.
 */

/** Replaces the limit: milliseconds. */
const LIMIT_VARIABLE = "FIRN_TEST_LIMIT_MS";

/** Several times what the slowest test takes on a slow machine. */
const LIMIT_MS = 8 * 60_000;

const timeout = Number(Deno.env.get(LIMIT_VARIABLE) ?? LIMIT_MS);

type Fn = Deno.TestDefinition["fn"];
type Options = Omit<Deno.TestDefinition, "fn">;

/** Returns the arguments of a call of `Deno.test` with the limit added. */
function withLimit(given: readonly unknown[]): unknown[] {
  const [first, second, ...rest] = given as [string, unknown, ...unknown[]];
  if (typeof first === "string") {
    return typeof second === "function"
      ? [first, { timeout }, second]
      : [first, { timeout, ...second as Options }, ...rest];
  }
  if (typeof first === "function") return [{ timeout }, first];
  return [{ timeout, ...first as Options }, ...given.slice(1)];
}

const limited: typeof Deno.test = new Proxy(Deno.test, {
  apply: (test, self, given: [name: string, fn: Fn]) =>
    Reflect.apply(test, self, withLimit(given)),
});
Object.defineProperty(Deno, "test", { value: limited, configurable: true });
