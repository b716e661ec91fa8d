/** The sizes of files and folders. */
import { assertEquals } from "@std/assert";
import { ALL, readAll } from "./support/architecture/source_files.ts";

/** Most lines of a source file, and most files of a folder at one level. */
const MAX_LINES = 300;
const MAX_FILES = 30;

const FOLDERS = [...ALL, "static/", "contracts/", "packaging/"];
const CODE = [".ts", ".js", ".css", ".sol"];

/** Files that are written by a task, whatever their length. */
const WRITTEN = ["sdk/api_types.ts"];

Deno.test(`no source file, test or stylesheet has more than ${MAX_LINES} lines`, async () => {
  const long = (await readAll(FOLDERS, CODE))
    .filter(({ path }) => !WRITTEN.includes(path))
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES);
  assertEquals(long, []);
});

Deno.test(`no folder has more than ${MAX_FILES} files at one level`, async () => {
  const counts = new Map<string, number>();
  for (const { path } of await readAll(FOLDERS, [...CODE, ".md"])) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  assertEquals([...counts].filter(([, count]) => count > MAX_FILES), []);
});
