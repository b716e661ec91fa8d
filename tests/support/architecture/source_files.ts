/** The source files of the project, and what each imports. */
const ROOT = new URL("../../../", import.meta.url);

/** Folders whose files run in the service. */
export const RUNTIME = ["services/", "routes/", "jobs/"];

/** The programs, which are imported by no file. */
export const PROGRAMS = [
  "main.ts",
  "operator.ts",
  "deploy_check.ts",
  "doctor.ts",
  "start_flags.ts",
  "start_operator.ts",
];

/** Folders with source files. */
export const ALL = [...RUNTIME, "simnet/", "bench/", "tests/", "sdk/"];

/** Reads files, and all files of folders that end so: modules, unless told otherwise. */
export const readAll = async (
  places: readonly string[],
  endings: readonly string[] = [".ts"],
): Promise<Source[]> =>
  (await Promise.all(
    places.map(async (place) =>
      place.endsWith("/")
        ? await listSources(place, endings)
        : [await readSource(place)]
    ),
  )).flat();

/** A source file. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

async function listSources(
  folder: string,
  endings: readonly string[],
): Promise<Source[]> {
  const sources: Source[] = [];
  for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
    // The peers of the benchmarks install packages beside their source.
    if (entry.name === "node_modules") continue;
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) {
      sources.push(...await listSources(`${path}/`, endings));
    } else if (endings.some((ending) => path.endsWith(ending))) {
      sources.push(await readSource(path));
    }
  }
  return sources;
}

async function readSource(path: string): Promise<Source> {
  const text = await Deno.readTextFile(new URL(path, ROOT));
  return { path, text, imports: listImports(path, text) };
}

/** Returns what a file imports: paths from the project's root, and names of packages. */
function listImports(path: string, text: string): string[] {
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s[^"]*?from\s+"([^"]+)"/gm),
    ...text.matchAll(/\bimport\(\s*"([^"]+)"/g),
  ];
  return specifiers.map(([, specifier]) => resolveImport(path, specifier!));
}

/** Returns the files and packages from which a file imports more than types. */
export function listValueImports({ path, text }: Source): string[] {
  return [...text.matchAll(/^import (?!type\b)([^"]*?)from\s+"([^"]+)"/gm)]
    .filter(([, names]) => /\w/.test(names!.replace(/\btype \w+/g, "")))
    .map(([, , specifier]) => resolveImport(path, specifier!));
}

/** Returns the path that a specifier in a file means; a package's name stays. */
export const resolveImport = (path: string, specifier: string): string =>
  specifier.startsWith(".")
    ? new URL(specifier, `file:///${path}`).pathname.slice(1)
    : specifier;
