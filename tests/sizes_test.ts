/** How many files a folder has. */
import { assertEquals } from "@std/assert";
import { ALL, readAll } from "./support/architecture/source_files.ts";

/** Most files of a folder at one level: as many as a reader can look over. */
const MAX_FILES = 40;

const FOLDERS = [...ALL, "static/", "contracts/", "packaging/"];
const CODE = [".ts", ".js", ".css", ".sol"];

Deno.test(`no folder has more than ${MAX_FILES} files at one level`, async () => {
  const counts = new Map<string, number>();
  for (const { path } of await readAll(FOLDERS, [...CODE, ".md"])) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  assertEquals([...counts].filter(([, count]) => count > MAX_FILES), []);
});
