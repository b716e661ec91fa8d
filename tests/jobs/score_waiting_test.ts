/** The job that scores the addresses whose badges were looked at. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exampleOf } from "../../simnet/accounts.ts";
import { testDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";

const JOB = "score-waiting";
const ADDRESSES = [0, 1, 2].map((nth) => exampleOf("ordinary", nth));

Deno.test("who waits is scored, once", async () => {
  using deps = await testDeps();
  const { scores, waitingScores } = deps.store;
  for (const address of ADDRESSES) await waitingScores.add(address);
  assertEquals(await succeed(deps, JOB), "3 addresses scored");
  assertEquals(await waitingScores.list(), []);
  for (const address of ADDRESSES) assert(await scores.find(address));
  assertEquals(await succeed(deps, JOB), "0 addresses scored");
});

Deno.test("the budget ends a run, and the others wait for the next", async () => {
  using deps = await testDeps();
  const { waitingScores } = deps.store;
  const addresses = Array.from({ length: 40 }, (_, n) => exampleOf("new", n));
  for (const address of addresses) await waitingScores.add(address);
  let [runs, left] = [0, addresses.length];
  while (left > 0) {
    await succeed(deps, JOB);
    const still = (await waitingScores.list()).length;
    assert(still < left);
    left = still;
    runs++;
    deps.advance(300_000);
  }
  assert(runs > 2, `${runs}`);
});

Deno.test("one that fails ends the run and makes room for the others", async () => {
  using deps = await testDeps();
  const { waitingScores } = deps.store;
  for (const address of ADDRESSES) await waitingScores.add(address);
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const { error } = await runNamed(deps, JOB);
  assertMatch(error!, /^Cannot score the address/);
  assertEquals(await waitingScores.list(), ADDRESSES.slice(1));
});
