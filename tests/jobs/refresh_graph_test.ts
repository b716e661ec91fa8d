/** The job that updates outdated follow weights. */
import { assertEquals } from "@std/assert";
import { importFollows } from "../../services/profiles/follows/follows.ts";
import {
  type Edge,
  EMPTY_RECORD,
  weigh,
} from "../../services/profiles/follows/follow_edges.ts";
import { refreshGraph } from "../../jobs/refresh_graph.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import {
  addressOf,
  assertRecount,
  claim,
  know,
  others,
  paid,
} from "../support/graph.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  runNamed,
  succeed,
} from "../support/jobs.ts";

const JOB = "refresh-graph";
const [A, B] = [addressOf(1), addressOf(2)] as const;
const IDLE = "0 followers updated, 0 edges read, 0 looked up";

/** Makes one address follow others. */
async function followAll(
  deps: TestDeps,
  follower: string,
  followees: readonly string[],
): Promise<void> {
  const at = deps.now().getTime();
  const edges = followees.map((followee) => ({ follower, followee, at }));
  await importFollows(deps, edges);
}

const unfollow = (deps: TestDeps, follower: string, followee: string) =>
  deps.store.follows.change({ kind: "unfollow", follower, followee });

/** Returns the paidWeight and freeWeight of the followers of each address. */
async function massesOf(deps: TestDeps, addresses: readonly string[]) {
  const graphs = await Promise.all(
    addresses.map(deps.store.follows.findGraph),
  );
  const masses = graphs.map(({ paidMass, freeMass }) =>
    `${paidMass} and ${freeMass}`
  );
  return [...new Set(masses)];
}

Deno.test("refresh-graph updates follow weights within an hour of changed signals or profiles", async () => {
  using deps = await testDeps();
  const followees = others(3);
  await followAll(deps, A, followees);
  assertEquals(await massesOf(deps, followees), ["0 and 0.1"]);
  await know(deps, [A], paid(0.025));
  assertEquals(await massesOf(deps, followees), ["0 and 0.1"]);
  assertEquals(
    await succeed(deps, JOB),
    "1 followers updated, 3 edges read, 0 looked up",
  );
  assertEquals(await massesOf(deps, followees), ["0.2 and 0"]);
  await claim(deps, [A]);
  assertEquals(
    await succeed(deps, JOB),
    "1 followers updated, 3 edges read, 0 looked up",
  );
  assertEquals(await massesOf(deps, followees), ["0.5 and 0"]);
  await assertRecount(deps.kv);
  assertEquals(await succeed(deps, JOB), IDLE);
});

Deno.test("refresh-graph updates a large follower in pages, and continues after a killed process", async () => {
  using deps = await testDeps();
  const followees = others(1_300);
  await followAll(deps, A, followees);
  await know(deps, [A], paid(0.05));
  const { pendingWeightUpdates } = deps.store;
  const advance = dyingAfter(1, pendingWeightUpdates.advance);
  const store = {
    ...deps.store,
    pendingWeightUpdates: { ...pendingWeightUpdates, advance: advance.call },
  };
  runNamed({ ...deps, store }, JOB);
  await advance.died;
  assertEquals((await runNamed(deps, JOB)).outcome, "runs already");
  assertEquals((await massesOf(deps, followees)).length, 2, "two are updated");
  deps.advance(LEASE_OVER_MS);
  assertEquals(
    await succeed(deps, JOB),
    "1 followers updated, 800 edges read, 0 looked up",
  );
  assertEquals(await massesOf(deps, followees), ["0.4 and 0"]);
  assertEquals(await assertRecount(deps.kv), 1_300);
  assertEquals(await succeed(deps, JOB), IDLE);
});

Deno.test("refresh-graph restarts the update of a follower that changes during the run", async () => {
  using deps = await testDeps();
  const followees = others(700);
  await followAll(deps, A, followees);
  await know(deps, [A], paid(0.05));
  const { follows } = deps.store;
  let parts = 0;
  const listFollowees: typeof follows.listFollowees = async (...args) => {
    // The first page has used the old profile.
    if (++parts === 2) await claim(deps, [A]);
    return await follows.listFollowees(...args);
  };
  const store = { ...deps.store, follows: { ...follows, listFollowees } };
  await succeed({ ...deps, store }, JOB);
  await succeed(deps, JOB);
  assertEquals(await massesOf(deps, followees), ["1 and 0"]);
  assertEquals(await assertRecount(deps.kv), 700);
});

Deno.test("refresh-graph neither loses nor undoes follows and unfollows during the run", async () => {
  using deps = await testDeps();
  const [kept, gone, fresh] = [others(300), others(300, 500), others(300, 900)];
  await followAll(deps, A, [...kept, ...gone]);
  await know(deps, [A], paid(0.05));
  await Promise.all([
    succeed(deps, JOB),
    followAll(deps, A, fresh),
    ...gone.map((followee) => unfollow(deps, A, followee)),
  ]);
  assertEquals(await assertRecount(deps.kv), 600);
  assertEquals(await massesOf(deps, [...kept, ...fresh]), ["0.4 and 0"]);
  assertEquals(await massesOf(deps, gone), ["0 and 0"]);
});

