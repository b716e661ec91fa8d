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

/** Exports that no program imports, by reason. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "it is code that the page shows": [
    "routes/views/attestations/verify_attestation_page.ts#isGenuine",
  ],
  "a test compares the lifetime with the expiry of its record": [
    "services/accounts/challenges.ts#CHALLENGE_MS",
    "services/accounts/sessions.ts#SESSION_MS",
    "services/payments/quotes_store.ts#CLAIMABLE_MS",
    "services/profiles/socials/domain_link.ts#CLAIM_MS",
    "services/profiles/socials/github_link.ts#SIGN_IN_MS",
  ],
  "a test compares what the server and the browser know": [
    "routes/views/charts/chart_panels.ts#LABEL_DISTANCE",
    "routes/views/charts/chart_panels.ts#MAX_LABEL_SHARE",
    "static/dashboard/new_key.js#TEST_ADDRESS",
    "static/explorer/marks.js#LABEL_DISTANCE",
    "static/explorer/marks.js#MAX_LABEL_SHARE",
  ],
  "a test compares it with viem": [
    "static/attestation.js#digestOf",
    "static/attestation.js#recoverSigner",
  ],
  "tests write logs that the service reads": [
    "services/chain_data/revisions/revision_log_codec.ts#encodeLog",
  ],
  "a test breaks each assumption alone": [
    "services/doctor/examination.ts#ASSUMPTIONS",
  ],
  "a test holds the weights, which the model does not return": [
    "services/scores/model/s4_2026_1.ts#historyOf",
  ],
  "it holds a promise of types": ["tests/sdk/operations_test.ts#UNKEPT"],
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
