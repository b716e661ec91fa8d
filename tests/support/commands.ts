/** Runs operator commands in the process of a test. */
// deno-lint-ignore-file no-console -- commands print on the console.
import type { Command } from "../../services/operator/command.ts";

/** Runs a command, and returns its exit status and what it printed on either stream. */
export async function runCommand<Deps>(
  { run }: Command<Deps>,
  deps: Deps,
  ...args: string[]
): Promise<{ status: number; text: string }> {
  const printed: string[] = [];
  const { log, error } = console;
  console.log = (text: string) => printed.push(text);
  console.error = (text: string) => printed.push(text);
  try {
    const status = await run(deps, args);
    return { status, text: printed.join("\n") };
  } finally {
    console.log = log;
    console.error = error;
  }
}
