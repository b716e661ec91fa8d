/** The structure of the tree: which files may import which others. */
import { assertEquals } from "@std/assert";
import { listCircles } from "./support/architecture/import_circles.ts";
import {
  ALL,
  listValueImports,
  PROGRAMS,
  readAll,
  RUNTIME,
} from "./support/architecture/source_files.ts";

/** Which capabilities a capability may import, besides itself. The model is pure vocabulary. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  model: ["platform"],
  chain_data: ["platform"],
  downloads: ["chain_data", "platform"],
  charts: ["chain_data", "platform"],
  payments: ["platform"],
  accounts: ["payments", "platform"],
  profiles: ["accounts", "payments", "model", "platform"],
  scores: ["profiles", "accounts", "payments", "model", "platform"],
  attestations: ["scores", "model", "platform"],
  status: ["chain_data", "payments", "scores", "model", "platform"],
  // The operator works on everything, as an entry point does.
  operator: [
    "composition",
    "downloads",
    "chain_data",
    "payments",
    "accounts",
    "profiles",
    "scores",
    "model",
    "platform",
  ],
};

/** Files directly in services/ compose the capabilities; only entry points may import them. */
const COMPOSITION = "composition";

/** Suffixes that tell the kind of a file; any other file is a rule. */
const SUFFIXES = ["schema", "store", "client"] as const;
type Suffix = typeof SUFFIXES[number] | "rule";

/** Packages that a schema may import. */
const SCHEMA_PACKAGES = [
  "@hono/zod-openapi",
  // The checksum of addresses.
  "@noble/hashes/sha3.js",
  "zod",
];

/** Files with constants and their types that a schema may import, besides schemas. */
const CONSTANTS = ["services/platform/days.ts", "services/platform/version.ts"];

/** The folder whose files all work on a database. */
const KV_FOLDER = "services/platform/kv/";

