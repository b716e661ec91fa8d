/** Starts the peer of the keyed API: Fastify, ioredis and rate-limiter-flexible on Node, with Redis. */
import { freePort } from "../../tests/support/processes/service.ts";
import type { BenchCaller } from "./keyed_callers.ts";
import type { Side } from "../measure/round.ts";
import { makeFolder, type Storage } from "./storage.ts";

/** A running peer. */
interface KeyedPeer extends Pick<Side, "url" | "pids">, AsyncDisposable {}

const FOLDER = new URL("../peers/", import.meta.url).pathname;

/** Programs that the peer needs. */
const TOOLS = ["redis-server", "node", "npm"];

/** Returns the first program that is not installed; null if all are. */
export async function findMissingTool(
  tools: readonly string[] = TOOLS,
): Promise<string | null> {
  for (const tool of tools) {
    if (!await has(tool)) return tool;
  }
  return null;
}

/** Starts the peer with the keys of the callers and the body of each address. */
export async function startKeyedPeer(
  callers: readonly BenchCaller[],
  bodies: readonly string[],
  storage: Storage,
): Promise<KeyedPeer> {
  await installPackages(FOLDER);
  const folder = await makeFolder(storage);
  const entries = callers.flatMap(({ hash, record, address }, nth) => [
    [`api_keys:${hash}`, JSON.stringify(record)],
    [`scores:${address}`, bodies[nth]!],
  ]);
  const entriesFile = `${folder}/entries.json`;
  await Deno.writeTextFile(entriesFile, JSON.stringify(entries));
  const [port, redisPort] = [freePort(), freePort()].map(String);
  const redis = start("redis-server", [
    ...["--bind", "127.0.0.1", "--port", redisPort!, "--dir", folder],
    ...storage.redis,
  ]);
  const node = start("node", [
    `${FOLDER}keyed.js`,
    ...[port!, redisPort!, entriesFile],
  ]);
  const url = `http://127.0.0.1:${port}`;
  await untilListening(url, node);
  return {
    url,
    pids: [node.pid, redis.pid],
    async [Symbol.asyncDispose]() {
      for (const process of [node, redis]) {
        process.kill("SIGKILL");
        await process.status;
      }
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Installs the packages of a peer unless they are installed. */
export async function installPackages(folder: string): Promise<void> {
  const modules = await Deno.stat(`${folder}node_modules`).catch(() => null);
  if (modules !== null) return;
  const args = ["ci", "--prefix", folder, "--no-audit", "--no-fund"];
  const { success, stderr } = await new Deno.Command("npm", { args }).output();
  if (success) return;
  const output = new TextDecoder().decode(stderr);
  throw new Error(`Cannot install the packages of the peer: ${output}`);
}

async function has(tool: string): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(tool, { args: ["--version"] })
      .output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Starts a process. Only its errors are printed. */
export function start(command: string, args: string[]): Deno.ChildProcess {
  return new Deno.Command(command, {
    args,
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
}

/** Waits until a process answers at a URL; throws if it ends first. */
export async function untilListening(
  url: string,
  process: Deno.ChildProcess,
): Promise<void> {
  let ended = false;
  process.status.then(() => ended = true);
  while (!ended) {
    try {
      const response = await fetch(url);
      await response.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error("Cannot use the peer: it has ended");
}
