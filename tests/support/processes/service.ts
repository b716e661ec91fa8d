/** The service as a process of its own, for tests that need more than one or kill one. */

import { permissionFlags, V8_FLAGS } from "../../../simnet/permission_flags.ts";

/** The folder of the project. */
export const ROOT = new URL("../../../", import.meta.url);

/** Runs jobs on a fast clock, after an instant and a factor. */
export const FAST_CLOCK_WORKER = [
  "run",
  "-A",
  "tests/support/processes/fast_clock_worker.ts",
];

/** A running process of this project. */
export interface Running extends AsyncDisposable {
  readonly process: Deno.ChildProcess;
  /** What it has written so far, both streams together. */
  readonly output: () => string;
}

/** A running service. */
export interface RunningService extends Running {
  readonly url: string;
}

/** Where and how a program runs, where that is not as usual. */
export interface RunOptions {
  /** The folder of the project; another version of it may lie elsewhere. */
  readonly root?: URL;
  /** A command that runs another one, before the program. */
  readonly through?: readonly string[];
}

/** Starts a program of this project with the settings given and no others. */
export function startProgram(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  { root = ROOT, through = [] }: RunOptions = {},
): Running {
  const [command = "", ...rest] = [...through, Deno.execPath(), ...args];
  const process = new Deno.Command(command, {
    args: rest,
    cwd: root,
    env: { NO_COLOR: "1", ...settings },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
    }
  };
  const collected = [collect(process.stdout), collect(process.stderr)];
  return {
    process,
    output: () => output,
    async [Symbol.asyncDispose]() {
      kill(process, "SIGKILL");
      await Promise.all([process.status, ...collected]);
    },
  };
}

/** Starts a command of the operator, or a job, with the permissions of its task. */
export function startOperator(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): Running {
  const set = args[0] === "job" ? "job" : "operator";
  return startProgram(
    ["run", ...permissionFlags(set, settings), "operator.ts", ...args],
    settings,
  );
}

/** Starts the service, permitted what its task is, on a free port and waits until it answers. */
export async function startService(
  settings: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<RunningService> {
  const port = freePort();
  const all = { PORT: String(port), ...settings };
  // Another version has sets of its own, or none.
  const flags = options.root
    ? ["-A"]
    : [...permissionFlags("service", all), ...V8_FLAGS];
  const running = startProgram(["run", ...flags, "main.ts"], all, options);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/api/chain-data`, running);
  return { ...running, url };
}

/** Waits until a URL answers; throws what the program wrote if it ends before. */
export async function untilAnswers(
  url: string,
  running: Running,
): Promise<void> {
  let ended = false;
  running.process.status.then(() => ended = true);
  for (;;) {
    if (ended) throw new Error(`Program ended:\n${running.output()}`);
    try {
      const response = await fetch(url);
      await response.body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** Waits until something is so; throws what a program wrote if it ends before. */
export async function until(
  running: Running,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  let ended = false;
  running.process.status.then(() => ended = true);
  while (!await isSo()) {
    if (ended) throw new Error(`Program ended:\n${running.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Sends a signal; a process that has ended already is left in peace. */
export function kill(process: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    process.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Ports that no system gives to clients, one of which could have it before the program does. */
const PORTS = { first: 20_000, count: 12_000 };

/** Returns a port that nobody listens on at this moment. */
export function freePort(): number {
  const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
  try {
    using _listener = Deno.listen({ hostname: "127.0.0.1", port });
    return port;
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    return freePort();
  }
}
