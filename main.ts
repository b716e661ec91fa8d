/** Starts the service: settings, permissions, database, jobs, server. */
import { runFirstJobs, scheduleJobs } from "./jobs/register_jobs.ts";
import { createApp } from "./routes/app.ts";
import { onCrash } from "./routes/middleware/on_error.ts";
import { readChainList } from "./services/chain_data/chains.ts";
import { readConfig } from "./services/config.ts";
import { openDeps } from "./services/deps.ts";
import {
  findRefusedNameServer,
  listServiceNeeds,
  listVariableNeeds,
  requirePermitted,
} from "./services/permissions.ts";
import { openRuntime, readEnvironment } from "./services/runtime.ts";

requirePermitted(listVariableNeeds());
const config = readConfig(readEnvironment());
// Report missing permissions at start, not as a 503 on first use.
requirePermitted(listServiceNeeds(config));
const opening = openRuntime(config).then((runtime) =>
  openDeps(config, runtime)
);
// Deno Deploy discovers crons at the top level, before slow work.
scheduleJobs(opening, config);
const deps = await opening;
// Refuse to start when the signer is listed as a former signer.
await deps.attesting.signing?.signer.address();
const server = serve();

// Requests in progress finish; a running job may stop anywhere.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    server.shutdown().then(() => Deno.exit(0));
  });
}

// Log an unreachable upstream once. Requests that need it answer 503.
readChainList(deps, { maxStaleMs: 0 })
  .then(() => runFirstJobs(deps, config))
  .catch((error) => deps.log("service.unready", { error }));

findRefusedNameServer().then((nameServer) => {
  if (nameServer !== null) deps.log("service.unpermitted", { nameServer });
});

function serve(): Deno.HttpServer {
  const { port, publicUrl } = config;
  try {
    return Deno.serve({
      port,
      onListen: () => deps.log("service.listening", { url: publicUrl }),
      onError: onCrash(deps),
    }, createApp(deps).fetch);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.AddrInUse)) throw cause;
    const message =
      `Cannot start: port ${port} is in use; set PORT to another one`;
    throw new Error(message, { cause });
  }
}
