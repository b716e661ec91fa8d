/** The log: one line of JSON an event, and no secret in any of them. */
import { type EventName, EVENTS, type Level } from "./log_events_schema.ts";
import type { Clock } from "../clock.ts";
import { causesOf, messageOf, stackOf } from "../error_text.ts";
import type { ProcessMetrics } from "./process_metrics.ts";
import type { Redact } from "./redact.ts";
import type { Telemetry } from "./telemetry.ts";

/** What is said of an event beside its name; an `error` may be anything that was thrown. */
export type Fields = Readonly<Record<string, unknown>>;

/** Writes an event to the log. */
export type Log = (event: EventName, fields?: Fields) => void;

/** Writes one line. */
export type WriteLine = (line: string, level: Level) => void;

/** Lines of one event that a minute may bring: an outage fills no disk. */
const LINES_A_MINUTE = 60;
const MINUTE_MS = 60_000;

/** What the log works with. */
export interface LogDeps extends Clock {
  readonly write: WriteLine;
  readonly redact: Redact;
  readonly telemetry: Pick<Telemetry, "traceId">;
  readonly processMetrics: Pick<ProcessMetrics, "events">;
}

/**
 * Creates the log. An event beyond 60 lines a minute is counted, not written;
 * the next line of its kind says how many were left out.
 */
export function createLog(
  { now, write, redact, telemetry, processMetrics }: LogDeps,
): Log {
  const room = roomFor(LINES_A_MINUTE);

  function clean(name: string, value: unknown): unknown {
    // JSON has no word for it, and throws.
    if (typeof value === "bigint") return String(value);
    return typeof value === "string" ? redact(value, name) : value;
  }

  return (event, fields = {}) => {
    processMetrics.events.add({ [event]: 1 });
    const at = now();
    const omitted = room(event, Math.floor(at.getTime() / MINUTE_MS));
    if (omitted === null) return;
    const { level } = EVENTS[event];
    const record = {
      time: at.toISOString(),
      level,
      event,
      ...flatten(fields),
      traceId: telemetry.traceId(),
      omitted: omitted || undefined,
    };
    write(escapeControls(JSON.stringify(record, clean)), level);
  };
}

/** Returns whether an event of a minute still has room: how many had none before it, or null. */
function roomFor(mostAMinute: number) {
  const kinds = new Map<
    EventName,
    { nth: number; lines: number; left: number }
  >();
  return (event: EventName, nth: number): number | null => {
    let kind = kinds.get(event);
    if (kind?.nth !== nth) {
      kind = { nth, lines: 0, left: kind?.left ?? 0 };
      kinds.set(event, kind);
    }
    if (kind.lines++ >= mostAMinute) {
      kind.left++;
      return null;
    }
    const { left } = kind;
    kind.left = 0;
    return left;
  };
}

/** Spells out what an error says, where it came from and what led to it. */
function flatten({ error, ...fields }: Fields): Fields {
  if (error === undefined) return fields;
  const causes = causesOf(error);
  return {
    ...fields,
    error: messageOf(error),
    ...(causes.length > 0 ? { causes } : {}),
    stack: stackOf(error) || undefined,
  };
}

/** Spells what a terminal would obey; JSON does so for the rest of it. */
function escapeControls(json: string): string {
  return json.replaceAll(
    /[\x7f-\x9f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
