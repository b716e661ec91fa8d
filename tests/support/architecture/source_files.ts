/** The source files of the project, and what each imports. */
const ROOT = new URL("../../../", import.meta.url);

/** Folders whose files run in the service. */
export const RUNTIME = ["services/", "routes/", "jobs/"];

/** Folders with source files. */
export const ALL = [...RUNTIME, "simnet/", "bench/", "tests/", "sdk/"];

/** Reads all source files of folders. */
export const readAll = async (folders: readonly string[]) =>
  (await Promise.all(folders.map(listSources))).flat();

/** A source file. */
interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

async function listSources(folder: string): Promise<Source[]> {
  const sources: Source[] = [];
  for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) sources.push(...await listSources(`${path}/`));
    else if (path.endsWith(".ts")) sources.push(await readSource(path));
  }
  return sources;
}

async function readSource(path: string): Promise<Source> {
  const text = await Deno.readTextFile(new URL(path, ROOT));
  return { path, text, imports: listImports(path, text) };
}

/** Returns what a file imports: paths from the project's root, and names of packages. */
export function listImports(path: string, text: string): string[] {
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s[^"]*?from\s+"([^"]+)"/gm),
    ...text.matchAll(/\bimport\(\s*"([^"]+)"/g),
  ];
  return specifiers.map(([, specifier]) =>
    specifier!.startsWith(".")
      ? new URL(specifier!, `file:///${path}`).pathname.slice(1)
      : specifier!
  );
}
