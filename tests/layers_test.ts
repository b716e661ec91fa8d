/** The direction of imports: inward, as the tree in README.md says. */
import { assert, assertEquals } from "@std/assert";

/** For each room, which rooms its files may import; packages are free but where named. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  "services/contract": ["services/contract"],
  "services/domain": ["services/domain", "services/contract"],
  "services/store": [
    "services/store",
    "services/store/rules",
    "services/domain",
    "services/contract",
  ],
  "services/store/rules": [
    "services/store/rules",
    "services/store",
    "services/domain",
    "services/contract",
  ],
  "services/upstream": [
    "services/upstream",
    "services/domain",
    "services/contract",
  ],
  services: ["services", "services/domain", "services/contract"],
  "services/operator": [
    "services/operator",
    "services",
    "services/contract",
    "services/domain",
  ],
  jobs: ["jobs", "services", "services/contract", "services/domain"],
  routes: [
    "routes",
    "routes/views",
    "services",
    "services/contract",
    "services/domain",
  ],
  "routes/views": ["routes/views", "services/contract"],
  simnet: ["simnet"],
};

/** The files of `services/` that join stores and upstreams: with use cases, and with the machine. */
const JOINTS = ["services/deps.ts", "services/platform.ts"];

/** Files of `simnet/` that start the service, so they know its settings. */
const STARTERS = ["simnet/demo.ts", "simnet/permission_flags.ts"];

/** Packages that a room may import; a room that is not here may import any. */
const PACKAGES: Record<string, readonly string[]> = {
  "services/contract": ["@hono/zod-openapi"],
  "services/domain": [],
  "services/store": [],
  "services/store/rules": [],
};

interface Import {
  file: string;
  specifier: string;
}

const ROOT = new URL("../", import.meta.url);

async function listSources(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) files.push(...await listSources(`${path}/`));
    else if (path.endsWith(".ts")) files.push(path);
  }
  return files;
}

async function listImports(files: readonly string[]): Promise<Import[]> {
  const found = await Promise.all(files.map(async (file) => {
    const source = await Deno.readTextFile(new URL(file, ROOT));
    return source.matchAll(/^(?:import|export)\s[^"]*?from\s+"([^"]+)"/gm)
      .map((match) => ({ file, specifier: match[1]! })).toArray();
  }));
  return found.flat();
}

/** The room a file lives in: its folder. */
const roomOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** The file that a relative import names, from the project's root. */
const targetOf = ({ file, specifier }: Import) =>
  new URL(specifier, `file:///${file}`).pathname.slice(1);

const ROOMS = ["services/", "routes/", "jobs/", "simnet/"];

Deno.test("every import points inward", async () => {
  const files = (await Promise.all(ROOMS.map(listSources))).flat();
  const stray = (await listImports(files))
    .filter(({ specifier }) => specifier.startsWith("."))
    .filter(({ file }) => ![...JOINTS, ...STARTERS].includes(file))
    .filter((found) => {
      const allowed = MAY_IMPORT[roomOf(found.file)];
      assert(allowed, `${found.file} is in a room without a rule`);
      return !allowed.includes(roomOf(targetOf(found)));
    });
  assertEquals(stray, []);
});

Deno.test("inner rooms import only the packages they are made of", async () => {
  const rooms = Object.keys(PACKAGES).map((room) => `${room}/`);
  const files = (await Promise.all(rooms.map(listSources))).flat();
  const stray = (await listImports(files)).filter(({ file, specifier }) =>
    !specifier.startsWith(".") && !PACKAGES[roomOf(file)]!.includes(specifier)
  );
  assertEquals(stray, []);
});

Deno.test("nothing imports the program itself, so no test starts a server", async () => {
  const files = (await Promise.all([...ROOMS, "tests/"].map(listSources)))
    .flat();
  const stray = (await listImports(files))
    .filter((found) => ["main.ts", "operator.ts"].includes(targetOf(found)));
  assertEquals(stray, []);
});
