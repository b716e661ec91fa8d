/** The operator's command line, over the store itself. */
import { parseArgs } from "node:util";
import { JOBS } from "./jobs/schedule.ts";
import { createApiKey, MOST_KEYS, revokeApiKey } from "./services/api_keys.ts";
import { readConfig } from "./services/config.ts";
import { METRIC_NAMES } from "./services/contract/chain.ts";
import { PERIOD_DAYS, PLAN_NAMES } from "./services/contract/plans.ts";
import { type Deps, openDeps } from "./services/deps.ts";
import { DAY_MS } from "./services/domain/days.ts";
import { runJob } from "./services/job_run.ts";
import { openPlatform } from "./services/platform.ts";

/** A command: what it is called with, what it does, and the exit status it ends in. */
interface Command {
  readonly name: string;
  readonly usage: string;
  readonly does: string;
  readonly run: (deps: Deps, args: readonly string[]) => Promise<number>;
}

const BAD_USAGE = 2;

const COMMANDS: readonly Command[] = [
  {
    name: "job",
    usage: "job <name>",
    does: `runs one job now:\n${
      JOBS.map(({ name, does }) => `      ${name.padEnd(20)} ${does}`).join(
        "\n",
      )
    }`,
    run: runByHand,
  },
  {
    name: "forget-series",
    usage: "forget-series <chainId> <metric>",
    does:
      "forgets a stored series, so that it is read anew as upstream has it\n" +
      "      now: for a history that upstream really did cut",
    run: forgetSeries,
  },
  {
    name: "key create",
    usage: "key create <wallet> [--name N]",
    does: "creates an API key and prints it alone on the last line, this once",
    run: createKey,
  },
  {
    name: "key revoke",
    usage: "key revoke <id>",
    does: "revokes an API key; its next request is refused",
    run: revokeKey,
  },
  {
    name: "plan grant",
    usage: "plan grant <wallet> <plan> [--days 30]",
    does: `puts a wallet on a plan: ${PLAN_NAMES.join(", ")}`,
    run: grantPlan,
  },
];

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

async function createKey(
  deps: Deps,
  args: readonly string[],
): Promise<number> {
  const { positional: [wallet], name = "operator" } = readOptions(args, "name");
  if (!isAddress(wallet)) return refuse(noWallet(wallet));
  const owner = wallet.toLowerCase();
  const created = await createApiKey(deps, { wallet: owner, name });
  if (created === null) {
    return refuse(
      `Cannot create a key: ${owner} has ${MOST_KEYS}, which is the most`,
    );
  }
  print(`id ${created.id}\n${created.key}`);
  return 0;
}

async function revokeKey(
  deps: Deps,
  [id = ""]: readonly string[],
): Promise<number> {
  const revoked = await revokeApiKey(deps, id);
  print(revoked ? "revoked" : `no key has the id "${id}"`);
  return revoked ? 0 : 1;
}

async function grantPlan(
  { now, store }: Deps,
  args: readonly string[],
): Promise<number> {
  const { positional, days = String(PERIOD_DAYS) } = readOptions(args, "days");
  const [wallet, name] = positional;
  const plan = PLAN_NAMES.find((plan) => plan === name);
  if (!isAddress(wallet)) return refuse(noWallet(wallet));
  if (plan === undefined || !/^[1-9]\d{0,3}$/.test(days)) {
    return refuse(
      `Cannot grant "${name ?? ""}" for "${days}" days: accepted are ` +
        `${PLAN_NAMES.join(", ")} and 1 to 9999 days`,
    );
  }
  const paidUntil = now().getTime() + Number(days) * DAY_MS;
  await store.plans.put(wallet.toLowerCase(), { plan, paidUntil });
  print(`${plan} until ${new Date(paidUntil).toISOString()}`);
  return 0;
}

/** Tells one option with a value from the arguments in their places. */
function readOptions<Name extends string>(
  args: readonly string[],
  option: Name,
): { positional: string[] } & Partial<Record<Name, string>> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { [option]: { type: "string" } },
    allowPositionals: true,
  });
  const value = values[option];
  return {
    positional: positionals,
    ...(typeof value === "string" ? { [option]: value } : {}),
  } as { positional: string[] } & Partial<Record<Name, string>>;
}

function isAddress(text: string | undefined): text is string {
  return /^0x[0-9a-fA-F]{40}$/.test(text ?? "");
}

function noWallet(given = ""): string {
  return `Cannot use wallet "${given}": accepted is 0x and 40 hexadecimal digits`;
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
  const lines = COMMANDS.map(({ usage, does }) => `  ${usage}\n      ${does}`);
  return `Usage: deno task operator <command>\n\n${lines.join("\n\n")}\n`;
}

async function main(args: readonly string[]): Promise<number> {
  const command = COMMANDS.find(({ name }) =>
    args.slice(0, name.split(" ").length).join(" ") === name
  );
  if (command === undefined || args.includes("--help")) {
    print(help());
    return args.includes("--help") ? 0 : BAD_USAGE;
  }
  const config = readConfig(Deno.env.toObject());
  const platform = await openPlatform(config);
  using _ = platform.kv;
  const rest = args.slice(command.name.split(" ").length);
  try {
    return await command.run(openDeps(config, platform), rest);
  } catch (error) {
    if (!isBadOption(error)) throw error;
    return refuse(`${error.message}\nAccepted is: ${command.usage}`);
  }
}

/** Returns whether `parseArgs` refused an option, by the code that Node gives such errors. */
function isBadOption(error: unknown): error is Error {
  return error instanceof Error && "code" in error &&
    String(error.code).startsWith("ERR_PARSE_ARGS");
}

Deno.exit(await main(Deno.args));
