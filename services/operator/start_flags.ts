/** The flags that Deno runs a program with: its permissions with these settings, and those of the engine. */
import { readConfig } from "../config.ts";
import {
  listChainNeeds,
  listCommandNeeds,
  listJobNeeds,
  listServiceNeeds,
  listVariableNeeds,
  type Need,
} from "./permissions.ts";
import { StartError } from "../start_error.ts";

/** A program whose permissions follow the settings. */
export type ProgramName = "service" | "job" | "operator" | "doctor";

/** Facts about the machine and the call, besides the settings. */
interface Circumstances {
  /** The addresses of the machine's name servers. */
  readonly nameServers?: readonly string[];
  /** The machine's folder for temporary files. */
  readonly temp?: string;
  /** The arguments of the operator's command line. */
  readonly args?: readonly string[];
}

/**
 * The size of the young generation, in MB. At 4, garbage collection took 8 % of the
 * time of keyed answers; at 16 it takes 3 %, and its pauses of 0.8 ms become 1.4 ms.
 */
export const V8_FLAGS = ["--v8-flags=--max-semi-space-size=16"];

/**
 * The operator's commands read a whole store, which leaves garbage of many times its
 * size. By default the engine collected it at up to 160 MB of heap for 20 MB in use.
 */
const SMALL_HEAP = [
  "--v8-flags=--max-semi-space-size=4,--heap-growing-percent=50",
];

const V8_FLAGS_OF: Readonly<Partial<Record<ProgramName, readonly string[]>>> = {
  service: V8_FLAGS,
  operator: SMALL_HEAP,
};

const NAME_SERVER_PORT = 53;

/**
 * Lists what a program needs. With invalid settings it needs only the variables:
 * it reports the settings and ends.
 */
export function listNeeds(
  program: ProgramName,
  settings: Readonly<Record<string, string | undefined>>,
  { nameServers = [], temp = "/tmp", args = [] }: Circumstances = {},
): Need[] {
  try {
    const config = readConfig(settings);
    if (program === "job") return listJobNeeds(config);
    if (program === "doctor") {
      return [...listVariableNeeds(), ...listChainNeeds(config)];
    }
    if (program === "operator") return listCommandNeeds(config, args, temp);
    return [
      ...listServiceNeeds(config),
      ...[...new Set(nameServers)].map((address): Need => ({
        kind: "net",
        value: withPort(address),
        for: "linked domains",
      })),
    ];
  } catch (error) {
    if (error instanceof StartError) return listVariableNeeds();
    throw error;
  }
}

/**
 * Returns the flags that run a program with these permissions and no others. Deno
 * separates the values of a flag by commas. A value with a comma is left out, and
 * the program reports the missing permission.
 */
export function toFlags(
  program: ProgramName,
  needs: readonly Need[],
): string[] {
  const fit = needs.filter(({ value }) => !value.includes(","));
  const allowed = Map.groupBy(fit, ({ kind }) => kind).entries()
    .map(([kind, needs]) => {
      const values = new Set(needs.map(({ value }) => value));
      return `--allow-${kind}=${[...values].join(",")}`;
    });
  return ["--no-prompt", ...allowed, ...V8_FLAGS_OF[program] ?? []];
}

/** Returns the flags that run a program with what it needs. */
export function startFlags(...given: Parameters<typeof listNeeds>): string[] {
  return toFlags(given[0], listNeeds(...given));
}

/** Writes an address as `host:port`. It has a port only if that is not the usual one. */
function withPort(address: string): string {
  if (/^\[.+\]:\d+$|^[^:]+:\d+$/.test(address)) return address;
  const host = address.includes(":") ? `[${address}]` : address;
  return `${host}:${NAME_SERVER_PORT}`;
}
