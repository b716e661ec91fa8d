/** The service: settings, database, jobs, server. */
import { createApp } from "./routes/app.ts";
import { scheduleJobs } from "./jobs/schedule.ts";
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

// An upstream that is out of reach is said once, here, and then per request as a 503.
readChainList(deps, { maxStaleMs: 0 }).catch((error) =>
  deps.log(`upstream: ${error.message}; answers are 503 until it is back`)
);
