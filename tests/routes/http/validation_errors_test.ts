/** Messages of invalid input: the parameter, the value and what is expected. */
import { assertEquals } from "@std/assert";
import { z } from "@hono/zod-openapi";
import { invalidInput } from "../../../routes/http/validation_errors.ts";

/** The fault of a query, a path or a body: its message, and what it names. */
function faultOf(
  target: string,
  schema: z.ZodType,
  given: unknown,
): Record<string, unknown> {
  const lists = given as Record<string, unknown>;
  const queries = (name: string) =>
    [lists[name] ?? []].flat().map((value) => String(value));
  const { error } = schema.safeParse(given);
  const { message, failure } = invalidInput({
    target,
    data: given,
    error: error!,
    queries,
  });
  const { kind: _, ...named } = failure as unknown as Record<string, unknown>;
  return { message, ...named };
}

const KEY = `firn_live_${"a".repeat(43)}`;
const number = z.number("a number");

Deno.test("a query names each value that is wrong, how often one may be given, and what is unknown", () => {
  const Query = z.strictObject({
    day: z.enum(["today"]).optional(),
    kind: z.enum(["a", "b"]).optional(),
    ids: z.array(z.string().regex(/^\d$/, "a digit"), "a list")
      .max(3, "at most 3 ids").optional(),
    word: z.string("once").optional(),
  }, "expected day, kind, ids or word");
  const rows: [given: unknown, fault: Record<string, unknown>][] = [
    [{ day: "x" }, {
      message: 'Invalid day "x": expected today',
      parameter: "day",
      accepted: ["today"],
    }],
    [{ kind: "x" }, {
      message: 'Invalid kind "x": expected one of a, b',
      parameter: "kind",
      accepted: ["a", "b"],
    }],
    [{ word: ["a", "b", "c"] }, {
      message: 'Invalid word "a", "b", "c": expected one value',
      parameter: "word",
    }],
    [{ word: ["a", "b", "c", "d"] }, {
      message: 'Invalid word "a", "b", "c", …: expected one value',
      parameter: "word",
    }],
    [{ ids: ["1", "2", "3", "4"] }, {
      message: "Invalid ids: given 4, expected at most 3 ids",
      parameter: "ids",
    }],
    [{ ids: ["1", "x", "3"] }, {
      message: 'Invalid ids "x": expected a digit',
      parameter: "ids",
      invalid: ["x"],
      reasons: ["expected a digit"],
    }],
    [{ ids: ["1", KEY] }, {
      message: 'Invalid ids "…": expected a digit',
      parameter: "ids",
      invalid: ["…"],
      reasons: ["expected a digit"],
    }],
    [{ more: "1" }, {
      message: 'Unknown parameter "more": expected day, kind, ids or word',
      parameter: "more",
    }],
    [{ [KEY]: "1", other: "2" }, {
      message:
        'Unknown parameters "…", "other": expected day, kind, ids or word',
      parameter: "…",
    }],
  ];
  for (const [given, fault] of rows) {
    assertEquals(faultOf("query", Query, given), fault);
  }
});

Deno.test("a message lists three problems and counts the others", () => {
  const Body = z.object({ a: number, b: number, c: number, d: number });
  const wrong = (...names: string[]) => ({
    ...{ a: 1, b: 1, c: 1, d: 1 },
    ...Object.fromEntries(names.map((name) => [name, "x"])),
  });
  const of = (...names: string[]) =>
    faultOf("json", Body, wrong(...names)).message;
  const of1 = (name: string) => `nvalid ${name} "x": expected a number`;
  const three = `I${of1("a")}; i${of1("b")}; i${of1("c")}`;
  assertEquals(of("a"), `I${of1("a")}`);
  assertEquals(of("a", "b", "c"), three);
  assertEquals(of("a", "b", "c", "d"), `${three}; and 1 more`);
});

Deno.test("a path and a body name where a value is, and quote it as JSON", () => {
  const Path = z.object({ id: z.string().regex(/^\d+$/, "digits") });
  assertEquals(faultOf("param", Path, { id: "x" }), {
    message: 'Invalid id "x": expected digits',
    parameter: "id",
  });
  const Body = z.object({
    limits: z.object({ notes: z.array(z.string("a text")) }, "an object"),
  });
  assertEquals(faultOf("json", Body, { limits: { notes: ["a", { b: 1 }] } }), {
    message: 'Invalid limits.notes[1] "{"b":1}": expected a text',
    parameter: "limits",
    invalid: ['{"b":1}'],
    reasons: ["expected a text"],
  });
  assertEquals(faultOf("json", Body, { limits: null }), {
    message: 'Invalid limits "null": expected an object',
    parameter: "limits",
  });
  const Kind = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a") }),
    z.object({ kind: z.literal("b") }),
  ], "a known kind");
  assertEquals(faultOf("json", Kind, { kind: "c" }).accepted, ["a", "b"]);
});
