import { assertEquals } from "@std/assert";
import { layerOf } from "./layers.ts";
import { applyMutation, listMutations } from "./mutations.ts";

/** Returns the source after each mutation. */
const mutate = (source: string) =>
  listMutations(source).map((each) => applyMutation(source, each)).sort();

Deno.test("listMutations() changes one place at a time: comparisons, constants, branches, statements", () => {
  assertEquals(mutate("const a = b < 10;"), [
    "const a = b < 100;",
    "const a = b < 11;",
    "const a = b <= 10;",
    "const a = b >= 10;",
  ]);
  assertEquals(
    mutate("if (a && !b) return 0;".replace("return 0", "save(b)")),
    [
      "if (!(a && !b)) save(b);",
      "if (a && !b) ;",
      "if (a && !b) {}",
      "if (a && b) save(b);",
      "if (a || !b) save(b);",
    ],
  );
  assertEquals(mutate("const a = b ?? c;"), ["const a = b;"]);
  assertEquals(mutate("await save(a + b);"), [";", "await save(a - b);"]);
  assertEquals(mutate("const a = Math.min(b, true);"), [
    "const a = Math.max(b, true);",
    "const a = Math.min(b, false);",
  ]);
});

Deno.test("listMutations() leaves types, imports, texts and documentation as they are", () => {
  const untouched = [
    'import a from "./1.ts";',
    "type A = 1 | true;",
    "interface B { readonly c: 2 }",
    'const d = "a" + e;',
    "const f = g.meta({ example: 3 });",
    "function h(i: 4): 5 {}",
    "const j = k.toString();",
  ];
  for (const source of untouched) assertEquals(mutate(source), [], source);
});

Deno.test("layerOf() tells rules from use cases by what they wait for", () => {
  assertEquals(layerOf("services/a/b_store.ts", "await"), "store");
  assertEquals(layerOf("services/a/b.ts", "export const c = 1;"), "domain");
  assertEquals(layerOf("services/a/b.ts", "await c();"), "services");
  assertEquals(layerOf("routes/a/b.ts", "await c();"), "routes");
});
