/** Runs a KV Connect server in a worker: it shares neither the timers nor the sanitizers of a test. */
/// <reference lib="deno.worker" />
import { kvConnectHandler } from "./server.ts";

let server: ReturnType<typeof kvConnectHandler> | undefined;

self.onmessage = ({ data: { accessToken, drop } }) => {
  if (server !== undefined) return server.drop(drop);
  server = kvConnectHandler(accessToken);
  Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => self.postMessage(port),
  }, server.handle);
};
