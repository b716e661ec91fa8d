/** The version of the service before this one, out of git, as it runs beside it during a rollout. */
import { assert } from "@std/assert";
import { ROOT } from "./service.ts";

/**
 * The commit of the version that is rolled out now. Move it with each release, to
 * what was released: the next version has to work beside that one on one store.
 */
const PREVIOUS = "3b37cb7813fabe5251b129164c2273cf128e86b7";

/** Puts the version into a folder that has to be there, and returns where its project is. */
export async function checkOutPrevious(folder: string): Promise<URL> {
  const archive = `${folder}/previous.tar`;
  await run("git", "archive", "--output", archive, PREVIOUS);
  await run("tar", "--extract", "--file", archive, "--directory", folder);
  await Deno.remove(archive);
  return new URL(`file://${folder}/`);
}

/** Whether tests of two versions are skipped: a clone without its history has no other. */
export const PREVIOUS_SKIPPED = !await isThere();

async function isThere(): Promise<boolean> {
  const args = ["cat-file", "-e", `${PREVIOUS}^{commit}`];
  const looking = new Deno.Command("git", { args, cwd: ROOT }).output();
  const { success } = await looking.catch(() => ({ success: false }));
  if (!success) {
    // deno-lint-ignore no-console -- a skipped test has to say so.
    console.warn(`two versions are not tested: no ${PREVIOUS} here`);
  }
  return success;
}

async function run(command: string, ...args: string[]): Promise<void> {
  const output = await new Deno.Command(command, { args, cwd: ROOT }).output();
  assert(output.success, new TextDecoder().decode(output.stderr));
}
