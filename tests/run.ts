/** Runs the tests: all of them, or the files and folders given as arguments. */

/**
 * The groups of tests, in the order of their starts: the longest first, because a
 * long one that starts last would run alone. A file is in the first group that has
 * the beginning of its path. The files of a group share isolates, because loading
 * the app takes most of a second, and with a browser and viem two.
 */
const GROUPS = [
  { name: "hosted", paths: ["kv_connect/hosted_test.ts"], isolates: 1 },
  {
    name: "in_process",
    paths: [
      "services/",
      "routes/",
      "simnet/",
      "jobs/",
      "adversary/",
      "sdk/",
      "bench/",
      "contracts/",
      "mutants/",
      "static/",
    ],
    isolates: 4,
  },
  { name: "pages", paths: ["e2e/pages/"], isolates: 4 },
  { name: "faults", paths: ["faults/"], isolates: 3 },
  { name: "processes", paths: ["e2e/processes/"], isolates: 2 },
  // One file an isolate: a hosted database replaces Deno.openKv in its isolate.
  { name: "kv_connect", paths: ["kv_connect/"], isolates: 4 },
  { name: "others", paths: [""], isolates: 4 },
] as const;

/**
 * Files that run at a time: more than cores, since tests wait for processes and pages. With
 * six, tests on a slow machine were told that the database does not answer in time.
 */
const JOBS = 4;

const TESTS = new URL("./", import.meta.url);

/** What `deno task test:long` runs. */
const LONG = new URL("long/", TESTS).href;

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

/**
 * Writes a module for each isolate, which imports its tests, and returns them in
 * the order of their starts. They are in one folder, because Deno keeps the given
 * order only within a folder.
 */
async function groupTests(into: string): Promise<string[]> {
  let left = (await listTests(TESTS)).filter((file) => !file.startsWith(LONG));
  const modules: string[] = [];
  for (const { name, paths, isolates } of GROUPS) {
    const isMember = (file: string) =>
      paths.some((path) => file.startsWith(TESTS.href + path));
    const members = left.filter(isMember);
    left = left.filter((file) => !isMember(file));
    for (let nth = 0; nth < isolates; nth++) {
      const path = `${into}/${name}_${nth}_test.ts`;
      const part = members.filter((_, at) => at % isolates === nth);
      if (part.length === 0) throw new Error(`No tests for ${path}`);
      await Deno.writeTextFile(
        path,
        part.map((file) => `import ${JSON.stringify(file)};\n`).join(""),
      );
      modules.push(path);
    }
  }
  return modules;
}

const folder = await Deno.makeTempDir({ prefix: "firn_tests_" });
const files = Deno.args.length > 0 ? Deno.args : await groupTests(folder);
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", ...FLAGS, ...files],
  env: { DENO_JOBS: String(JOBS) },
}).spawn().status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);
