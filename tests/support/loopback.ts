/** Serves an app on loopback, for a browser. */
import { createApp } from "../../routes/app.ts";
import type { TestDeps } from "./deps.ts";

/** Serves an app until it is disposed. */
export function serve(deps: TestDeps) {
  const { finished, shutdown, addr } = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    createApp(deps).fetch,
  );
  return {
    url: `http://127.0.0.1:${addr.port}`,
    async [Symbol.asyncDispose]() {
      await shutdown();
      await finished;
    },
  };
}
