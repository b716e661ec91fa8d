/** The peer of a keyed score on a hosted database: a handler that commits one record and returns a body. */
import {
  freePort,
  type RunningService,
  startProgram,
  untilAnswers,
} from "../../tests/support/processes/service.ts";
import { ACCESS_TOKEN } from "../../tests/support/kv_connect/kv_connect.ts";

/** Records that are written in turn: no two commits under way change the same one. */
const RECORDS = 1_000;

/** Numbers of a record: it is stored in about as many bytes as a wallet's usage. */
const NUMBERS = 60;

/** Starts the peer in its own process, on a database and with a body to return. */
export async function startBareCommit(
  kvPath: string,
  body: string,
): Promise<RunningService> {
  const port = freePort();
  const program = [import.meta.filename!, String(port), kvPath, body];
  const args = ["run", "--allow-all", ...program];
  const settings = { DENO_KV_ACCESS_TOKEN: ACCESS_TOKEN };
  const running = startProgram(args, settings);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(url, running);
  return { ...running, url };
}

if (import.meta.main) {
  const [port, kvPath, body] = Deno.args;
  const kv = await Deno.openKv(kvPath);
  const value = Array(NUMBERS).fill(1);
  const versions: Deno.AtomicCheck[] = Array.from(
    { length: RECORDS },
    (_, nth) => ({ key: ["bare_commit", nth], versionstamp: null }),
  );
  let next = 0;
  Deno.serve({ port: Number(port), onListen() {} }, async () => {
    const nth = next++ % RECORDS;
    const check = versions[nth]!;
    const result = await kv.atomic().check(check).set(check.key, value)
      .commit();
    if (!result.ok) return new Response("conflict", { status: 500 });
    versions[nth] = { ...check, versionstamp: result.versionstamp };
    return new Response(body, {
      headers: { "Content-Type": "application/json" },
    });
  });
}
