/** The lint rule against lists of unknown length among the arguments of a call. */
import { assertEquals } from "@std/assert";
import plugin from "./support/lint/spread_arguments.ts";

const count = (source: string, file = "services/a.ts") =>
  Deno.lint.runPlugin(plugin, `/tree/${file}`, source).length;

Deno.test("spread-arguments reports a list whose length the code does not show", () => {
  for (
    const source of [
      "found.push(...list);",
      "found.push(1, ...await read(), 2);",
      "Math.max(...rows.map((row) => row.width));",
      "Math.max(0, ...new Set(rows));",
      "String.fromCharCode(...bytes);",
      "new Date(...parts);",
      "f(...[0, ...list]);",
      "f(...isLong ? list : []);",
      "f(...Object.keys(record));",
      "function f(list) { g(...list); }",
    ]
  ) assertEquals(count(source), 1, source);
  assertEquals(count("f(...a, ...b);"), 2);
});

Deno.test("spread-arguments allows lists that are short, pages, and files beside the product", () => {
  for (
    const source of [
      "f(list); [...list]; ({ ...record });",
      "f(...[1, 2]);",
      "f(...isSecure ? ['host'] as const : []);",
      "f(...KINDS.map((kind) => kind.name));",
      "f(...Object.entries(LIMITS));",
      "const f = (...args) => g(...args);",
      "function f(first, ...args) { return list.map(() => g(...args)); }",
      "element.replaceChildren(...rows);",
    ]
  ) assertEquals(count(source), 0, source);
  assertEquals(count("f(...list);", "tests/a.ts"), 0);
});