Deno.test("refresh-graph stops when it lost its lease, and the next run continues", async () => {
  using deps = await testDeps();
  const followers = others(6, 10);
  for (const follower of followers) await followAll(deps, follower, [A]);
  await know(deps, followers, paid(0.05));
  const { pendingWeightUpdates } = deps.store;
  const seen: string[] = [];
  const advance: typeof pendingWeightUpdates.advance = (changed, after) => {
    seen.push(changed.address);
    if (seen.length === 3) deps.advance(50 * 60_000);
    return pendingWeightUpdates.advance(changed, after);
  };
  const store = {
    ...deps.store,
    pendingWeightUpdates: { ...pendingWeightUpdates, advance },
  };
  await runNamed({ ...deps, store }, JOB);
  assertEquals(seen, followers.slice(0, 3));
  // A follower that was updated changes again: it waits behind the others.
  await claim(deps, followers.slice(0, 1));
  await runNamed({ ...deps, store }, JOB);
  assertEquals(seen.slice(3), [...followers.slice(3), followers[0]!]);
  assertEquals(await massesOf(deps, [A]), ["3 and 0"]);
});

Deno.test("the gas of a follower is divided among those it follows, as soon as refresh-graph ran", async () => {
  using deps = await testDeps();
  const followees = others(8);
  await claim(deps, [A]);
  await know(deps, [A], paid(0.05));
  const sharesOf = async () => {
    const graphs = await Promise.all(
      followees.map(deps.store.follows.findGraph),
    );
    return graphs.map(({ sharedPaidMass }) => sharedPaidMass);
  };
  await followAll(deps, A, followees.slice(0, 1));
  assertEquals((await sharesOf())[0], 1);
  await followAll(deps, A, followees.slice(1, 5));
  await succeed(deps, JOB);
  // Five are counted as eight, the next power of two.
  assertEquals(await sharesOf(), [...Array(5).fill(0.125), 0, 0, 0]);
  await followAll(deps, A, followees.slice(5));
  assertEquals(await succeed(deps, JOB), IDLE);
  assertEquals(await sharesOf(), Array(8).fill(0.125));
  await unfollow(deps, A, followees[0]!);
  for (const followee of followees.slice(1, 5)) {
    await unfollow(deps, A, followee);
  }
  await succeed(deps, JOB);
  const left = (await sharesOf()).slice(5);
  assertEquals(left, [0.25, 0.25, 0.25]);
  await assertRecount(deps.kv);
});

/** Runs the job over a graph of whole pages that never end; counts the pages of each address. */
async function runEndless(addresses: number, edges: number) {
  using deps = await testDeps();
  const { follows, pendingWeightUpdates } = deps.store;
  const pages = new Map<string, number>();
  const page = others(edges).map((address) => {
    return { address, edge: weigh(null, 0) as unknown as Edge };
  });
  const store = {
    ...deps.store,
    follows: {
      ...follows,
      find: () => Promise.resolve(EMPTY_RECORD),
      listFollowees(address: string) {
        pages.set(address, (pages.get(address) ?? 0) + 1);
        return Promise.resolve(page);
      },
    },
    pendingWeightUpdates: {
      ...pendingWeightUpdates,
      async *list() {
        for (const address of others(addresses)) yield { address, after: null };
      },
      advance: () => Promise.resolve(true),
    },
  } as unknown as TestDeps["store"];
  const outcome = await refreshGraph({ ...deps, store }, {
    proceed: () => Promise.resolve(true),
  });
  return { outcome, pages: [...pages.values()] };
}

Deno.test("refresh-graph reads 200,000 edges in a run, 50,000 of an address, and updates 20,000 addresses", async () => {
  assertEquals(await runEndless(6, 500), {
    outcome: "4 followers updated, 200000 edges read, 0 looked up",
    pages: [100, 100, 100, 100],
  });
  const { outcome } = await runEndless(20_001, 0);
  assertEquals(
    outcome,
    "20000 followers updated, 0 edges read, 0 looked up",
  );
});

Deno.test("refresh-graph updates weights before it fails because of the node", async () => {
  using deps = await testDeps();
  await followAll(deps, A, [B]);
  await know(deps, [B], paid(0.05));
  await followAll(deps, B, [A]);
  await know(deps, [A], paid(0.05));
  await followAll(deps, addressOf(3), [A]);
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const { error } = await runNamed(deps, JOB);
  assertEquals(error, "Cannot read c-chain.test: no connection");
  assertEquals(await massesOf(deps, [B]), ["0.4 and 0"]);
});
