/** Lookups of followers of whom nothing is known. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { importFollows } from "../../../services/profiles/follows/follows.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { personaOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { scoreFollowed } from "../../support/follows.ts";
import {
  addressOf,
  assertRecount,
  know,
  others,
  paid,
} from "../../support/graph.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  runNamed,
  succeed,
} from "../../support/jobs.ts";
import { lookUpFollowers } from "../../../jobs/refresh_graph.ts";

const JOB = "refresh-graph";
const A = addressOf(1);

/** Addresses that have sent nothing, and addresses that have. */
const EMPTY = others(3_000).filter((each) => personaOf(each) === "unused");
const ACTIVE = others(300).filter((each) => personaOf(each) === "ordinary");

/** Makes addresses follow one, an hour apart: the first one last. */
async function followBy(
  deps: TestDeps,
  followers: readonly string[],
  followee = A,
): Promise<void> {
  const now = deps.now().getTime();
  const edges = followers.map((follower, nth) => {
    return { follower, followee, at: now - nth * 3_600_000 };
  });
  await importFollows(deps, edges);
}

/** The same dependencies, and the batches that the node is asked for. */
function observed(deps: TestDeps) {
  const batches: string[][] = [];
  const { cChain } = deps.upstream;
  const readNonces: typeof cChain.readNonces = (addresses, options) => {
    batches.push([...addresses]);
    return cChain.readNonces(addresses, options);
  };
  const upstream = { ...deps.upstream, cChain: { ...cChain, readNonces } };
  return { deps: { ...deps, upstream }, batches };
}

async function countWaiting({ kv }: TestDeps): Promise<number> {
  const entries = kv.list({ prefix: ["unknown_followers"] });
  return (await Array.fromAsync(entries)).length;
}

Deno.test("thin_followers is raised for followers that nobody scored", async () => {
  using deps = await testDeps();
  await followBy(deps, [...EMPTY.slice(0, 12), ...ACTIVE.slice(0, 4)]);
  const before = await scoreFollowed(deps, A);
  assertEquals(before.graph.flags.includes("thin_followers"), false);
  await succeed(deps, JOB);
  const after = await scoreFollowed(deps, A);
  assert(after.graph.flags.includes("thin_followers"));
  assertEquals((await deps.store.follows.findGraph(A)).thin, 12);
  assertEquals(await assertRecount(deps.kv), 16);
  assertEquals(await countWaiting(deps), 0);
});

Deno.test("a follower with transactions keeps its weight, since a nonce shows no gas", async () => {
  using deps = await testDeps();
  await followBy(deps, ACTIVE.slice(0, 5));
  const before = await deps.store.follows.findGraph(A);
  assertEquals(
    await succeed(deps, JOB),
    "0 followers updated, 0 edges read, 5 looked up",
  );
  assertEquals(await deps.store.follows.findGraph(A), before);
});

Deno.test("unknown followers are looked up in batches of 40, the newest edges first, each once", async () => {
  using deps = await testDeps();
  const followers = EMPTY.slice(0, 95);
  await followBy(deps, followers);
  // The newest edges of the last two are newer than all others.
  deps.advance(DAY_MS);
  await followBy(deps, followers.slice(-2), addressOf(2));
  const { deps: watched, batches } = observed(deps);
  const outcome = await succeed(watched, JOB);
  assertMatch(outcome, /, 95 looked up$/);
  const order = [...followers.slice(-2), ...followers.slice(0, -2)];
  assertEquals(batches.map(({ length }) => length), [40, 40, 15]);
  assertEquals(batches.flat(), order);
  await succeed(watched, JOB);
  assertEquals(batches.length, 3);
  assertEquals(await countWaiting(deps), 0);
});

Deno.test("scored followers, and those that follow nobody any more, are not looked up", async () => {
  using deps = await testDeps();
  const followers = EMPTY.slice(0, 4);
  await followBy(deps, followers);
  await know(deps, followers.slice(0, 1), paid(0.01));
  await know(deps, followers.slice(1, 2), {});
  await deps.store.follows.change({
    kind: "unfollow",
    follower: followers[2]!,
    followee: A,
  });
  const { deps: watched, batches } = observed(deps);
  await succeed(watched, JOB);
  assertEquals(batches, [[followers[3]!]]);
  assertEquals(await countWaiting(deps), 0);
});

