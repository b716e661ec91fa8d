/**
 * Runs the tests: all of them, or the files and folders given as arguments.
 *
 * Tests of the folders below run in this many isolates instead of one per file:
 * loading the app takes half a second, and they share no state. All other files
 * start processes or a browser, and keep an isolate of their own.
 */
const SHARED = ["services", "routes", "simnet", "jobs", "adversary", "sdk"];
const ISOLATES = 4;

/** Files that run at a time: more than cores, since tests wait for processes and pages. */
const JOBS = 6;

/** The slowest files that start together with the shared isolates. */
const BESIDE = JOBS - ISOLATES;

const TESTS = new URL("./", import.meta.url);

/**
 * The files that take longest, which start first: a long file that starts last
 * would run alone. They mostly wait for browsers and processes, so they run
 * beside the shared isolates, which use the cores.
 */
const SLOWEST = [
  "kv_connect/hosted_test.ts",
  "e2e/pages/explorer_test.ts",
  "e2e/pages/dashboard_wallets_test.ts",
  "e2e/processes/jobs_killed_test.ts",
  "e2e/pages/dashboard_look_test.ts",
  "faults/hostile_input_test.ts",
  "e2e/permissions_test.ts",
].map((path) => new URL(path, TESTS).href);

const FLAGS = [
  "--preload=tests/time_limit.ts",
  "--parallel",
  "--no-check",
  "--lock=tests/deno.lock",
  "--no-prompt",
  "-P=test",
];

async function listTests(folder: URL): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) {
      files.push(...await listTests(new URL(`${name}/`, folder)));
    } else if (name.endsWith("_test.ts")) {
      files.push(new URL(name, folder).href);
    }
  }
  return files.sort();
}

/** Writes modules that import the shared tests, and returns what is to be run. */
async function groupTests(into: string): Promise<string[]> {
  const files = await listTests(TESTS);
  const isShared = (file: string) =>
    SHARED.some((folder) => file.startsWith(`${TESTS.href}${folder}/`));
  const shared = files.filter(isShared);
  const groups = Array.from({ length: ISOLATES }, (_, nth) => ({
    path: `${into}/isolate_${nth}_test.ts`,
    files: shared.filter((_, at) => at % ISOLATES === nth),
  }));
  await Promise.all(groups.map(({ path, files }) =>
    Deno.writeTextFile(
      path,
      files.map((file) => `import ${JSON.stringify(file)};\n`).join(""),
    )
  ));
  const own = files.filter((file) => !isShared(file));
  const missing = SLOWEST.filter((file) => !own.includes(file));
  if (missing.length > 0) throw new Error(`Cannot find ${missing.join(", ")}`);
  return [
    ...SLOWEST.slice(0, BESIDE),
    ...groups.map(({ path }) => path),
    ...SLOWEST.slice(BESIDE),
    ...own.filter((file) => !SLOWEST.includes(file)),
  ];
}

const folder = await Deno.makeTempDir({ prefix: "firn_tests_" });
const files = Deno.args.length > 0 ? Deno.args : await groupTests(folder);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", ...FLAGS, ...files],
  env: { DENO_JOBS: String(JOBS) },
}).spawn().status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);
