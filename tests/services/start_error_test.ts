/** Programs that cannot start: what they print, and how they end. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { stub } from "@std/testing/mock";
import { FakeTime } from "@std/testing/time";
import {
  logRefusal,
  runProgram,
  StartError,
} from "../../services/start_error.ts";

/** Runs a program; returns what it printed and its exit status. */
async function outcomeOf(...run: Parameters<typeof runProgram>) {
  const printed: unknown[] = [];
  const ended: unknown[] = [];
  using _error = stub(console, "error", (...text) => void printed.push(text));
  using _exit = stub(
    Deno,
    "exit",
    ((status?: number) => {
      ended.push(status);
    }) as typeof Deno.exit,
  );
  await runProgram(...run);
  return { printed, ended };
}

Deno.test("runProgram() prints a start error in one line and ends with status 1", async () => {
  let ran = 0;
  const done = await outcomeOf(async () => {
    await null;
    ran++;
  });
  assertEquals([ran, done], [1, { printed: [], ended: [] }]);
  const cause = new Error("inside");
  const refused = await outcomeOf(async () => {
    await null;
    throw new StartError("PORT is taken", { cause });
  });
  assertEquals(refused, {
    printed: [["Cannot start: PORT is taken"]],
    ended: [1],
  });
});

Deno.test("runProgram() writes a start error of the service as a line of its log", async () => {
  using _ = new FakeTime(Date.parse("2026-11-21T08:00:00Z"));
  const { printed } = await outcomeOf(() => {
    throw new StartError("PORT is taken");
  }, logRefusal);
  assertEquals(printed.flat().map((line) => JSON.parse(String(line))), [{
    time: "2026-11-21T08:00:00.000Z",
    level: "error",
    event: "service.refused",
    error: "Cannot start: PORT is taken",
  }]);
});

Deno.test("runProgram() passes a bug on with its stack", async () => {
  const bug = new TypeError("a bug");
  const thrown = await assertRejects(() =>
    outcomeOf(() => Promise.reject(bug))
  );
  assertStrictEquals(thrown, bug);
});
