/** The service as a process of its own, for tests that need more than one or kill one. */

const ROOT = new URL("../../", import.meta.url);

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

/** Starts a program of this project with the settings given and no others. */
export function startProgram(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Running {
  const process = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
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

/** Starts the service on a free port and waits until it answers. */
export async function startService(
  settings: Readonly<Record<string, string>>,
): Promise<RunningService> {
  const port = freePort();
  const args = [
    "run",
    "--allow-net",
    "--allow-env",
    "--allow-read",
    "--allow-write",
    "main.ts",
  ];
  const running = startProgram(args, { PORT: String(port), ...settings });
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

/** Sends a signal; a process that has ended already is left in peace. */
export function kill(process: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    process.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Returns a port that nobody listens on at this moment. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
