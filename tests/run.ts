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
 * The files that take longest, the longest first: each group deals them out to its
 * isolates before its other files, so that no isolate has most of them.
 */
const LONGEST = [
  "e2e/pages/docs_test.ts",
  "e2e/pages/explorer_test.ts",
  "e2e/pages/states_test.ts",
  "e2e/pages/dashboard_look_test.ts",
  "faults/kv_faults_test.ts",
  "faults/broken_store_test.ts",
  "faults/upstream_faults_test.ts",
  "e2e/operator_test.ts",
  "e2e/permissions_test.ts",
  "e2e/sdk_test.ts",
  "e2e/start_test.ts",
  "adversary/capacity_test.ts",
  "jobs/cross_check_test.ts",
  "services/downloads/manifests_test.ts",
  "services/upstreams_test.ts",
  "routes/docs/openapi_walk_test.ts",
  "jobs/refresh_series_test.ts",
  "jobs/idle_day_test.ts",
  "routes/charts/explorer_pairs_test.ts",
  "routes/charts/frozen_links_test.ts",
  "adversary/first_reads_test.ts",
  "services/downloads/build_release_test.ts",
  "jobs/snapshot_validators_test.ts",
  "adversary/ipv6_sites_test.ts",
  "routes/http/rate_limiting_upstream_test.ts",
];

/** Files that run at a time: more than cores, since tests wait for processes and pages. */
const JOBS = 6;

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
  const longest = LONGEST.map((path) => TESTS.href + path);
  const all = await listTests(TESTS);
  const missing = longest.filter((file) => !all.includes(file));
  if (missing.length > 0) throw new Error(`No such tests: ${missing}`);
  let left = [
    ...longest,
    ...all.filter((file) => !longest.includes(file) && !file.startsWith(LONG)),
  ];
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
