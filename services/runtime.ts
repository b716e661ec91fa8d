/** The real clock, timers, log output, database and network. */
import { type Config, secretsOf } from "./config.ts";
import type { Level } from "./platform/observability/log_events_schema.ts";
import type { Runtime } from "./deps.ts";
import { openTelemetry } from "./platform/observability/open_telemetry.ts";
import { redactor } from "./platform/observability/redact.ts";
import { SETTING_NAMES } from "./settings.ts";
import { openDatabase } from "./platform/kv/database.ts";

/** Opens the database and returns the runtime of a process. */
export async function openRuntime(config: Config): Promise<Runtime> {
  return {
    kv: await openDatabase(config.kvPath),
    fetch,
    now: clock(config),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    write: (line, level) => WRITERS[level](line),
    telemetry: await openTelemetry(redactor(secretsOf(config))),
  };
}

/** Deno exports a log line with the severity of the console method. */
const WRITERS: Record<Level, (line: string) => void> = {
  // deno-lint-ignore no-console
  error: (line) => console.error(line),
  // deno-lint-ignore no-console
  warn: (line) => console.warn(line),
  // deno-lint-ignore no-console
  info: (line) => console.info(line),
};

/** Reads the environment variables that are settings. */
export function readEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    SETTING_NAMES.map((name) => [name, Deno.env.get(name)]),
  );
}

/** Returns the real clock, or one that starts at the configured instant. */
function clock({ startsAt }: Config): () => Date {
  if (startsAt === null) return () => new Date();
  const offset = startsAt - Date.now();
  return () => new Date(Date.now() + offset);
}
