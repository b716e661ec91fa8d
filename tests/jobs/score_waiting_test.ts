/** The job that scores addresses on the waiting list of badges. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { upstreamDown } from "../../services/platform/fault.ts";
import { SERVICE } from "../../services/platform/rate_limit/requesters.ts";
import { readScore } from "../../services/scores/scores.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { testDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";

const JOB = "score-waiting";
const ADDRESSES = [0, 1, 2].map((nth) => exampleOf("ordinary", nth));

Deno.test("score-waiting scores each waiting address once", async () => {
  using deps = await testDeps();
  const { scores, waitingScores } = deps.store;
  for (const address of ADDRESSES) await waitingScores.add(address);
  assertEquals(await succeed(deps, JOB), "3 addresses scored, 0 failed");
  assertEquals(await waitingScores.list(), []);
  for (const address of ADDRESSES) assert(await scores.find(address));
  assertEquals(await succeed(deps, JOB), "no address waits");
});

Deno.test("score-waiting ends a run with its budget, and the next run continues", async () => {
  using deps = await testDeps();
  const { waitingScores } = deps.store;
  const addresses = Array.from({ length: 60 }, (_, n) => exampleOf("new", n));
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

Deno.test("score-waiting ends the run after three failures in a row, and removes them from the list", async () => {
  using deps = await testDeps();
  const { waitingScores } = deps.store;
  const addresses = [0, 1, 2, 3].map((nth) => exampleOf("ordinary", nth));
  for (const address of addresses) await waitingScores.add(address);
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const { error } = await runNamed(deps, JOB);
  assertMatch(error!, /^Cannot score the address/);
  assertEquals(await waitingScores.list(), addresses.slice(3));
});

Deno.test("score-waiting goes on after an address that cannot be read, and removes it from the list", async () => {
  using deps = await testDeps();
  const { scores, waitingScores } = deps.store;
  for (const address of ADDRESSES) await waitingScores.add(address);
  const { explorer } = deps.upstream;
  const failing: typeof explorer = {
    ...explorer,
    readAccount(address, ...rest) {
      if (address === ADDRESSES[0]) {
        throw upstreamDown("the index", "the answer is too large");
      }
      return explorer.readAccount(address, ...rest);
    },
  };
  const flawed = { ...deps, upstream: { ...deps.upstream, explorer: failing } };
  assertEquals(await succeed(flawed, JOB), "2 addresses scored, 1 failed");
  assertEquals(await waitingScores.list(), []);
  assertEquals(await scores.find(ADDRESSES[0]!), null);
});

Deno.test("score-waiting asks for proofs while no address waits for its score", async () => {
  const settings = { WORLD_CHAIN_RPC_URL: "http://world.example" };
  using deps = await testDeps({ settings });
  assertEquals(await succeed(deps, JOB), "no address waits");
  await readScore(deps, ADDRESSES[0]!, { requester: SERVICE });
  assertEquals(
    await succeed(deps, JOB),
    "0 addresses scored, 0 failed, proofs of 1 addresses read, no answer of World ID on World Chain",
  );
  assertEquals(await succeed(deps, JOB), "no address waits");
});
