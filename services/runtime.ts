/** The machine's side of the service: clock, timers, log, database, network. */
import { type Config, secretsOf } from "./config.ts";
import type { Level } from "./platform/observability/log_events_schema.ts";
import type { Runtime } from "./deps.ts";
import { openTelemetry } from "./platform/observability/open_telemetry.ts";
import { redactor } from "./platform/observability/redact.ts";
import { SETTING_NAMES } from "./settings.ts";
import { openDatabase } from "./platform/kv/database.ts";

/** Opens the database and joins it with the real clock, timers, log and network. */
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

/** Deno exports a line as severe as the method that wrote it. */
const WRITERS: Record<Level, (line: string) => void> = {
  // deno-lint-ignore no-console
  error: (line) => console.error(line),
  // deno-lint-ignore no-console
  warn: (line) => console.warn(line),
  // deno-lint-ignore no-console
  info: (line) => console.info(line),
};

/** Reads the variables that are settings, and no others. */
export function readEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    SETTING_NAMES.map((name) => [name, Deno.env.get(name)]),
  );
}

/** Returns the real time, or one that started where the settings say. */
function clock({ startsAt }: Config): () => Date {
  if (startsAt === null) return () => new Date();
  const offset = startsAt - Date.now();
  return () => new Date(Date.now() + offset);
}
