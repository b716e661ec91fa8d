/** What files export: what another file imports, and nothing for tests alone. */
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

/** Exports that no program imports, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  "routes/views/attestations/verify_attestation_page.ts#isGenuine":
    "is code that the page shows",
  "services/chain_data/series/revision_log_codec.ts#encodeLog":
    "tests write logs that the service reads",
  "services/doctor/examination.ts#ASSUMPTIONS":
    "a test breaks each assumption alone",
  "services/scores/model/s4_2026_1.ts#historyOf":
    "a test holds the weights, which the model does not return",
  "static/attestation.js#digestOf": "a test compares it with viem",
  "static/attestation.js#recoverSigner": "a test compares it with viem",
  "tests/sdk/operations_test.ts#UNKEPT": "holds a promise of types",
};

const readModules = (places: readonly string[]) =>
  readAll(places, [".ts", ".js"]);

Deno.test("functions and constants are exported for the programs, types for any file", async () => {
  const runtime = await readModules([...RUNTIME, "static/"]);
  // Tools exist for tests, too.
  const tools = await readModules([
    "simnet/",
    "bench/",
    "contracts/",
    "packaging/",
  ]);
  const tests = await readModules(["tests/"]);
  const programs = listImportedNames([
    ...runtime,
    ...tools,
    ...await readModules(PROGRAMS),
  ]);
  const all = programs.union(listImportedNames(tests));
  const unused = [
    ...listExports(runtime)
      .filter(({ id, isType }) => !(isType ? all : programs).has(id)),
    ...listExports([...tools, ...tests]).filter(({ id }) => !all.has(id)),
  ];
  assertEquals(unused.map(({ id }) => id).sort(), Object.keys(ALLOWED).sort());
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
