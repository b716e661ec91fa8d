/** An app served on loopback, for a browser. */
import { createApp } from "../../routes/app.ts";
import type { TestDeps } from "./deps.ts";

/** Serves an app on loopback for as long as it is held. */
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
