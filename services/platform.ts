/** The machine's side of the service: clock, timers, log, database, network. */
import type { Config } from "./config.ts";
import type { Level } from "./contract/log_events.ts";
import type { Platform } from "./deps.ts";
import { openTelemetry } from "./open_telemetry.ts";
import { redactor, secretsOf } from "./redact.ts";
import { SETTINGS } from "./settings.ts";

/** Opens the database and joins it with the real clock, timers, log and network. */
export async function openPlatform(config: Config): Promise<Platform> {
  return {
    kv: await openDatabase(config.kvPath),
    fetch,
    now: clock(config),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    write: (line, level) => WRITERS[level](line),
    telemetry: await openTelemetry(redactor(secretsOf(config))),
  };
}

/** Attempts to open a database that others open, too, and the longest pause between two. */
const MOST_ATTEMPTS = 20;
const LONGEST_PAUSE_MS = 100;

/** Opens a database. Of processes that make one file at the same time, some find it locked for a moment. */
export async function openDatabase(
  path: string | undefined,
  open: typeof Deno.openKv = Deno.openKv,
): Promise<Deno.Kv> {
  for (let attempt = 1;; attempt++) {
    try {
      return await open(path);
    } catch (error) {
      const isLocked = error instanceof Error &&
        error.message === "database is locked";
      if (!isLocked || attempt === MOST_ATTEMPTS) throw error;
      const pauseMs = Math.random() * LONGEST_PAUSE_MS;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Deno exports a line as severe as the method that wrote it; standard output is the operator's. */
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
    SETTINGS.map((name) => [name, Deno.env.get(name)]),
  );
}

/** Returns the real time, or one that started where the settings say. */
function clock({ startsAt }: Config): () => Date {
  if (startsAt === null) return () => new Date();
  const offset = startsAt - Date.now();
  return () => new Date(Date.now() + offset);
}
