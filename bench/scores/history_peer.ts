/** Starts the peer of score histories: Fastify, better-sqlite3 and rate-limiter-flexible on Node. */
import { freePort } from "../../tests/support/processes/service.ts";
import type { BenchCaller } from "./keyed_callers.ts";
import { installPackages, start, untilListening } from "./keyed_peer.ts";
import type { Side } from "../measure/round.ts";

/** A running peer. */
interface HistoryPeer extends Pick<Side, "url" | "pids">, AsyncDisposable {}

/** Programs that the peer needs. */
export const TOOLS = ["node", "npm"];

const FOLDER = new URL("../peers/history/", import.meta.url).pathname;

/** Starts the peer with the keys of the callers and the histories that the service returned. */
export async function startHistoryPeer(
  callers: readonly BenchCaller[],
  histories: readonly unknown[],
): Promise<HistoryPeer> {
  await installPackages(FOLDER);
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  const keys = callers.map(({ hash, record }) => [hash, record]);
  const entriesFile = `${folder}/entries.json`;
  await Deno.writeTextFile(entriesFile, JSON.stringify({ keys, histories }));
  const port = String(freePort());
  const node = start("node", [
    `${FOLDER}history.js`,
    ...[port, `${folder}/peer.sqlite3`, entriesFile],
  ]);
  const url = `http://127.0.0.1:${port}`;
  await untilListening(url, node);
  return {
    url,
    pids: [node.pid],
    async [Symbol.asyncDispose]() {
      node.kill("SIGKILL");
      await node.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}
