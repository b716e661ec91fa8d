/** What the tests of recipes share: a service, a program, the examples of a guide. */
import { assertEquals } from "@std/assert";
import { marked, type Tokens } from "marked";
import { type TestDeps, testDeps } from "../deps.ts";
import { checkDaily } from "../jobs.ts";
import { serve } from "../loopback.ts";
import { ROOT } from "../processes/service.ts";

/** A service with disputes, and a folder for what a recipe writes. */
export async function openService() {
  const stack = new AsyncDisposableStack();
  const deps: TestDeps = stack.use(await testDeps());
  await checkDaily(deps, 1);
  const { url } = stack.use(serve(deps));
  // Days are compared when both sources are stored.
  const series = await ask(`${url}/api/chain-data/monthly-transactions`);
  await series.body?.cancel();
  const folder = await Deno.makeTempDir({ prefix: "firn_recipes_" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  return {
    deps,
    url,
    folder,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Runs a program in a folder. Returns its exit and what it wrote. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string | URL; env?: Record<string, string> },
) {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, output: text(stdout), all: text(stdout) + text(stderr) };
}

/** Requests a URL that must exist. */
export async function ask(url: string): Promise<Response> {
  const response = await fetch(url);
  assertEquals(response.status, 200, url);
  return response;
}

/** Returns the examples of a guide in a language, with the address of a service in them. */
export async function readExamples(
  slug: string,
  { lang, url }: { readonly lang: string; readonly url: string },
): Promise<string[]> {
  const file = new URL(`routes/docs/guides/${slug}.md`, ROOT);
  const guide = await Deno.readTextFile(file);
  return marked.lexer(guide)
    .filter((token): token is Tokens.Code => token.type === "code")
    .filter((token) => token.lang === lang)
    .map(({ text }) => text.replaceAll("https://firn.example", url));
}
