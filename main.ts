/** Starts the service: settings, permissions, database, jobs, server. */
import { WRITE_EVERY_MS } from "./services/accounts/call_log_store.ts";
import { runFirstJobs, scheduleJobs } from "./jobs/register_jobs.ts";
import { createApp } from "./routes/app.ts";
import { onCrash } from "./routes/pages/on_error.ts";
import { readChainList } from "./services/chain_data/catalogue/chains.ts";
import { type Config, readConfig } from "./services/config.ts";
import { type Deps, openDeps } from "./services/deps.ts";
import { stopGracefully } from "./services/platform/jobs/job_run.ts";
import { isOlder, LEAST_DENO } from "./services/platform/version.ts";
import {
  findRefusedNameServer,
  listServiceNeeds,
  listVariableNeeds,
  requirePermitted,
} from "./services/operator/permissions.ts";
import { listGauges, listWarnings } from "./services/status/status.ts";
import {
  describeStore,
  openRuntime,
  readEnvironment,
  requireWholeStore,
} from "./services/runtime.ts";
import {
  logRefusal,
  NoStore,
  runProgram,
  StartError,
} from "./services/start_error.ts";

await runProgram(start, logRefusal);

async function start(): Promise<void> {
  if (isOlder(Deno.version.deno, LEAST_DENO)) {
    throw new StartError(
      `Deno ${LEAST_DENO} or newer is needed, this is ${Deno.version.deno}`,
    );
  }
  requirePermitted(listVariableNeeds());
  const config = readConfig(readEnvironment());
  // Report missing permissions at start, not as a 503 on first use.
  requirePermitted(listServiceNeeds(config));
  const opening = openRuntime(config)
    .then((runtime) => requireWholeStore(openDeps(config, runtime)));
  // Deno Deploy discovers crons at the top level, before slow work.
  scheduleJobs(opening, config);
  const deps = await opening.catch((error) => serveReason(error, config));
  if (deps === null) return;
  await requireOtherSigners(deps);
  const server = serve(deps, config);

  // Calls and counts are otherwise written by the next request, which may come late.
  // What cannot be written waits for the next time.
  setInterval(() => {
    void deps.callLog.write();
    void deps.trafficHistory.recordDue();
  }, WRITE_EVERY_MS);

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      stopGracefully(deps, server, () =>
        Promise.all([
          deps.callLog.writeAll(),
          deps.trafficHistory.record(),
          deps.store.usage.storeUnsettled(),
        ])).finally(() => Deno.exit(0));
    });
  }

  // Log an unreachable upstream once. Requests that need it answer 503.
  readChainList(deps, { maxStaleMs: 0 })
    .catch((error) => deps.log("service.unready", { error }));

  runFirstJobs(deps, config)
    .catch((error) => deps.log("job.failed", { error }));

  deps.telemetry.observe(listGauges(deps));

  for (const { event, warning } of listWarnings(deps)) {
    deps.log(event, { warning });
  }

  findRefusedNameServer().then((nameServer) => {
    if (nameServer !== null) deps.log("service.unpermitted", { nameServer });
  });
}

/** Answers everything with what to do, so that whoever opens the app learns it. Rethrows other errors. */
function serveReason(
  error: unknown,
  { port, listenAddress: hostname }: Config,
): null {
  if (!(error instanceof NoStore)) throw error;
  const { message } = error;
  logRefusal(message);
  Deno.serve(
    { port, hostname, onListen: () => {} },
    () => new Response(`${message}\n`, { status: 503 }),
  );
  return null;
}

/** Refuses to start when the signer is listed as a former signer. */
async function requireOtherSigners({ attesting }: Deps): Promise<void> {
  try {
    await attesting.signing?.signer.address();
  } catch (cause) {
    throw new StartError(
      "ATTESTATION_SIGNERS lists the signer of ATTESTATION_PRIVATE_KEY itself",
      { cause },
    );
  }
}

function serve(
  deps: Deps,
  config: Config,
): Deno.HttpServer {
  const { port, listenAddress: hostname, publicUrl } = config;
  const app = createApp(deps);
  // Hono builds its routing tables at the first match; the first request would
  // wait for them.
  app.router.match("GET", "/");
  try {
    return Deno.serve({
      port,
      hostname,
      onListen: () =>
        deps.log("service.listening", {
          url: publicUrl,
          ...describeStore(config),
        }),
      onError: onCrash(deps),
    }, app.fetch);
  } catch (cause) {
    if (cause instanceof Deno.errors.AddrInUse) {
      throw new StartError("the port of PORT is in use; set another one", {
        cause,
      });
    }
    if (cause instanceof Deno.errors.AddrNotAvailable) {
      throw new StartError(
        "this machine has no interface with the address of LISTEN_ADDRESS",
        { cause },
      );
    }
    if (cause instanceof Deno.errors.PermissionDenied) {
      throw new StartError(
        "this machine does not let the process listen on the port of PORT; set another one",
        { cause },
      );
    }
    throw cause;
  }
}
