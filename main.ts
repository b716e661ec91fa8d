/** The service: settings, database, jobs, server. */
import { createApp } from "./routes/app.ts";
import { runFirstJobs, scheduleJobs } from "./jobs/schedule.ts";
import { readChainList } from "./services/chains.ts";
import { readConfig } from "./services/config.ts";
import { openDeps } from "./services/deps.ts";
import { openPlatform } from "./services/platform.ts";

const config = readConfig(Deno.env.toObject());
const opening = openPlatform(config).then((platform) =>
  openDeps(config, platform)
);
// The platform finds crons at the top level, before anything slow.
scheduleJobs(opening, config);
const deps = await opening;
Deno.serve({
  port: config.port,
  onListen: () => deps.log(`listening: ${config.publicUrl}`),
}, createApp(deps).fetch);

try {
  await readChainList(deps, { maxStaleMs: 0 });
  await runFirstJobs(deps, config);
} catch (error) {
  // Said once, here; from now on every request that needs upstream says it by its 503.
  const reason = error instanceof Error ? error.message : String(error);
  deps.log(`${reason}; answers are 503 until it is back`);
}
