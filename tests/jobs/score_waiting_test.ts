/** The job that scores addresses on the waiting list of badges. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { upstreamDown } from "../../services/platform/fault.ts";
import {
  SERVICE,
  UNSHARED,
} from "../../services/platform/rate_limit/call_budget.ts";
import { readScore } from "../../services/scores/scores.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { HOUR_MS } from "../../services/platform/days.ts";
import { shareWork } from "../../services/platform/cache.ts";
import { refreshOften } from "../../jobs/score_waiting.ts";
import { testDeps } from "../support/deps.ts";
import { virtualService } from "../support/virtual_service.ts";
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

const HUNDRED = { EXPLORER_CALLS_PER_DAY: "100" };

/**
 * A service with addresses that were read at 8:00 and, from what was stored, at 6:30 on
 * the next day: the day of their signals ends at 8:00. It is 6:30, or so many hours after 8:00.
 */
async function readOnTwoDays(
  addresses: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  hours = 22.5,
) {
  const service = await virtualService(settings);
  const { deps, run, sleep, upstreams: { explorer } } = service;
  const readAll = () =>
    run(
      Promise.all(addresses.map((address) =>
        readScore(deps, address, { requester: SERVICE })
      )),
    );
  const callsOf = (address: string) =>
    explorer.calls.filter(({ path }) => path.includes(address)).length;
  await readAll();
  await run(sleep(hours * HOUR_MS));
  await readAll();
  return {
    ...service,
    readAll,
    callsOf,
    /** Lets some hours pass. */
    pass: (hours: number) => run(sleep(hours * HOUR_MS)),
    /** Runs the job as a process of its own, and returns its outcome. */
    async job(): Promise<string> {
      const running = succeed(deps, JOB);
      await run(running);
      return await running;
    },
    async ageMs(address: string): Promise<number> {
      const finding = deps.store.signals.findAll([address]);
      await run(finding);
      return deps.now().getTime() - (await finding)[0]!.signals.fetchedAt;
    },
  };
}

Deno.test("score-waiting reads the signals of an address that was read on two days again before they expire, once", async () => {
  const [often, once] = ADDRESSES as [string, string];
  using service = await readOnTwoDays([often]);
  const { deps, run, pass, job, callsOf, ageMs } = service;
  await run(readScore(deps, once, { requester: SERVICE }));
  assertEquals(await job(), "no address waits", "more than an hour is left");
  await pass(0.75);
  assertEquals(await job(), "0 addresses scored, 0 failed, 1 refreshed ahead");
  assertEquals([await ageMs(often), callsOf(often)], [0, 2]);
  assertEquals(await job(), "no address waits");
  const { readAt } = (await deps.store.scores.find(often))!;
  assert(deps.now().getTime() - readAt > HOUR_MS / 2, "it is no read");
  await pass(23.5);
  assertEquals(await ageMs(once), 24.25 * HOUR_MS, "it was read on one day");
  // After five days the first read is none of the last seven days.
  let refreshes = 0;
  for (let day = 1; day <= 8; day++) {
    await run(succeed(deps, "record-scores"));
    if (/1 refreshed/.test(await job())) refreshes++;
    await pass(24);
  }
  assertEquals(refreshes, 5);
});

Deno.test("score-waiting reads an address again whose second read was a cold one", async () => {
  const [address] = ADDRESSES as [string];
  using service = await readOnTwoDays([address], {}, 25);
  const { pass, job, callsOf } = service;
  assertEquals(callsOf(address), 2);
  await pass(23.5);
  assertMatch(await job(), /1 refreshed ahead$/);
  assertEquals(callsOf(address), 3);
});

Deno.test("score-waiting leaves the readers of a day what they may need until its end", async () => {
  // 49 of a hundred calls are for the free: at 7:15, 14 of them are above the line.
  const rows: [used: number, hours: number, outcome: RegExp][] = [
    [13, 0.75, /1 refreshed ahead/],
    [14, 0.75, /no address waits/],
    [14, 1.5, /1 refreshed ahead/],
    [48, 17.4, /no address waits/],
    [100, 17.4, /no address waits/],
  ];
  for (const [used, hours, outcome] of rows) {
    const [address] = ADDRESSES as [string];
    using service = await readOnTwoDays([address], HUNDRED);
    const { deps, run, pass, job, callsOf } = service;
    const { limits } = deps.upstream.explorer.calls[0]!;
    const all = { name: "explorer explorer.test", limits, shares: UNSHARED };
    await pass(hours);
    for (let nth = 0; nth < used; nth++) {
      await run(deps.store.budgets.takeShared(all, SERVICE, deps));
      await pass(1 / 3600);
    }
    assertMatch(await job(), outcome, `${used} used, ${hours} h later`);
    assertEquals(callsOf(address), /^1/.test(outcome.source) ? 2 : 1);
  }
});

Deno.test("two processes that refresh at once make one call an address", async () => {
  using service = await readOnTwoDays(ADDRESSES);
  const { deps, run, pass, callsOf } = service;
  await pass(0.75);
  const proceed = () => Promise.resolve(true);
  const refresh = () =>
    refreshOften({ ...deps, share: shareWork(deps.now) }, { proceed });
  await run(Promise.all([refresh(), refresh()]));
  for (const address of ADDRESSES) assertEquals(callsOf(address), 2);
});

Deno.test("score-waiting tries an address whose refresh fails again a day later", async () => {
  const [address] = ADDRESSES as [string];
  using service = await readOnTwoDays([address]);
  const { upstreams: { explorer }, pass, job, callsOf, ageMs } = service;
  explorer.switch.set({ mode: "refuse" });
  await pass(0.75);
  assertMatch(await job(), /0 refreshed ahead, 1 not$/);
  for (let hour = 0; hour < 20; hour++) {
    assertEquals(await job(), "no address waits");
    await pass(1);
  }
  assertEquals(callsOf(address), 2);
  explorer.switch.set({ mode: "ok" });
  await pass(3);
  assertMatch(await job(), /1 refreshed ahead$/);
  assertEquals(await ageMs(address), 0);
});

Deno.test("score-waiting leaves a source alone after three refreshes that fail in a row", async () => {
  const addresses = [0, 1, 2, 3].map((nth) => exampleOf("ordinary", nth));
  using service = await readOnTwoDays(addresses);
  const { upstreams: { explorer }, pass, job } = service;
  explorer.switch.set({ mode: "refuse" });
  await pass(0.75);
  assertMatch(await job(), /0 refreshed ahead, 3 not$/);
});
