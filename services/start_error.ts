/** Errors that an operator can fix: a start that the settings or the machine do not allow. */

/**
 * A start that cannot succeed. Its message is one line. It names settings and
 * never shows a value, because a value may be a secret.
 */
export class StartError extends Error {
  override readonly name = "StartError";

  constructor(reason: string, options?: ErrorOptions) {
    super(`Cannot start: ${reason}`, options);
  }
}

/** A start without a store that keeps what is written. The message says what to do. */
export class NoStore extends StartError {
  constructor() {
    super(
      "the database has no store id: assign a database to the app, run `deno task operator store init` from outside with its connect URL in KV_PATH and its token in DENO_KV_ACCESS_TOKEN, then deploy again",
    );
  }
}

/** Writes the message of a refused start as a line of the log. */
export function logRefusal(message: string): void {
  const time = new Date().toISOString();
  const line = { time, level: "error", event: "service.refused" };
  // deno-lint-ignore no-console
  console.error(JSON.stringify({ ...line, error: message }));
}

/**
 * Runs a program. A start error is printed in one line without a stack, and ends the
 * process with status 1.
 */
export async function runProgram(
  program: () => void | Promise<void>,
  // deno-lint-ignore no-console
  print: (message: string) => void = (message) => console.error(message),
): Promise<void> {
  try {
    await program();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    print(error.message);
    Deno.exit(1);
  }
}
