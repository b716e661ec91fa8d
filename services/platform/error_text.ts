/** Formats errors for the log and for traces. */

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