Deno.test("lookups keep to five batches a minute, and to 25 a run", async () => {
  using deps = await testDeps();
  await followBy(deps, others(1_100, 10_000));
  const { deps: watched, batches } = observed(deps);
  const startedAt = deps.now().getTime();
  await succeed(watched, JOB);
  assertEquals(batches.length, 25);
  const minutes = (deps.now().getTime() - startedAt) / 60_000;
  assert(minutes >= 4 && minutes < 6, `${minutes}`);
  await succeed(watched, JOB);
  assertEquals(batches.flat().length, 1_100);
});

Deno.test("lookups end for the day when the budget of a day is used up", async () => {
  using deps = await testDeps();
  let batches = 0;
  const readNonces: typeof deps.upstream.cChain.readNonces = (addresses) => {
    batches++;
    // The node answers none of them, so they all wait for the next run.
    const body = addresses.map(() => null);
    return Promise.resolve({ body, source: "C-Chain RPC (c-chain.test)" });
  };
  const cChain = { ...deps.upstream.cChain, readNonces };
  const failing = { ...deps, upstream: { ...deps.upstream, cChain } };
  await followBy(deps, others(1_000, 10_000));
  for (let run = 0; run < 26; run++) await succeed(failing, JOB);
  assertEquals(batches, 600);
  assertEquals(await countWaiting(deps), 1_000);
  deps.advance(DAY_MS);
  await succeed(failing, JOB);
  assertEquals(batches, 625);
});

Deno.test("after a killed process the next run continues, also within a batch", async () => {
  using deps = await testDeps();
  await followBy(deps, EMPTY.slice(0, 100));
  const { followerLookups } = deps.store;
  const answer = dyingAfter(50, followerLookups.answer);
  const { deps: watched, batches } = observed(deps);
  const store = {
    ...deps.store,
    followerLookups: { ...followerLookups, answer: answer.call },
  };
  runNamed({ ...watched, store }, JOB);
  await answer.died;
  deps.advance(LEASE_OVER_MS);
  await succeed(watched, JOB);
  // The second batch was answered in part: the other thirty are asked for again.
  assertEquals(batches.map(({ length }) => length), [40, 40, 40, 10]);
  assertEquals((await deps.store.follows.findGraph(A)).thin, 100);
  assertEquals(await assertRecount(deps.kv), 100);
});

Deno.test("a node that refuses loses no lookup, and does not keep weights from being updated", async () => {
  using deps = await testDeps();
  await followBy(deps, EMPTY.slice(0, 60));
  await followBy(deps, ACTIVE.slice(0, 1), addressOf(2));
  await know(deps, ACTIVE.slice(0, 1), paid(0.05));
  const node = deps.upstreams.cChainRpc.switch;
  // The chain id and the first batch are answered.
  node.set({ mode: "status", status: 429, after: 2 });
  const { error } = await runNamed(deps, JOB);
  assertMatch(
    error ?? "",
    /^Cannot read c-chain\.test now: it asks all callers for a pause/,
  );
  assertEquals(await countWaiting(deps), 20);
  assertEquals((await deps.store.follows.findGraph(A)).thin, 40);
  const { paidMass } = await deps.store.follows.findGraph(addressOf(2));
  assertEquals(paidMass, 0.4);
  node.set({ mode: "ok" });
  deps.advance(LEASE_OVER_MS);
  await succeed(deps, JOB);
  assertEquals((await deps.store.follows.findGraph(A)).thin, 60);
  assertEquals(await countWaiting(deps), 0);
});

Deno.test("a follower that had sent nothing is looked up again after a week, and is thin no more once it has", async () => {
  using deps = await testDeps();
  const [follower = ""] = EMPTY;
  await followBy(deps, [follower]);
  await succeed(deps, JOB);
  assertEquals((await deps.store.follows.findGraph(A)).thin, 1);
  const asked: string[] = [];
  let nonce = 0;
  const readNonces: typeof deps.upstream.cChain.readNonces = (addresses) => {
    asked.push(...addresses);
    const body = addresses.map(() => nonce);
    return Promise.resolve({ body, source: "C-Chain RPC (c-chain.test)" });
  };
  const cChain = { ...deps.upstream.cChain, readNonces };
  const later = { ...deps, upstream: { ...deps.upstream, cChain } };
  deps.advance(6 * DAY_MS);
  await succeed(later, JOB);
  assertEquals(asked, []);
  for (nonce of [0, 3]) {
    deps.advance(8 * DAY_MS);
    await succeed(later, JOB);
    const { thin } = await deps.store.follows.findGraph(A);
    assertEquals(thin, nonce === 0 ? 1 : 0);
  }
  deps.advance(30 * DAY_MS);
  await succeed(later, JOB);
  assertEquals(asked, [follower, follower]);
});

