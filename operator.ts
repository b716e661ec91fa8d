/** The operator's command line, over the store itself. */
import { JOBS, runJob } from "./jobs/schedule.ts";
import { readConfig } from "./services/config.ts";
import { openDeps } from "./services/deps.ts";
import { openPlatform } from "./services/platform.ts";

const HELP = `Usage: deno task job <name>

Runs one job now and prints what it came to.

Jobs:
${JOBS.map(({ name, does }) => `  ${name.padEnd(16)} ${does}`).join("\n")}
`;

/** Runs one job by hand; returns the exit status. */
async function runByHand(name: string): Promise<number> {
  const job = JOBS.find((job) => job.name === name);
  if (job === undefined) {
    const accepted = JOBS.map(({ name }) => name).join(", ");
    print(`Cannot run job "${name}": accepted names are ${accepted}`);
    return 2;
  }
  const config = readConfig(Deno.env.toObject());
  const platform = await openPlatform(config);
  using _ = platform.kv;
  const run = await runJob(openDeps(config, platform), job);
  return run.error === null ? 0 : 1;
}

function print(text: string): void {
  // deno-lint-ignore no-console
  console.log(text);
}

const [command, name] = Deno.args;
if (command !== "job" || name === undefined || name === "--help") {
  print(HELP);
  Deno.exit(name === "--help" || command === "--help" ? 0 : 2);
}
Deno.exit(await runByHand(name));
