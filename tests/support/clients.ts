/** Clients with their network addresses, and an app that limits their requests. */
import { createApp } from "../../routes/app.ts";
import { testDeps, type TestOptions } from "./deps.ts";

/** Returns the connection info of a request from a network address. */
export function connectionFrom(hostname: string): Deno.ServeHandlerInfo {
  return {
    remoteAddr: { transport: "tcp", hostname, port: 50_000 },
    completed: Promise.resolve(),
  };
}

/** No proxy in front of the service. */
export const NO_PROXIES = { hops: 0, isTrusted: null, isBypassable: false };

/** What a request may say beside its path. */
export interface Asked {
  readonly from?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** An app that allows each client `perMinute` requests, and a function that requests it. */
export async function limited(perMinute: number, options: TestOptions = {}) {
  const deps = await testDeps({
    ...options,
    settings: { FAIR_USE_PER_MINUTE: String(perMinute), ...options.settings },
  });
  // A refusal is held back for a second, in which buckets fill: here it is not.
  const app = createApp({ ...deps, sleep: () => Promise.resolve() });
  const ask = async (
    path: string,
    { from = "192.0.2.1", ...init }: Asked = {},
  ): Promise<Response> => await app.request(path, init, connectionFrom(from));
  return { app, deps, ask, [Symbol.dispose]: () => deps[Symbol.dispose]() };
}
