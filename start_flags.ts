/**
 * Prints the flags of the service or of a job on one line, which the shell of
 * `deno task` puts into its command. Without a name it prints a table for people.
 */
import { getServers } from "node:dns";
import { readConfig } from "./services/config.ts";
import { print } from "./services/operator/command.ts";
import { SETTINGS } from "./services/operator/permissions.ts";
import { alignColumns } from "./services/platform/text.ts";
import { findMisspelt } from "./services/settings.ts";
import { runProgram } from "./services/start_error.ts";
import {
  listNeeds,
  type ProgramName,
  toFlags,
} from "./services/operator/start_flags.ts";

const PROGRAMS: readonly ProgramName[] = [
  "service",
  "job",
  "operator",
  "doctor",
];

const settings = Deno.env.toObject();
const circumstances = { nameServers: getServers() };

// The shell splits the line at spaces. A value with a space is left out, and the
// program reports the missing permission.
function line(program: ProgramName): string {
  const needs = listNeeds(program, settings, circumstances)
    .filter(({ value }) => !/\s/.test(value));
  return toFlags(program, needs).join(" ");
}

function table(program: ProgramName): string {
  const rows = listNeeds(program, settings, circumstances)
    .filter((need) => need.for !== SETTINGS)
    .map((need) => [need.kind, need.value, need.for]);
  const lines = alignColumns([
    ["env", "every setting, by name", ""],
    ...rows,
  ]);
  return [program, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Names variables that look like settings, as lines of the log: they are on one stream. */
function warnOfMisspelt(): void {
  for (const { given, meant } of findMisspelt(Object.keys(settings))) {
    // deno-lint-ignore no-console
    console.error(JSON.stringify({
      time: new Date().toISOString(),
      level: "warn",
      event: "settings.unknown",
      variable: given,
      warning: `${given} is no setting: did you mean ${meant}?`,
    }));
  }
}

await runProgram(() => {
  warnOfMisspelt();
  const program = PROGRAMS.find((name) => name === Deno.args[0]);
  if (program !== undefined) print(line(program));
  else {
    readConfig(settings);
    print(`${PROGRAMS.map(table).join("\n\n")}
  A command also gets the file that it names, and export and check-store the
  folder for temporary files.`);
  }
});
