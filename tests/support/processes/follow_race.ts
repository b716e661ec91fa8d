/** Random changes of the follow graph by two processes at once, one of which is killed half way. */
import { assertEquals } from "@std/assert";
import { kill, type Running, startProgram, until } from "./service.ts";

/** Callers at once in each process. */
const CALLERS = 32;

const ADDRESSES = 120;

/** What processes answered. */
export interface RaceAnswers {
  readonly changed: number;
  readonly unchanged: number;
  readonly contended: number;
}

/** Makes so many changes or more in a new database; another process takes up the work of the killed one. */
export async function raceFollows(
  kvPath: string,
  changes: number,
): Promise<RaceAnswers> {
  await using stack = new AsyncDisposableStack();
  const start = (seed: number, share: number) =>
    stack.use(startWorker(kvPath, { seed, changes: share }));
  // The first would never end by itself.
  const victim = start(11, 1e9);
  const other = start(23, changes / 2);
  for (const worker of [victim, other]) await untilSaid(worker, 1);
  await Deno.writeTextFile(`${kvPath}.start`, "");
  await untilSaid(victim, changes / 4);
  kill(victim.process, "SIGKILL");
  const heir = start(37, changes / 4);
  for (const worker of [other, heir]) {
    assertEquals((await worker.process.status).code, 0, worker.output());
  }
  const workers = [victim, other, heir];
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  const said = workers.map(({ output }) => output().replace("ready\n", ""));
  const count = (letter: string) => said.join("").split(letter).length - 1;
  return {
    changed: count("y"),
    unchanged: count("n"),
    contended: count("c"),
  };
}

/** Starts a process that makes so many changes at random. */
function startWorker(
  kvPath: string,
  { seed, changes }: { seed: number; changes: number },
): Running {
  const program = ["run", "-A", "tests/support/processes/follow_worker.ts"];
  const numbers = [seed, changes, CALLERS, ADDRESSES].map(String);
  return startProgram([...program, kvPath, `${kvPath}.start`, ...numbers]);
}

/** Waits until a process has said so much. */
function untilSaid(worker: Running, letters: number): Promise<void> {
  return until(worker, () => worker.output().length >= letters);
}
