/** The operator's command line. It works on the store directly. */
import { JOBS } from "./jobs/register_jobs.ts";
import { isDatabaseFile, readConfig } from "./services/config.ts";
import { Fault } from "./services/platform/fault.ts";
import { type Deps, openDeps } from "./services/deps.ts";
import { runJob } from "./services/platform/jobs/job_run.ts";
import {
  checkStore,
  exportBackup,
  importBackup,
  initStore,
} from "./services/operator/backup.ts";
import {
  type Command,
  DRY_RUN,
  findUnknownOption,
  isBadOption,
  openLive,
  openSnapshot,
  print,
  recordInPlace,
  usageError,
} from "./services/operator/command.ts";
import {
  createKey,
  grantPlan,
  listKeys,
  revokeKey,
  scoreAddress,
} from "./services/operator/wallet_commands.ts";
import {
  hideProfile,
  importProfileFile,
  showProfile,
  verifyHuman,
} from "./services/operator/profile_commands.ts";
import {
  acceptDoubts,
  forgetSeries,
  listDoubts,
  refuseDoubts,
} from "./services/operator/series_commands.ts";
import {
  listCommandNeeds,
  listVariableNeeds,
  requirePermitted,
} from "./services/operator/permissions.ts";
import { readEnvironment, requireWholeStore } from "./services/runtime.ts";
import { runProgram } from "./services/start_error.ts";

/** Runs a job now. */
const job: Command<Deps> = {
  name: "job",
  usage: "job <name>",
  description: `runs one job now:\n${
    JOBS.map(({ name, does }) => `      ${name.padEnd(20)} ${does}`).join("\n")
  }`,
  readsChains: true,
  async run(deps: Deps, [name]) {
    const job = JOBS.find((job) => job.name === name);
    if (job === undefined) {
      const accepted = JOBS.map(({ name }) => name).join(", ");
      return usageError(
        `Invalid job "${name ?? ""}": expected one of ${accepted}`,
      );
    }
    const { error } = await runJob(deps, job);
    return error === null ? 0 : 1;
  },
};

const COMMANDS: readonly Command<Deps>[] = [
  job,
  createKey,
  listKeys,
  revokeKey,
  grantPlan,
  importProfileFile,
  verifyHuman,
  hideProfile,
  showProfile,
  forgetSeries,
  listDoubts,
  acceptDoubts,
  refuseDoubts,
  scoreAddress,
  exportBackup,
  importBackup,
  checkStore,
  initStore,
];

function help(commands: readonly Command<Deps>[]): string {
  const lines = commands.map(({ usage, description: does, mayDryRun }) =>
    `  ${usage}${mayDryRun ? ` [${DRY_RUN}]` : ""}\n      ${does}`
  );
  return `Usage: deno task operator <command>\n\n${lines.join("\n\n")}\n
With ${DRY_RUN} a command runs on a copy of the database file.\n`;
}

/** Names the unknown command, and the known ones. Returns the exit status. */
function refuseCommand(args: readonly string[]): number {
  const names = COMMANDS.map(({ name }) => name).join(", ");
  return usageError(
    `Unknown command "${
      args.join(" ")
    }": expected one of ${names}\nUsage: deno task operator --help`,
  );
}

async function main(args: readonly string[]): Promise<number> {
  const command = COMMANDS.find(({ name }) =>
    args.slice(0, name.split(" ").length).join(" ") === name
  );
  if (args.includes("--help")) {
    print(help(command === undefined ? COMMANDS : [command]));
    return 0;
  }
  if (command === undefined) return refuseCommand(args);
  const given = args.slice(command.name.split(" ").length);
  const unknown = findUnknownOption(command, given);
  if (unknown !== undefined) {
    return usageError(`Unknown option "${unknown}"\nUsage: ${command.usage}`);
  }
  const isDryRun = given.includes(DRY_RUN);
  const rest = given.filter((argument) => argument !== DRY_RUN);
  requirePermitted(listVariableNeeds());
  const config = readConfig(readEnvironment());
  if (isDryRun && !isDatabaseFile(config.kvPath)) {
    return usageError(`${DRY_RUN} needs a database file in KV_PATH`);
  }
  requirePermitted(listCommandNeeds(config, args, ""));
  const open = command.readsSnapshot || isDryRun ? openSnapshot : openLive;
  await using opened = await open(config);
  if (isDryRun) print("Dry run on a copy: nothing is changed.");
  try {
    const deps = openDeps(config, opened.runtime);
    if (!command.takesPartialStore) await requireWholeStore(deps);
    const startedAt = deps.now().getTime();
    const status = await command.run(deps, rest);
    if (status === 0 && !isDryRun) {
      await recordInPlace(config, command, startedAt);
    }
    return status;
  } catch (error) {
    if (isBadOption(error)) {
      return usageError(`${error.message}\nUsage: ${command.usage}`);
    }
    if (error instanceof Deno.errors.NotCapable) {
      print(`Cannot run ${command.name}: ${error.message}`);
      return 1;
    }
    // Only a fault explains itself; other errors are shown with their stack.
    if (!(error instanceof Fault)) throw error;
    print(error.message);
    return 1;
  }
}

await runProgram(async () => Deno.exit(await main(Deno.args)));
