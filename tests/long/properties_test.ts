/** Every file with properties, with all rounds of each: `deno task test` runs a quarter of them. */
const TESTS = new URL("../", import.meta.url);

/** Returns the test files below a folder that import the properties. */
async function listFiles(folder: URL): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory) files.push(...await listFiles(url));
    else if (name.endsWith("_test.ts")) {
      const text = await Deno.readTextFile(url);
      if (/ from ".*support\/properties\.ts"/.test(text)) files.push(url.href);
    }
  }
  return files.sort();
}

Deno.env.set("FIRN_TEST_ROUNDS", "all");
for (const file of await listFiles(TESTS)) await import(file);
Deno.env.delete("FIRN_TEST_ROUNDS");
