/** Starts a KV Connect server, and talks to it as a test does. */
import type { Asked, Faults } from "./faults.ts";

/** The access token of every server here. Deno's own client reads it from this variable. */
const TOKEN_VARIABLE = "DENO_KV_ACCESS_TOKEN";
export const ACCESS_TOKEN = "a token of a test";

/** A running server. */
export interface KvConnect extends Disposable {
  readonly url: string;
  /** Returns the URL of a new database. */
  newDatabase(): string;
  /** Drops a database. */
  drop(database: string): void;
}

/** Starts a server in a worker. */
export async function startKvConnect(): Promise<KvConnect> {
  Deno.env.set(TOKEN_VARIABLE, ACCESS_TOKEN);
  const worker = new Worker(import.meta.resolve("./worker.ts"), {
    type: "module",
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  worker.onmessage = ({ data: port }) => resolve(port);
  worker.postMessage({ accessToken: ACCESS_TOKEN });
  const url = `http://127.0.0.1:${await promise}`;
  return {
    url,
    newDatabase: () => `${url}/${crypto.randomUUID()}`,
    drop: (database) =>
      worker.postMessage({ drop: database.slice(url.length + 1) }),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** Sets switches of a database, and lets its tokens expire now. */
export async function setFaults(
  database: string,
  faults: Partial<Faults> & { readonly expiresTokens?: true },
): Promise<Faults> {
  const init = { method: "PATCH", body: JSON.stringify(faults) };
  return await (await fetch(`${database}/faults`, init)).json();
}

/** Returns what a database was asked since the last call. */
export async function takeAsked(database: string): Promise<Asked> {
  return await (await fetch(`${database}/asked`)).json();
}
