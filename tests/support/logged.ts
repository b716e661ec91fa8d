/** Parses the log of a service. */
import type { EventName } from "../../services/platform/observability/log_events_schema.ts";

/** Reads the lines of one event, oldest first. */
export function logged(
  lines: readonly string[],
  event: EventName,
): Record<string, unknown>[] {
  return lines.filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter((record) => record.event === event);
}
