/** Without `links` in `deno.json`, the published packages are used, and nothing else is edited. */
import { assert, assertEquals } from "@std/assert";
import { startJsrMirror } from "../support/processes/jsr_mirror.ts";
import { ROOT } from "../support/processes/service.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What the service and the tests of the stand-ins consist of. */
const PARTS = [
  "deno.lock",
  "jobs",
  "main.ts",
  "routes",
  "services",
  "static",
  "tests/deno.lock",
  "tests/links_test.ts",
];

Deno.test("deleting links is all it takes to use the published packages", async () => {
  const folder = await Deno.makeTempDir({ prefix: "firn_links_" });
  await using mirror = await startJsrMirror(new URL("links/", ROOT));

  async function run(command: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await new Deno.Command(command, {
      args,
      cwd: command === "sh" ? ROOT : folder,
      env: {
        DENO_DIR: `${folder}/.deno`,
        JSR_URL: mirror.url,
        NO_COLOR: "1",
      },
    }).output();
    assertEquals(code, 0, text(stderr));
    return text(stdout);
  }

  try {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json"],
      cwd: ROOT,
    }).output();
    const { npmCache } = JSON.parse(text(stdout));
    await Deno.mkdir(`${folder}/.deno`);
    // The packages of npm are installed already.
    await Deno.symlink(npmCache, `${folder}/.deno/npm`);
    const copy = 'tar -cf - "$@" | tar -xf - -C "$0"';
    await run("sh", "-c", copy, folder, ...PARTS);
    const { links, ...config } = JSON.parse(
      await Deno.readTextFile(new URL("deno.json", ROOT)),
    );
    assertEquals(links.length, 3);
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));

    const deno = Deno.execPath();
    await run(deno, "cache", "main.ts");
    assert(mirror.paths.has("/@std/csv/1.1.0/stringify.ts"));
    await run(deno, "cache", "--frozen", "main.ts");
    const tests = ["--no-check", "--no-prompt", "--lock=tests/deno.lock"];
    const passed = await run(
      deno,
      "test",
      ...tests,
      "-P=test",
      "tests/links_test.ts",
    );
    assert(/^ok \| \d+ passed/m.test(passed), passed);
    assert(mirror.paths.has("/@std/testing/1.1.0/time.ts"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
