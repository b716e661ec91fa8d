/** The operator's command line, over the store itself. */
import { JOBS } from "./jobs/schedule.ts";
import { readConfig } from "./services/config.ts";
import { METRIC_NAMES } from "./services/contract/chain.ts";
import { type Deps, openDeps } from "./services/deps.ts";
import { runJob } from "./services/job_run.ts";
import { openPlatform } from "./services/platform.ts";

/** A command: what it is called with, what it does, and the exit status it ends in. */
interface Command {
  readonly usage: string;
  readonly does: string;
  readonly run: (deps: Deps, args: readonly string[]) => Promise<number>;
}

const BAD_USAGE = 2;

const COMMANDS: Record<string, Command> = {
  job: {
    usage: "job <name>",
    does: `runs one job now:\n${
      JOBS.map(({ name, does }) => `      ${name.padEnd(20)} ${does}`).join(
        "\n",
      )
    }`,
    run: runByHand,
  },
  "forget-series": {
    usage: "forget-series <chainId> <metric>",
    does:
      "forgets a stored series, so that it is read anew as upstream has it\n" +
      "      now: for a history that upstream really did cut",
    run: forgetSeries,
  },
};

async function runByHand(
  deps: Deps,
  [name]: readonly string[],
): Promise<number> {
  const job = JOBS.find((job) => job.name === name);
  if (job === undefined) {
    const accepted = JOBS.map(({ name }) => name).join(", ");
    return refuse(`Cannot run job "${name ?? ""}": accepted are ${accepted}`);
  }
  const { error } = await runJob(deps, job);
  return error === null ? 0 : 1;
}

async function forgetSeries(
  { store }: Deps,
  [chainId, name]: readonly string[],
): Promise<number> {
  const metric = METRIC_NAMES.find((metric) => metric === name);
  if (!/^[1-9]\d{0,14}$/.test(chainId ?? "") || metric === undefined) {
    return refuse(
      `Cannot forget series "${chainId ?? ""} ${name ?? ""}": accepted are ` +
        `a chain id and one of ${METRIC_NAMES.join(", ")}`,
    );
  }
  const id = { subject: Number(chainId), metric };
  const forgotten = await store.series.remove(id);
  print(forgotten ? "forgotten" : "nothing stored");
  return forgotten ? 0 : 1;
}

function refuse(message: string): number {
  print(message);
  return BAD_USAGE;
}

function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}

function help(): string {
  const lines = Object.values(COMMANDS)
    .map(({ usage, does }) => `  ${usage}\n      ${does}`);
  return `Usage: deno task operator <command>\n\n${lines.join("\n\n")}\n`;
}

async function main([name = "", ...args]: readonly string[]): Promise<number> {
  const command = COMMANDS[name];
  if (command === undefined || args.includes("--help")) {
    print(help());
    return command || name === "--help" ? 0 : BAD_USAGE;
  }
  const config = readConfig(Deno.env.toObject());
  const platform = await openPlatform(config);
  using _ = platform.kv;
  return await command.run(openDeps(config, platform), args);
}

Deno.exit(await main(Deno.args));
