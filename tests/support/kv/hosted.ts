/** Runs tests that open databases by path on hosted ones instead: on a KV Connect server. */
import { type KvConnect, startKvConnect } from "../kv_connect/kv_connect.ts";

/** The server; null if tests use local databases. */
let server: KvConnect | null = null;

/**
 * From now on, this process opens hosted databases: each `:memory:` is a new one,
 * and each file is the one of `databasePath`. To be called before the tests load.
 */
export async function useHostedDatabases(): Promise<void> {
  const openKv = Deno.openKv;
  const { newDatabase, drop } = server = await startKvConnect();
  Object.defineProperty(Deno, "openKv", {
    async value(path?: string) {
      const isNew = path === ":memory:";
      const url = isNew ? newDatabase() : databasePath(path!);
      const kv = await openKv(url);
      return isNew ? closing(kv, () => drop(url)) : kv;
    },
  });
}

/** Returns what opens a database of a test, in any process: its file, or the URL of the hosted one. */
export function databasePath(file: string): string {
  if (server === null || file.startsWith(server.url)) return file;
  return `${server.url}/${encodeURIComponent(file)}`;
}

/** Returns the size of a test: a smaller one over hosted databases, where each step is a request. */
export function sizeOf(
  { local, hosted }: { readonly local: number; readonly hosted: number },
): number {
  return server === null ? local : hosted;
}

/** Calls back when a database is closed. */
function closing(kv: Deno.Kv, onClose: () => void): Deno.Kv {
  const close = kv.close.bind(kv);
  const closeAll = () => {
    close();
    onClose();
  };
  return Object.assign(kv, { close: closeAll, [Symbol.dispose]: closeAll });
}
