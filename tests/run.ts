/**
 * Runs the tests: all of them, or the files and folders given as arguments.
 *
 * Tests of the folders of a group run in this many isolates instead of one per
 * file: loading the app takes half a second, and with a browser and viem two, and
 * they share no state. All other files keep an isolate of their own.
 */
const GROUPS = [
  { name: "pages", folders: ["e2e/pages"], isolates: 4 },
  {
    name: "isolate",
    folders: [
      "services",
      "routes",
      "simnet",
      "jobs",
      "adversary",
      "sdk",
      "bench",
      "contracts",
      "mutants",
      "static",
    ],
    isolates: 4,
  },
] as const;

/** Files that run at a time: more than cores, since tests wait for processes and pages. */
const JOBS = 6;

const TESTS = new URL("./", import.meta.url);

/**
 * The other files that take longest, which start first: a long file that starts
 * last would run alone.
 */
const SLOWEST = [
  "kv_connect/hosted_test.ts",
  "e2e/processes/soak_test.ts",
  "e2e/processes/jobs_killed_test.ts",
  "e2e/processes/imports_killed_test.ts",
  "faults/kv_faults_test.ts",
  "faults/upstream_faults_test.ts",
  "faults/clock_test.ts",
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

/** Writes modules that import the tests of the groups, and returns what is to be run. */
async function groupTests(into: string): Promise<string[]> {
  const files = await listTests(TESTS);
  const modules: string[] = [];
  const grouped = new Set<string>();
  for (const { name, folders, isolates } of GROUPS) {
    const members = files.filter((file) =>
      folders.some((folder) => file.startsWith(`${TESTS.href}${folder}/`))
    );
    for (const member of members) grouped.add(member);
    for (let nth = 0; nth < isolates; nth++) {
      const path = `${into}/${name}_${nth}_test.ts`;
      await Deno.writeTextFile(
        path,
        members.filter((_, at) => at % isolates === nth)
          .map((file) => `import ${JSON.stringify(file)};\n`).join(""),
      );
      modules.push(path);
    }
  }
  const own = files.filter((file) => !grouped.has(file));
  const missing = SLOWEST.filter((file) => !own.includes(file));
  if (missing.length > 0) throw new Error(`Cannot find ${missing.join(", ")}`);
  const [longest, ...slow] = SLOWEST;
  return [
    longest!,
    ...modules,
    ...slow,
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
