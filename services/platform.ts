/** The machine's side of the service: clock, timers, log, database, network. */
import type { Config } from "./config.ts";
import type { Platform } from "./deps.ts";

/** Opens the database and joins it with the real clock, timers, log and network. */
export async function openPlatform(config: Config): Promise<Platform> {
  return {
    kv: await Deno.openKv(config.kvPath),
    fetch,
    now: clock(config),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    // deno-lint-ignore no-console
    log: (line) => console.error(line),
  };
}

/** Returns the real time, or one that started where the settings say. */
function clock({ startsAt }: Config): () => Date {
  if (startsAt === null) return () => new Date();
  const offset = startsAt - Date.now();
  return () => new Date(Date.now() + offset);
}
