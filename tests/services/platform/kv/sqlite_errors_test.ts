/** Errors of the database that callers are told of. */
import { assertEquals } from "@std/assert";
import type { Fault } from "../../../../services/platform/fault.ts";
import {
  isLocked,
  withRefusalAsFault,
} from "../../../../services/platform/kv/sqlite_errors.ts";

Deno.test("a database that refuses writes is a fault with a Retry-After of a minute", () => {
  const cases: [message: string, words: string][] = [
    ["database or disk is full", "it is full"],
    ["Writes are disabled for this database", "it accepts no writes"],
  ];
  for (const [message, words] of cases) {
    const cause = new Error(message);
    const fault = withRefusalAsFault(cause) as Fault;
    assertEquals(fault.message, `Cannot write to the store: ${words}`);
    assertEquals(fault.failure, { kind: "storeFull", retryAfterMs: 60_000 });
    assertEquals(fault.cause, cause);
  }
  for (const other of [new Error("other"), "text", null]) {
    assertEquals(withRefusalAsFault(other), other);
  }
  const locked = [
    new Error("database is locked"),
    new Error("x"),
    "database is locked",
  ];
  assertEquals(locked.map(isLocked), [true, false, false]);
});
