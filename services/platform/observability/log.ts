/** Structured log: one JSON line per event, without secrets. */
import { type EventName, EVENTS, type Level } from "./log_events_schema.ts";
import type { Clock } from "../clock.ts";
import { MINUTE_MS } from "../days.ts";
import type { ProcessMetrics } from "./process_metrics.ts";
import type { Redact } from "./redact.ts";
import type { Telemetry } from "./telemetry.ts";

/** Fields of an event. An `error` may be any thrown value. */
type Fields = Readonly<Record<string, unknown>>;

/** Logs an event. */
export type Log = (event: EventName, fields?: Fields) => void;

/** Writes one line. */
export type WriteLine = (line: string, level: Level) => void;

/** Maximum number of lines per event, so that an outage cannot fill the disk. */
const LINES_A_MINUTE = 60;

/** What the log uses. */
interface LogDeps extends Clock {
  readonly write: WriteLine;
  readonly redact: Redact;
  readonly telemetry: Pick<Telemetry, "traceId">;
  readonly processMetrics: Pick<ProcessMetrics, "events">;
}

/**
 * Creates the log. Events beyond 60 lines a minute are counted but not written;
 * the next line of that event carries the number as `omitted`.
 */
export function createLog(
  { now, write, redact, telemetry, processMetrics }: LogDeps,
): Log {
  const room = roomFor(LINES_A_MINUTE);

  function clean(name: string, value: unknown): unknown {
    // JSON.stringify throws on a bigint.
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

/** Returns the number of lines omitted before this one; null if this one is omitted too. */
function roomFor(maxAMinute: number) {
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
    if (kind.lines++ >= maxAMinute) {
      kind.left++;
      return null;
    }
    const { left } = kind;
    kind.left = 0;
    return left;
  };
}

/** Replaces an error by its message, stack and causes. */
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

/** Escapes control characters that JSON leaves as they are and terminals interpret. */
function escapeControls(json: string): string {
  return json.replaceAll(
    /[\x7f-\x9f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Maximum number of listed causes. */
const MAX_CAUSES = 5;

/** Returns the type of an error, such as `TimeoutError`. */
export function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === "Error" ? error.constructor.name : error.name;
}

/** Returns the message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the stack of an error; empty if unknown. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? "" : "";
}

/** Lists the causes of an error as type and message, nearest first. */
export function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && causes.length < MAX_CAUSES) {
    causes.push(`${typeOf(cause)}: ${messageOf(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
