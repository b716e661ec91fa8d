/** The image of the container, built by the steps of the Dockerfile: it takes a copy of the project and an install. */
import { assert, assertEquals } from "@std/assert";
import { build } from "../support/container_build.ts";
import { freePort, ROOT } from "../support/processes/service.ts";
import { waitUntil } from "../support/wait_until.ts";

const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Copies the project into a folder as a build gets it: without what `.dockerignore` lists. */
async function copyContext(into: string): Promise<void> {
  const ignored = (await read(".dockerignore")).trim().split("\n");
  const { success, stderr } = await new Deno.Command("sh", {
    args: [
      "-c",
      'tar -cf - "$@" . | tar -xf - -C "$0"',
      into,
      ...ignored.map((pattern) =>
        pattern.startsWith("**/")
          ? `--exclude=${pattern.slice("**/".length)}`
          : `--exclude=./${pattern}`
      ),
    ],
    cwd: ROOT,
  }).output();
  assert(success, text(stderr));
}

/** Returns where Deno keeps the packages that are installed already. */
async function findCache(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json"],
    cwd: ROOT,
  }).output();
  return JSON.parse(text(stdout)).denoDir;
}

Deno.test("the steps of the Dockerfile build an image whose service is healthy and stops", async () => {
  const into = await Deno.makeTempDir({ prefix: "firn_image_" });
  const folder = `${into}/context`;
  await Deno.mkdir(folder);
  await copyContext(folder);
  // The packages are on this machine already; the image has a folder of its own.
  const env = { DENO_DIR: await findCache(), NO_COLOR: "1" };
  const file = (await read("Dockerfile"))
    .replace("RUN mkdir /data", "RUN mkdir /data /deno-dir");
  const image = await build(file, { folder, into, env });
  assertEquals(image.user, "deno");
  assertEquals(image.env.KV_PATH, "/data/firn.sqlite3");
  const inside = {
    ...image.env,
    ...env,
    KV_PATH: `${image.root}${image.env.KV_PATH}`,
    PORT: String(freePort()),
  };
  const { ENTRYPOINT = [], CMD = [], HEALTHCHECK = [] } = image.commands;
  const run = ([program = "", ...args]: readonly string[]) =>
    new Deno.Command(program === "deno" ? Deno.execPath() : program, {
      args,
      cwd: image.workdir,
      env: inside,
      stdout: "null",
      stderr: "null",
    }).spawn();
  const service = run([...ENTRYPOINT, ...CMD]);
  assert(!(await run(HEALTHCHECK).status).success, "it has not started");
  await waitUntil(async () => (await run(HEALTHCHECK).status).success);
  service.kill("SIGTERM");
  assertEquals((await service.status).code, 0);
  assert((await Deno.stat(inside.KV_PATH)).isFile);
  await Deno.remove(into, { recursive: true });
});
