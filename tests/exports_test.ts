/** What files export: what another file imports. */
import { assertEquals } from "@std/assert";
import {
  PROGRAMS,
  readAll,
  RUNTIME,
} from "./support/architecture/source_files.ts";
import {
  listExports,
  listImportedNames,
} from "./support/architecture/unused_exports.ts";

/** Exports that no file imports, by reason. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "it is code that the page shows": [
    "routes/attestations/attestations.ts#isGenuine",
  ],
  "it holds a promise of types": ["tests/sdk/operations_test.ts#UNKEPT"],
  "it replaces what the module exports beside it": [
    "tests/support/fewer_rounds.ts#assert",
  ],
};

const readModules = (places: readonly string[]) =>
  readAll(places, [".ts", ".js"]);

Deno.test("what is exported is imported by another file", async () => {
  const modules = await readModules([
    ...RUNTIME,
    "static/",
    "simnet/",
    "bench/",
    "contracts/",
    "packaging/",
    "tests/",
  ]);
  const imported = listImportedNames([
    ...modules,
    ...await readModules(PROGRAMS),
  ]);
  const unused = listExports(modules).filter(({ id }) => !imported.has(id));
  assertEquals(
    unused.map(({ id }) => id).sort(),
    Object.values(ALLOWED).flat().sort(),
  );
});

Deno.test("listImportedNames() finds named, renamed, namespace and dynamic imports", () => {
  const text = `import { type A, b as c } from "./x.ts";
import * as keys from "../keys.ts";
import D, { e } from "./y.ts";
export { f as g } from "./x.ts";
/** @import { I } from "./x.ts" */
const { h } = await import("./z.ts");
keys.quota("a");
`;
  const names = listImportedNames([{ path: "a/b/c.ts", text, imports: [] }]);
  const expected = [
    "a/b/x.ts#A",
    "a/b/x.ts#b",
    "a/keys.ts#quota",
    "a/b/y.ts#e",
    "a/b/x.ts#f",
    "a/b/z.ts#h",
    "a/b/x.ts#I",
  ];
  assertEquals(expected.filter((id) => !names.has(id)), []);
  assertEquals(["a/b/x.ts#c", "a/b/x.ts#g"].filter((id) => names.has(id)), []);
});
