/** Operator commands and their arguments. */
import { parseArgs } from "node:util";
import { ADDRESS } from "../platform/address_schema.ts";

/** A command: its name, usage, description and work. It returns an exit status. */
export interface Command<CommandDeps> {
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  /** Whether it reads a consistent copy of the database and writes nothing. */
  readonly readsSnapshot?: true;
  /** Whether it takes a store whose import is unfinished. */
  readonly takesPartialStore?: true;
  /** Whether it works without the database of the service. */
  readonly needsNoStore?: true;
  /** Whether it reads the sources that jobs read. */
  readonly readsChains?: true;
  readonly run: (deps: CommandDeps, args: readonly string[]) => Promise<number>;
}

/** Exit status of wrong usage. */
const BAD_USAGE = 2;

/** Parses options with values and positional arguments. Throws on an unknown option. */
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
  return ADDRESS.test(text ?? "");
}

/** Refuses a wallet argument; returns the exit status. */
export function refuseWallet(given = ""): number {
  return usageError(
    `Invalid wallet "${given}": expected 0x and 40 hexadecimal digits`,
  );
}

/** Returns whether a text is the path of a file. */
export function isFile(path: string): Promise<boolean> {
  return Deno.stat(path).then((found) => found.isFile, () => false);
}

/** Refuses a path of a file; returns the exit status. */
export function refuseFile(given: string | undefined): number {
  return usageError(
    given === undefined
      ? "Missing file: expected the path of an NDJSON file"
      : `Invalid file "${given}": expected the path of a file that exists`,
  );
}

/** Refuses an argument beyond those of a command; returns the exit status. */
export function refuseExtra(given: string, usage: string): number {
  return usageError(`Unknown argument "${given}": expected ${usage}`);
}

/** Prints a usage error. Returns the exit status. */
export function usageError(message: string): number {
  print(message);
  return BAD_USAGE;
}

/** Prints a line on the terminal. */
export function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}
