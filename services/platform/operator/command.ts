/** What an operator's command is, and how its arguments are read. */
import { parseArgs } from "node:util";

/** A command: what it is called with, what it does, and the exit status it ends in. */
export interface Command<CommandDeps> {
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  /** Whether it reads a copy of the database as it is at one moment, and writes nothing. */
  readonly readsSnapshot?: true;
  /** Whether it asks the sources that jobs read. */
  readonly readsChains?: true;
  readonly run: (deps: CommandDeps, args: readonly string[]) => Promise<number>;
}

/** Exit status of a command that was called wrongly. */
export const BAD_USAGE = 2;

/** Tells options with a value from the arguments in their places; throws where one is unknown. */
export function readOptions<Name extends string>(
  args: readonly string[],
  ...names: readonly Name[]
): { positional: string[] } & Partial<Record<Name, string>> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      names.map((name) => [name, { type: "string" as const }]),
    ),
    allowPositionals: true,
  });
  return { positional: positionals, ...values } as
    & { positional: string[] }
    & Partial<Record<Name, string>>;
}

/** Returns whether an error is an option that `readOptions` refused. */
export function isBadOption(error: unknown): error is Error {
  return error instanceof Error && "code" in error &&
    String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** Returns whether a text is an address, in any case. */
export function isAddress(text: string | undefined): text is string {
  return /^0x[0-9a-fA-F]{40}$/.test(text ?? "");
}

/** Says that a wallet is none; returns the exit status of it. */
export function refuseWallet(given = ""): number {
  return usageError(
    `Cannot use wallet "${given}": accepted is 0x and 40 hexadecimal digits`,
  );
}

/** Says why a command was called wrongly; returns the exit status of it. */
export function usageError(message: string): number {
  print(message);
  return BAD_USAGE;
}

/** Prints a line on the terminal. */
export function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}
