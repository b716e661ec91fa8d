/** Processes of this project, for tests that need several of them or kill one. */

import { startFlags } from "../../../services/operator/start_flags.ts";
import { waitUntil } from "../wait_until.ts";

/** The project's folder. */
export const ROOT = new URL("../../../", import.meta.url);

/** Runs jobs on a clock that skips sleeping; the arguments are in `job_worker.ts`. */
export const JOB_WORKER = [
  "run",
  "-A",
  "tests/support/processes/job_worker.ts",
];

/** A running process. */
export interface Running extends AsyncDisposable {
  readonly process: Deno.ChildProcess;
  /** Returns what it has written so far to both streams. */
  readonly output: () => string;
  /** Waits for its end and its last output. */
  readonly finish: () => Promise<{ code: number; output: string }>;
}

/** A running service. */
export interface RunningService extends Running {
  readonly url: string;
}

/** Options of a process. */
interface RunOptions {
  /** A command that runs the program, such as `unshare`. */
  readonly through?: readonly string[];
  /** The folder of the project; this one by default. */
  readonly root?: string | URL;
  /** False drops what it writes: a program that several tests share is read by none of them. */
  readonly isRead?: boolean;
}

/** Starts a program with these settings as its whole environment. */
export function startProgram(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  { through = [], root = ROOT, isRead = true }: RunOptions = {},
): Running {
  const [command = "", ...rest] = [...through, Deno.execPath(), ...args];
  const process = new Deno.Command(command, {
    args: rest,
    cwd: root,
    env: { NO_COLOR: "1", ...settings },
    stdin: "null",
    stdout: isRead ? "piped" : "null",
    stderr: isRead ? "piped" : "null",
  }).spawn();
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      output += text;
    }
  };
  const collected = Promise.all(
    isRead ? [collect(process.stdout), collect(process.stderr)] : [],
  );
  return {
    process,
    output: () => output,
    async finish() {
      const { code } = await process.status;
      await collected;
      return { code, output };
    },
    async [Symbol.asyncDispose]() {
      // A task passes only signals that it can catch on to its program.
      kill(process, args[0] === "task" ? "SIGTERM" : "SIGKILL");
      await process.status;
      await collected;
    },
  };
}

/** Starts an operator command or a job with the permissions of its task. */
export function startOperator(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): Running {
  const flags = startFlags("operator", settings, { args });
  return startProgram(["run", ...flags, "operator.ts", ...args], settings);
}

/** Starts the service with its task's permissions on a free port, and waits until it answers. */
export async function startService(
  settings: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<RunningService> {
  const port = freePort();
  const all = { PORT: String(port), ...settings };
  const flags = startFlags("service", all);
  const running = startProgram(["run", ...flags, "main.ts"], all, options);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(`${url}/api/chain-data`, running);
  return { ...running, url };
}

/** Waits until a URL answers; throws the program's output if it ends first. */
export function untilAnswers(url: string, running: Running): Promise<void> {
  return until(running, async () => {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    return response !== null;
  });
}

/** Waits until a condition holds; throws the program's output if it ends first. */
export async function until(
  running: Running,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  let ended = false;
  running.process.status.then(() => ended = true);
  await waitUntil(async () => {
    if (await holds()) return true;
    if (ended) throw new Error(`Program ended:\n${running.output()}`);
    return false;
  });
}

/** Sends a signal; does nothing if the process has ended. */
export function kill(process: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    process.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Below the range from which systems choose the ports of outgoing connections. */
const PORTS = { first: 20_000, count: 12_000 };

/** Returns a port on which nothing listens now. */
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
