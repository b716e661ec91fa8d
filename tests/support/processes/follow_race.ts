/** Random follow changes by two concurrent processes, one of which is killed. */
import { assertEquals } from "@std/assert";
import { kill, type Running, startProgram, until } from "./service.ts";

/** Concurrent callers in each process. */
const CALLERS = 32;

const ADDRESSES = 120;

/** What a process writes before its answers. */
const READY = "ready\n";

/** Counts of answers by outcome. */
interface RaceAnswers {
  readonly changed: number;
  readonly unchanged: number;
  readonly contended: number;
}

/** Makes at least `changes` changes in a new database. A third process replaces the killed one. */
export async function raceFollows(
  kvPath: string,
  changes: number,
): Promise<RaceAnswers> {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const startFile = `${folder}/start`;
  const start = (seed: number, share: number) =>
    stack.use(startWorker([kvPath, startFile], { seed, changes: share }));
  // The first process never ends by itself.
  const victim = start(11, 1e9);
  const other = start(23, changes / 2);
  for (const worker of [victim, other]) await untilAnswered(worker, 0);
  await Deno.writeTextFile(startFile, "");
  await untilAnswered(victim, changes / 4);
  kill(victim.process, "SIGKILL");
  const heir = start(37, changes / 4);
  for (const worker of [other, heir]) {
    assertEquals((await worker.process.status).code, 0, worker.output());
  }
  const workers = [victim, other, heir];
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  const printed = workers.map(({ output }) => output().replace(READY, ""));
  const count = (letter: string) => printed.join("").split(letter).length - 1;
  return {
    changed: count("y"),
    unchanged: count("n"),
    contended: count("c"),
  };
}

/** Starts a process that makes random changes. */
function startWorker(
  paths: readonly [kvPath: string, startFile: string],
  { seed, changes }: { seed: number; changes: number },
): Running {
  const program = ["run", "-A", "tests/support/processes/follow_worker.ts"];
  const numbers = [seed, changes, CALLERS, ADDRESSES].map(String);
  return startProgram([...program, ...paths, ...numbers]);
}

/** Waits until a process is ready and has written so many answers. */
function untilAnswered(worker: Running, answers: number): Promise<void> {
  const length = READY.length + answers;
  return until(worker, () => worker.output().length >= length);
}
