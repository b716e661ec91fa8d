/** Followers in the answers of the scoring API: what moves as they come, and what reading them costs. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { importFollows } from "../../../services/profiles/follows/follows.ts";
import { recordScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { claim, know, others, paid } from "../../support/graph.ts";

const ADDRESS = exampleOf("ordinary");
const SCORE = `/score/${ADDRESS}`;

/** Makes addresses follow another, two days between one and the next, or all at once. */
async function followedBy(
  deps: TestDeps,
  followers: readonly string[],
  { followee = ADDRESS, daysApart = 2 } = {},
): Promise<void> {
  const now = deps.now().getTime();
  const edges = followers.map((follower, nth) => {
    return { follower, followee, at: now - nth * daysApart * DAY_MS };
  });
  await importFollows(deps, edges);
}

/** Counts what a piece of work reads of the database: keys, and calls. */
async function readsOf({ kv }: TestDeps, work: () => Promise<unknown>) {
  const { get, getMany, list } = kv;
  const reads = { keys: 0, calls: 0 };
  const count = (keys: number) => {
    reads.keys += keys;
    reads.calls++;
  };
  kv.get = ((...args: Parameters<typeof get>) => {
    count(1);
    return get.apply(kv, args);
  }) as typeof get;
  kv.getMany = ((...args: Parameters<typeof getMany>) => {
    count(args[0].length);
    return getMany.apply(kv, args);
  }) as typeof getMany;
  kv.list = (() => {
    throw new Error("A list grows with the number of followers");
  }) as typeof list;
  try {
    await work();
  } finally {
    Object.assign(kv, { get, getMany, list });
  }
  return reads;
}

Deno.test("GET /score/:address moves with the followers, field by field", async () => {
  using deps = await testDeps();
  const { ask } = await enrol(deps);
  const { body: alone } = await ask(SCORE);
  assertEquals(alone.graph, { analyzed: false, flags: [], socialDamping: 1 });
  assertEquals([alone.s4.social, alone.breakdown.followers], [0, 0]);
  const codesOf = (body: typeof alone) =>
    body.explanation.reasons.map(({ code }: { code: string }) => code);
  assert(codesOf(alone).includes("GRAPH_NOT_ANALYZED"));

  const fair = others(20);
  await claim(deps, fair);
  await know(deps, fair, paid(0.05));
  await followedBy(deps, fair);
  const { body: liked } = await ask(SCORE);
  assertEquals(liked.graph, { analyzed: true, flags: [], socialDamping: 1 });
  assert(liked.s4.social > 10, `social ${liked.s4.social}`);
  assert(liked.s4.composite > alone.s4.composite);
  assert(liked.s4.confidence > alone.s4.confidence);
  assert(liked.breakdown.followers > 0);
  assertEquals(liked.s4.composite, liked.breakdown.total);
  for (const code of ["QUALITY_FOLLOWERS", "CLEAN_GRAPH"]) {
    assert(codesOf(liked).includes(code), code);
  }

  const surge = others(30, 5_000);
  await know(deps, surge, {});
  await followedBy(deps, surge, { daysApart: 0 });
  const { body: damped } = await ask(SCORE);
  assertEquals(damped.graph.flags, ["follower_burst", "thin_followers"]);
  assert(damped.graph.socialDamping < 1);
  assert(damped.s4.social > 0 && damped.s4.social < liked.s4.social);
  assert(damped.s4.confidence < liked.s4.confidence);
  assert(codesOf(damped).includes("FOLLOWER_BURST"));
});

Deno.test("batches and the history count the same followers", async () => {
  using deps = await testDeps();
  const { ask, batch } = await enrol(deps, { plan: "builder" });
  await ask(SCORE);
  await followedBy(deps, others(12));
  const { body: read } = await ask(SCORE);
  const { body: { results: [item] } } = await batch({ addresses: [ADDRESS] });
  assertEquals(item.graph, read.graph);
  assertEquals(item.s4, read.s4);
  deps.advance(DAY_MS);
  await know(deps, others(12, 900), paid(0.05));
  await followedBy(deps, others(12, 900));
  assert(await recordScore(deps, ADDRESS));
  const { body } = await ask(`${SCORE}/history?include=breakdown`);
  const followers = body.history.map(
    ({ breakdown }: { breakdown: { followers: number } }) =>
      breakdown.followers,
  );
  assertEquals(followers.length, 2);
  assert(followers[0] > 0 && followers[1] > followers[0]);
});

Deno.test("a score costs as many reads with 3,000 followers as with ten", async () => {
  using deps = await testDeps();
  const { ask, batch } = await enrol(deps, { plan: "builder" });
  const [few, many] = [exampleOf("ordinary", 1), exampleOf("ordinary", 2)];
  await followedBy(deps, others(10), { followee: few, daysApart: 0.3 });
  await followedBy(deps, others(3_000), { followee: many, daysApart: 0.3 });
  const costs = [];
  for (const address of [few, many]) {
    await ask(`/score/${address}`);
    const read = () => ask(`/score/${address}`);
    const screen = () => batch({ addresses: [address] });
    costs.push([await readsOf(deps, read), await readsOf(deps, screen)]);
  }
  assertEquals(costs[0], costs[1]);
  assert(costs[0]![0]!.keys > 0);
});
