/**
 * Prints what is wrong with a deployment: without an argument before it, by its
 * settings and its database; with the address of the app after it, by its answers.
 */
import denoJson from "./deno.json" with { type: "json" };
import { readConfig } from "./services/config.ts";
import { print } from "./services/operator/command.ts";
import {
  checkDeployed,
  checkPrepared,
  formatRows,
} from "./services/operator/deploy_check.ts";
import { JOB_NAMES } from "./services/platform/jobs/job_schedules_schema.ts";
import { findStoreId } from "./services/platform/kv/store_format.ts";
import { readEnvironment } from "./services/runtime.ts";
import { runProgram, StartError } from "./services/start_error.ts";

/** Time for an answer. */
const ASK_MS = 10_000;

async function readStoreId(): Promise<string | null | undefined> {
  const path = Deno.env.get("KV_PATH");
  if (!path?.startsWith("http")) return undefined;
  using kv = await Deno.openKv(path);
  return await findStoreId(kv);
}

function findSettingsError(): string | null {
  try {
    readConfig({ ...readEnvironment(), DENO_DEPLOY: "1" });
    return null;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return error.message;
  }
}

await runProgram(async () => {
  const [address] = Deno.args;
  // `localhost:8000` is a URL of the scheme `localhost:`.
  if (
    address !== undefined &&
    !/^https?:$/.test(URL.parse(address)?.protocol ?? "")
  ) {
    throw new StartError(
      "invalid address: expected http:// or https:// and a host, such as https://firn.example",
    );
  }
  const rows = address === undefined
    ? checkPrepared({
      settingsError: findSettingsError(),
      publicUrl: Deno.env.get("PUBLIC_URL"),
      denoVersion: Deno.version.deno,
      deploy: denoJson.deploy,
      jobCount: JOB_NAMES.length,
      storeId: await readStoreId(),
    })
    : await checkDeployed({
      origin: new URL(address).origin,
      now: Date.now(),
      async ask(path, init) {
        const response = await fetch(new URL(path, address), {
          ...init,
          signal: AbortSignal.timeout(ASK_MS),
        });
        const { status, headers } = response;
        return { status, headers, text: await response.text() };
      },
    });
  print(formatRows(rows));
  Deno.exit(rows.every(({ problem }) => problem === null) ? 0 : 1);
});
