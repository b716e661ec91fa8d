/**
 * Runs the tests: all of them, or the files and folders given as arguments.
 *
 * Tests of the folders below run in this many isolates instead of one per file:
 * loading the app takes half a second, and they share no state. All other files
 * start processes or a browser, and keep an isolate of their own.
 */
const SHARED = ["services", "routes", "simnet", "jobs", "adversary"];
const ISOLATES = 4;

const FLAGS = [
  "--parallel",
  "--no-check",
  "--lock=tests/deno.lock",
  "--no-prompt",
  "-P=test",
];

const TESTS = new URL("./", import.meta.url);

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
  return [
    ...groups.map(({ path }) => path),
    ...files.filter((file) => !isShared(file)),
  ];
}

const folder = await Deno.makeTempDir({ prefix: "firn_tests_" });
const files = Deno.args.length > 0 ? Deno.args : await groupTests(folder);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", ...FLAGS, ...files],
  // Tests wait for processes and pages, so more files than cores run at a time.
  env: { DENO_JOBS: "6" },
}).spawn().status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);
