/** The arguments of tools. */
import { assertEquals, assertThrows } from "@std/assert";
import { splitCursor } from "../../../routes/mcp/arguments.ts";

Deno.test("splitCursor() takes a text or none, and shows the first 60 characters of anything else", () => {
  assertEquals(splitCursor({ a: 1 }), { cursor: undefined, rest: { a: 1 } });
  assertEquals(splitCursor({ a: 1, cursor: "x" }), {
    cursor: "x",
    rest: { a: 1 },
  });
  assertThrows(
    () => splitCursor({ cursor: ["x".repeat(70)] }),
    Error,
    `Invalid cursor "["${"x".repeat(58)}": expected nextCursor`,
  );
});
