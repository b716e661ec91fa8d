/** The text of errors in logs. */
import { assert, assertEquals } from "@std/assert";
import {
  causesOf,
  messageOf,
  stackOf,
  typeOf,
} from "../../../../services/platform/observability/log.ts";

Deno.test("causesOf() lists up to five causes, nearest first", () => {
  const chain = (length: number): Error =>
    new TypeError(
      `error ${length}`,
      length === 0 ? {} : {
        cause: chain(length - 1),
      },
    );
  assertEquals(causesOf(chain(0)), []);
  assertEquals(causesOf(chain(2)), [
    "TypeError: error 1",
    "TypeError: error 0",
  ]);
  assertEquals(causesOf(chain(9)).length, 5);
  assertEquals(causesOf(new Error("a", { cause: "text" })), ["string: text"]);
  assertEquals([causesOf("text"), causesOf(undefined)], [[], []]);
  class Other extends Error {}
  const types = [
    new Other(),
    Object.assign(new Error("late"), { name: "TimeoutError" }),
    "text",
    7,
    null,
  ].map(
    typeOf,
  );
  assertEquals(types, ["Other", "TimeoutError", "string", "number", "object"]);
  assertEquals([messageOf(new Error("a")), messageOf(7)], ["a", "7"]);
  assert(stackOf(new Error("a")).includes("error_text_test.ts"));
  const bare = Object.assign(new Error("a"), { stack: undefined });
  assertEquals([stackOf("text"), stackOf(bare)], ["", ""]);
});
