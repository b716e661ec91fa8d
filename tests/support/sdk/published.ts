/** The SDK as it is published, and a service on loopback for the programs that use it. */
import { assert } from "@std/assert";
import { packSdk } from "../../../packaging/sdk_pack.ts";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { SIGNING } from "../attestations.ts";
import { enrol } from "../callers.ts";
import { testDeps } from "../deps.ts";

/** The folder of the packed SDK below a folder of programs. */
const PACKED = "node_modules/@firn/sdk";

/** The programs that import the SDK, and the tools that bundle and run them. */
export const PROGRAMS = new URL("runtimes/", import.meta.url);

/** The program that every runtime runs. */
export const SCENARIO = new URL("scenario.js", import.meta.url);

/** Runs a program, and returns what it printed. Throws what it complained of if it failed. */
export async function run(
  program: string | URL,
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<string> {
  const env = { NO_COLOR: "1", ...options.env };
  const { success, stdout, stderr } = await new Deno.Command(program, {
    ...options,
    args: [...args],
    env,
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, `${args.join(" ")}\n${text(stdout)}${text(stderr)}`);
  return text(stdout) + text(stderr);
}

/** Packs the SDK into a new folder of programs, beside the scenario. */
export async function install() {
  const folder = await Deno.makeTempDir({ prefix: "firn_sdk_" });
  const packed = `${folder}/${PACKED}`;
  await Deno.mkdir(packed, { recursive: true });
  await packSdk(packed);
  await Deno.copyFile(SCENARIO, `${folder}/scenario.mjs`);
  return {
    folder,
    packed,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Lets pages of other origins send any header and read every one, as a proxy of one's own may. The service itself lets no page send a key. */
function allowPages(handler: Deno.ServeHandler): Deno.ServeHandler {
  return async (request, info) => {
    const isPreflight = request.method === "OPTIONS";
    const { body, status, headers } = isPreflight
      ? new Response(null, { status: 204 })
      : await handler(request, info);
    const allowed = new Headers(headers);
    allowed.set("Access-Control-Allow-Origin", "*");
    allowed.set("Access-Control-Allow-Headers", "*");
    allowed.set("Access-Control-Expose-Headers", "*");
    return new Response(body, { status, headers: allowed });
  };
}

/**
 * Serves what the scenario asks for. Below `/moved` it redirects to another host, whose
 * visitors' keys are listed. `toPages` lets pages of other origins use it.
 */
export async function serveScenario({ toPages = false } = {}) {
  // The verification of signatures uses the runtimes' clocks.
  const start = new Date().toISOString();
  const deps = await testDeps({ start, settings: SIGNING });
  const { key } = await enrol(deps, { plan: "growth" });
  const app = createApp(deps);
  const leaked: string[] = [];
  const listen = (handler: Deno.ServeHandler) =>
    Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
  const other = listen((request) => {
    const key = request.headers.get("X-Api-Key");
    if (key !== null) leaked.push(key);
    return Response.json({ used: 0 });
  });
  const moved = (path: string) =>
    Response.redirect(`http://127.0.0.1:${other.addr.port}${path}`);
  const serve: Deno.ServeHandler = (request, info) => {
    const { pathname } = new URL(request.url);
    return pathname.startsWith("/moved/")
      ? moved(pathname)
      : app.fetch(request, info);
  };
  const server = listen(toPages ? allowPages(serve) : serve);
  return {
    /** What the scenario is told. */
    settings: {
      baseUrl: `http://127.0.0.1:${server.addr.port}`,
      apiKey: key,
      subject: exampleOf("heavy"),
    },
    /** The keys that the other host got. */
    leaked,
    async [Symbol.asyncDispose]() {
      await Promise.all([server.shutdown(), other.shutdown()]);
      deps[Symbol.dispose]();
    },
  };
}