/** Effects that only stores, clients and the files below may name. */
const EFFECTS =
  /\bDeno\.(?!Kv)|\bfetch\(|\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bset(?:Timeout|Interval)\(|\bAbortSignal\.timeout\(|\bMath\.random\(/;

/**
 * Files without a suffix that touch the machine, each with the reason. Everything
 * in platform/kv is about `Deno.Kv`, so the whole folder counts as a store.
 */
const TOUCHES_THE_MACHINE: Readonly<Record<string, string>> = {
  "services/status/status.ts": "times a read of the database",
  "services/platform/jobs/job_run.ts": "has the timer of leases",
  "services/platform/open/open_telemetry.ts": "exports Deno's traces",
  "services/platform/observability/process_metrics.ts": "times calls",
  "services/platform/clock.ts": "has all timeouts",
};

/** Returns the capability of a file in services/; null elsewhere. */
function capabilityOf(path: string): string | null {
  const [top, folder, ...rest] = path.split("/");
  if (top !== "services") return null;
  if (rest.length === 0) return COMPOSITION;
  return folder!;
}

function suffixOf(path: string): Suffix {
  if (path.startsWith(KV_FOLDER)) {
    return path.endsWith("_schema.ts") ? "schema" : "store";
  }
  return SUFFIXES.find((suffix) => path.endsWith(`_${suffix}.ts`)) ?? "rule";
}

/** Returns why an import breaks the tree's direction; null if it is fine. */
function whyStray(from: string, to: string): string | null {
  const importer = capabilityOf(from);
  const imported = capabilityOf(to);
  const isRelative = /\.[a-z]+$/.test(to) && to.includes("/");
  if (suffixOf(from) === "schema") {
    if (SCHEMA_PACKAGES.includes(to)) return null;
    if (!isRelative) return "a schema imports zod alone";
    if (suffixOf(to) !== "schema" && !CONSTANTS.includes(to)) {
      return "a schema imports schemas and constants alone";
    }
  }
  if (suffixOf(from) === "store" && suffixOf(to) === "client") {
    return "a store imports no client";
  }
  if (suffixOf(from) === "client" && suffixOf(to) === "store") {
    return "a client imports no store";
  }
  if (importer === null || importer === COMPOSITION) {
    // The guide on self-hosting lists the settings from their declarations.
    return imported === COMPOSITION && importer === null &&
        to !== "services/settings.ts"
      ? "only entry points import the composition"
      : null;
  }
  if (imported === null) {
    return isRelative ? "a capability imports capabilities alone" : null;
  }
  if (imported === importer) return null;
  if (!MAY_IMPORT[importer]?.includes(imported)) {
    return `${importer} may not import ${imported}`;
  }
  return null;
}

Deno.test("imports follow the direction of capabilities and suffixes", async () => {
  const stray = (await readAll(RUNTIME)).flatMap(({ path, imports }) =>
    imports.flatMap((to) => {
      const reason = whyStray(path, to);
      return reason === null ? [] : [`${path} imports ${to}: ${reason}`];
    })
  );
  assertEquals(stray, []);
});

Deno.test("the SDK imports its own files alone, and the service none of them", async () => {
  const sdk = (await readAll(["sdk/"])).flatMap(({ path, imports }) =>
    imports
      .filter((to) => !to.startsWith("sdk/"))
      .map((to) => `${path} imports ${to}`)
  );
  const service = (await readAll(RUNTIME)).flatMap(({ path, imports }) =>
    imports.filter((to) => to.startsWith("sdk/") || to.startsWith("@firn/sdk"))
      .map((to) => `${path} imports ${to}`)
  );
  assertEquals([...sdk, ...service], []);
});

Deno.test("a rule takes types alone from stores and clients, which it is given", async () => {
  const takers = (await readAll(["services/"])).filter((source) =>
    ![COMPOSITION, "operator"].includes(capabilityOf(source.path)!) &&
    suffixOf(source.path) === "rule" &&
    listValueImports(source).some((to) => /_(store|client)\.ts$/.test(to))
  );
  assertEquals(takers.map(({ path }) => path), []);
});

Deno.test("every capability of services/ has a rule about its imports", async () => {
  const found = new Set(
    (await readAll(["services/"])).map(({ path }) => capabilityOf(path)!),
  );
  found.delete(COMPOSITION);
  assertEquals([...found].sort(), Object.keys(MAY_IMPORT).sort());
});

Deno.test("whyStray finds each kind of stray import", () => {
  const strays: [from: string, to: string][] = [
    ["services/platform/log.ts", "services/accounts/api_keys.ts"],
    ["services/chain_data/catalogue/chains.ts", "services/scores/scores.ts"],
    ["services/profiles/profiles.ts", "services/scores/scores.ts"],
    ["services/accounts/account.ts", "services/profiles/profiles.ts"],
    ["services/scores/scores.ts", "services/deps.ts"],
    ["services/scores/scores.ts", "routes/app.ts"],
    ["services/scores/scores_schema.ts", "viem"],
    ["services/scores/scores_schema.ts", "services/scores/scores_store.ts"],
    ["services/scores/scores_schema.ts", "services/platform/numbers.ts"],
    ["services/scores/scores_store.ts", "services/scores/explorer_client.ts"],
    ["services/scores/explorer_client.ts", "services/scores/scores_store.ts"],
    ["services/platform/kv/commit.ts", "services/platform/http/http_client.ts"],
    ["routes/scores/scores.ts", "services/deps.ts"],
    ["jobs/record_scores.ts", "services/config.ts"],
  ];
  const found = strays.filter(([from, to]) => whyStray(from, to) !== null);
  assertEquals(found, strays);
});

Deno.test("files without a suffix name no Deno API, fetch, clock, timer or randomness", async () => {
  const impure = (await readAll(["services/"]))
    .filter(({ path, text }) =>
      ![COMPOSITION, "operator"].includes(capabilityOf(path)!) &&
      ["rule", "schema"].includes(suffixOf(path)) && EFFECTS.test(text)
    ).map(({ path }) => path);
  assertEquals(impure.sort(), Object.keys(TOUCHES_THE_MACHINE).sort());
});

Deno.test("no files import each other in a circle", async () => {
  assertEquals(listCircles(await readAll(ALL)), []);
});

Deno.test("listCircles finds a circle of two and one of three", () => {
  const imports = {
    a: ["b"],
    b: ["a", "c"],
    c: ["d"],
    d: ["e"],
    e: ["c"],
    f: ["a"],
  };
  const sources = Object.entries(imports)
    .map(([path, imports]) => ({ path, text: "", imports }));
  assertEquals(listCircles(sources).sort(), [["a", "b"], ["c", "d", "e"]]);
});

Deno.test("nothing imports the program itself, so no test starts a server", async () => {
  const stray = (await readAll(ALL)).filter(({ imports }) =>
    imports.includes("main.ts") || imports.includes("operator.ts")
  ).map(({ path }) => path);
  assertEquals(stray, []);
});

Deno.test("the service and the demo import code and JSON alone: Deno 2.5 knows no other imports, and has no named `statfs`", async () => {
  const needsNewer = /\bwith:? \{\s*type: "(?!json")|import \{[^}]*\bstatfs\b/;
  const stray = (await readAll([...RUNTIME, "simnet/", ...PROGRAMS]))
    .filter(({ text }) => needsNewer.test(text)).map(({ path }) => path);
  assertEquals(stray, []);
});

Deno.test("the MCP SDK is loaded with the first request to /mcp: one module imports it, and that one is imported dynamically", async () => {
  const sources = await readAll(RUNTIME);
  const server = "routes/mcp/server.ts";
  const importers = sources.filter(({ imports }) =>
    imports.some((name) => name.startsWith("@modelcontextprotocol/"))
  ).map(({ path }) => path);
  assertEquals(importers, [server]);
  const eager = sources.filter(({ imports, text }) =>
    imports.includes(server) &&
    /^import (?!type\b)[^;]*"[^"]*\/server\.ts"/m.test(text)
  ).map(({ path }) => path);
  assertEquals(eager, []);
});
