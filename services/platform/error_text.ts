/** Errors as text, for the log and for traces. */

/** Causes of causes that are told. */
const MOST_CAUSES = 5;

/** Returns what kind of error this is, such as `TimeoutError`. */
export function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === "Error" ? error.constructor.name : error.name;
}

/** Returns what an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns where an error was thrown; empty where that is not known. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? "" : "";
}

/** Returns what led to an error, each as kind and message, the nearest first. */
export function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && causes.length < MOST_CAUSES) {
    causes.push(`${typeOf(cause)}: ${messageOf(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}
