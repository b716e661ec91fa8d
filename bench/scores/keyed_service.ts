/**
 * The service for the keyed benchmark: the real app on the real store with a larger
 * burst limit, so that no request is refused. The burst limit keeps a log of the
 * requests in its window. The window is shortened so that the log is as long as at
 * the real limit of 60 requests per minute.
 */
import { createApp } from "../../routes/app.ts";
import { readConfig } from "../../services/config.ts";
import { type Deps, openDeps } from "../../services/deps.ts";
import { openRuntime } from "../../services/runtime.ts";
import { V8_FLAGS } from "../../services/operator/start_flags.ts";
import {
  freePort,
  type RunningService,
  startProgram,
  untilAnswers,
} from "../../tests/support/processes/service.ts";

/** Burst limit: more requests than any load sends. */
const MAX_REQUESTS = 1_500_000;

/** Starts the service in its own process. */
export async function startKeyedService(
  settings: Readonly<Record<string, string>>,
  { burstMs }: { readonly burstMs: number },
): Promise<RunningService> {
  const port = freePort();
  const program = [import.meta.filename!, String(burstMs)];
  const args = ["run", "--allow-all", ...V8_FLAGS, ...program];
  const running = startProgram(args, { PORT: String(port), ...settings });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/api/v1`, running);
  return { ...running, url };
}

if (import.meta.main) {
  const burst = { requests: MAX_REQUESTS, perMs: Number(Deno.args[0]) };
  const config = readConfig(Deno.env.toObject());
  const deps = openDeps(config, await openRuntime(config));
  const { usage } = deps.store;
  const raised: Deps["store"]["usage"] = {
    ...usage,
    spend: (payer, charge, now) =>
      usage.spend(payer, { ...charge, burst }, now),
    spendIf: (given, payer, { charge, now }) =>
      usage.spendIf(given, payer, { charge: { ...charge, burst }, now }),
  };
  const store = { ...deps.store, usage: raised };
  const { fetch } = createApp({ ...deps, store });
  Deno.serve({ port: config.port, onListen() {} }, fetch);
}
