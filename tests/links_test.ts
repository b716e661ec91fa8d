/** The stand-ins in links/ behave like the packages that they replace. */
import * as assertions from "@std/assert";
import {
  assert,
  assertEquals,
  assertExists,
  assertFalse,
  assertInstanceOf,
  AssertionError,
  assertIsError,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import * as csv from "@std/csv";
import { parse } from "@std/csv/parse";
import { stringify } from "@std/csv/stringify";

Deno.test("the types of @std/assert declare every export", async () => {
  const declarations = await Deno.readTextFile(
    new URL("../links/assert/mod.d.ts", import.meta.url),
  );
  const names = declarations.matchAll(/^export declare \w+ (\w+)/gm)
    .map(([, name]) => name);
  assertEquals([...new Set(names)].sort(), Object.keys(assertions).sort());
});

Deno.test("assertions narrow the type of their argument", () => {
  const days: Record<string, string> = { today: "2026-11-21" };
  const today = days.today;
  assertExists(today);
  assertEquals(today.slice(0, 4), "2026");

  const value = JSON.parse("7") as unknown;
  assert(typeof value === "number");
  assertEquals(value.toFixed(1), "7.0");

  const either = Math.max(0) as 0 | 1;
  assertFalse(either);
  const zero: 0 = either;
  assertStrictEquals(value, 7 as const);
  const seven: 7 = value;
  assertEquals(zero + seven, 7);

  const thrown: unknown = new RangeError("too far");
  assertInstanceOf(thrown, Error);
  assertIsError(thrown, RangeError, /far/);
  assertEquals(thrown.message, "too far");
});

Deno.test("assertions throw AssertionError and return the caught error", async () => {
  assertThrows(() => assertEquals({ a: [1] }, { a: [2] }), AssertionError);
  const error = assertThrows(() => BigInt(0.5), RangeError, "0.5");
  assertEquals(error.name, "RangeError");
  const reason = await assertRejects(
    () => Promise.reject(new TypeError("no")),
    TypeError,
    "no",
  );
  assertEquals(reason.message, "no");
});

Deno.test("parse() is the inverse of stringify()", () => {
  const rows = [
    { name: "comma, inside", note: 'a "quoted" word' },
    { name: "two\nlines", note: "" },
  ];
  const text = stringify(rows, { columns: ["name", "note"] });
  assertEquals(
    text,
    'name,note\r\n"comma, inside","a ""quoted"" word"\r\n"two\nlines",\r\n',
  );
  assertEquals(parse(text, { skipFirstRow: true }), rows);
});

Deno.test("stringify() applies its options", () => {
  const columns = [{ prop: ["fee", 0], header: "fee" }, "day"];
  const items = [{ day: "2026-11-21", fee: [25, 1] }];
  assertEquals(
    csv.stringify(items, { columns, separator: ";", bom: true }),
    "\ufefffee;day\r\n25;2026-11-21\r\n",
  );
  assertEquals(
    csv.stringify(items, { columns, headers: false }),
    "25,2026-11-21\r\n",
  );
});

Deno.test("parse() types records by the given columns", () => {
  const [record] = csv.parse("1,2\n", { columns: ["a", "b"] });
  assertExists(record);
  const { a, b }: Record<"a" | "b", string> = record;
  assertEquals([a, b], ["1", "2"]);
});
