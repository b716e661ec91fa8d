/** Dependencies whose database is a copy: what fills it runs once for all tests of an isolate. */
import { START, type TestDeps, testDeps } from "./deps.ts";

/** Fills the database of default dependencies. */
type Fill = (deps: TestDeps) => Promise<unknown>;

/** Entries that are copied at a time: a chunk of a file has 60 kB, and a commit at most 800. */
const COPIED_AT_A_TIME = 10;

const filled = new Map<Fill, ReturnType<typeof fillOnce>>();

async function fillOnce(fill: Fill) {
  using deps = await testDeps();
  await fill(deps);
  return {
    entries: await Array.fromAsync(deps.kv.list({ prefix: [] })),
    tookMs: deps.now().getTime() - Date.parse(START),
  };
}

/** Opens default dependencies with what a function leaves in their database, at the time at which it ended. */
export async function filledDeps(fill: Fill): Promise<TestDeps> {
  const filling = filled.get(fill) ?? fillOnce(fill);
  filled.set(fill, filling);
  const { entries, tookMs } = await filling;
  const deps = await testDeps();
  deps.advance(tookMs);
  for (let at = 0; at < entries.length; at += COPIED_AT_A_TIME) {
    const copy = deps.kv.atomic();
    for (const { key, value } of entries.slice(at, at + COPIED_AT_A_TIME)) {
      copy.set(key, value);
    }
    await copy.commit();
  }
  return deps;
}
