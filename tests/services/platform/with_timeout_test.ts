/** Timeouts of work: what a caller gets, and that no timer is left. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { withTimeout } from "../../../services/platform/clock.ts";

Deno.test("withTimeout() returns the result or the error of work, and leaves no timer", async () => {
  assertEquals(await withTimeout(Promise.resolve(7), 60_000), 7);
  const bug = new Error("a bug");
  const error = await assertRejects(() =>
    withTimeout(Promise.reject(bug), 60_000)
  );
  assertStrictEquals(error, bug);
});

Deno.test("withTimeout() throws once the time is over, with the error that is asked for", async () => {
  const never = new Promise<never>(() => {});
  await assertRejects(
    () => withTimeout(never, 1),
    Error,
    "no result within 1 ms",
  );
  const late = new Error("late");
  const error = await assertRejects(() => withTimeout(never, 1, () => late));
  assertStrictEquals(error, late);
});