Deno.test("signals that are stored during a lookup win over it", async () => {
  using deps = await testDeps();
  const [follower = ""] = EMPTY;
  await followBy(deps, [follower]);
  const readNonces: typeof deps.upstream.cChain.readNonces = async () => {
    await know(deps, [follower], paid(0.05));
    return { body: [0], source: "C-Chain RPC (c-chain.test)" };
  };
  const cChain = { ...deps.upstream.cChain, readNonces };
  await succeed({ ...deps, upstream: { ...deps.upstream, cChain } }, JOB);
  const { thin, paidMass } = await deps.store.follows.findGraph(A);
  assertEquals([thin, paidMass], [0, 0.4]);
});

// Batches of follower lookups: what one run reads, asks and answers at most.

type Deps = Parameters<typeof lookUpFollowers>[0];
type Lookup = Parameters<
  Deps["store"]["followerLookups"]["isNeeded"]
>[0];

/** Runs lookups of named followers; returns what was asked of the node and the store. */
async function run(
  followers: Iterable<string>,
  { isNeeded = true, waits = [] }: {
    isNeeded?: boolean;
    waits?: readonly number[];
  } = {},
) {
  using deps = await testDeps();
  const asked: string[][] = [];
  const answered: Record<string, number> = {};
  const slept: number[] = [];
  let needed = 0;
  const left = [...waits];
  const store: Deps["store"] = {
    ...deps.store,
    budgets: {
      ...deps.store.budgets,
      takeShared(...call) {
        const retryAfterMs = left.shift();
        return retryAfterMs === undefined
          ? deps.store.budgets.takeShared(...call)
          : Promise.resolve({
            allowed: false,
            retryAfterMs,
            party: undefined,
            limit: null,
          });
      },
    },
    followerLookups: {
      ...deps.store.followerLookups,
      async *list() {
        for (const follower of followers) yield { follower } as Lookup;
      },
      isNeeded() {
        needed++;
        return Promise.resolve(isNeeded);
      },
      answer([{ follower }, ...others]) {
        answered[follower] = 1 + others.length;
        return Promise.resolve();
      },
    },
  };
  const cChain: Deps["upstream"]["cChain"] = {
    ...deps.upstream.cChain,
    readNonces(addresses) {
      asked.push([...addresses]);
      const body = addresses.map((name) => name === "unknown" ? null : 0);
      return Promise.resolve({ body, source: "node" });
    },
  };
  const count = await lookUpFollowers({
    now: deps.now,
    runningJobs: deps.runningJobs,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
    store,
    upstream: { ...deps.upstream, cChain },
  }, { proceed: () => Promise.resolve(true) });
  return { count, asked, answered, slept, needed };
}

const names = (count: number) =>
  Array.from({ length: count }, (_, nth) => `f${nth}`);

Deno.test("a run reads at most 20,000 entries", async () => {
  const { needed, asked } = await run(names(20_010), { isNeeded: false });
  assertEquals([needed, asked], [20_000, []]);
});

Deno.test("entries of one follower are answered together, at most 100 of them", async () => {
  const { count, asked, answered } = await run([
    ...names(1),
    ...Array(105).fill("a"),
    "b",
    "b",
    "unknown",
  ]);
  assertEquals(count, 3);
  assertEquals(asked, [["f0", "a", "b", "unknown"]]);
  assertEquals(answered, { f0: 1, a: 100, b: 2 });
});

Deno.test("a follower that was answered in a run is not asked for again, and one that was not is", async () => {
  const first = [...names(39), "unknown"];
  const { asked } = await run([...first, "f3", "unknown", "g"]);
  assertEquals(asked, [first, ["unknown", "g"]]);
});

Deno.test("a run waits up to 65 s for its next batch, and ends before a longer wait", async () => {
  const waited = await run(["a"], { waits: [1, 65_000] });
  assertEquals([waited.slept, waited.asked], [[1, 65_000], [["a"]]]);
  const ended = await run(["a"], { waits: [65_001] });
  assertEquals([ended.slept, ended.asked, ended.count], [[], [], 0]);
});
