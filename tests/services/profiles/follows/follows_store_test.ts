import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Change,
  followStore,
} from "../../../../services/profiles/follows/follows_store.ts";
import {
  EMPTY_RECORD,
  type GraphRecord,
} from "../../../../services/profiles/follows/follow_edges.ts";
import {
  followerLookupStore,
  graphKeys,
  prepareFollowerUpdate,
} from "../../../../services/profiles/follows/pending_follows_store.ts";
import { NO_GRAPH } from "../../../../services/model/signals.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { addressOf, assertRecount } from "../../../support/graph.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { newProfile } from "../../../../services/profiles/profile.ts";
import { openStores } from "../../../../services/stores.ts";
import { assertSound } from "../../../support/kv/invariants.ts";
import { START } from "../../../support/deps.ts";

const NOW = Date.UTC(2026, 10, 21, 8);
const HOUR_MS = 3_600_000;
/** The border between two hour ranges. */
const BORDER = 1_400 * 14 * 24 * HOUR_MS;
const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)] as const;

const follow = (follower: string, followee: string, at = NOW): Change => {
  return { kind: "follow", follower, followee, at };
};
const unfollow = (follower: string, followee: string): Change => {
  return { kind: "unfollow", follower, followee };
};

/** Opens an in-memory store that counts reads and commits. */
async function open() {
  const kv = await Deno.openKv(":memory:");
  const counts = { keys: 0, commits: 0 };
  const counting = Object.create(kv, {
    getMany: {
      value(keys: Deno.KvKey[]) {
        counts.keys += keys.length;
        return kv.getMany(keys);
      },
    },
    atomic: {
      value() {
        counts.commits++;
        return kv.atomic();
      },
    },
    list: { value: kv.list.bind(kv) },
  }) as Deno.Kv;
  const follows = followStore(counting);
  return { kv, counts, follows, [Symbol.dispose]: () => kv.close() };
}

/** All records by key. */
async function dump(kv: Deno.Kv) {
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  return entries.map(({ key, value }) => ({ key, value }));
}

Deno.test("change() follows and unfollows once, and forgets the previous time", async () => {
  using store = await open();
  const { follows, kv } = store;
  const first = await follows.change(follow(A, B));
  assert(first.changed);
  assertEquals(first.edge?.at, NOW);
  const again = await follows.change(follow(A, B, NOW + HOUR_MS));
  assertEquals(again, { changed: false, edge: first.edge });
  assertEquals((await follows.findGraph(B)).followers, 1);
  const gone = await follows.change(unfollow(A, B));
  assertEquals(gone, { changed: true, edge: null });
  const twice = await follows.change(unfollow(A, B));
  assertEquals(twice, { changed: false, edge: null });
  assertEquals(await dump(kv), [], "nothing stays behind");
  const anew = await follows.change(follow(A, B, NOW + 2 * HOUR_MS));
  assertEquals(anew.edge?.at, NOW + 2 * HOUR_MS);
});

Deno.test("a reverse edge makes both mutual in one transaction", async () => {
  using store = await open();
  const { follows, kv, counts } = store;
  await follows.change(follow(A, B));
  counts.commits = 0;
  await follows.change(follow(B, A, NOW + HOUR_MS));
  assertEquals(counts.commits, 1);
  for (const address of [A, B]) {
    const { followers, following, mutual } = await follows.find(address);
    assertEquals([followers, following, mutual], [1, 1, 1]);
  }
  await assertRecount(kv);
  await follows.change(unfollow(A, B));
  assertEquals((await follows.findGraph(A)).mutual, 0);
  await assertRecount(kv);
});

Deno.test("followers within a day are one burst, also over the border of two ranges and in any order", async () => {
  for (const hours of [[-1, 1], [1, -1]]) {
    using store = await open();
    for (const [nth, hour] of hours.entries()) {
      await store.follows.change(
        follow(addressOf(nth + 10), A, BORDER + hour * HOUR_MS),
      );
    }
    assertEquals((await store.follows.findGraph(A)).burst, 2);
    await store.follows.change(unfollow(addressOf(10), A));
    assertEquals((await store.follows.findGraph(A)).burst, 1);
  }
});

Deno.test("changeAll() splits large inputs into transactions and reports each outcome", async () => {
  using store = await open();
  const { follows, kv, counts } = store;
  const changes = Array.from(
    { length: 350 },
    (_, nth) => follow(addressOf(nth + 10), A, NOW - nth * 7 * HOUR_MS),
  );
  const changed = await follows.changeAll(changes);
  assertEquals(
    changed.map(({ edge }) => edge?.at),
    changes.map((_, nth) => NOW - nth * 7 * HOUR_MS),
  );
  assert(counts.commits < 10, `${counts.commits} transactions`);
  assertEquals(await assertRecount(kv), 350);
  counts.commits = 0;
  const again = await follows.changeAll(changes);
  assertEquals(again, changed.map(({ edge }) => ({ changed: false, edge })));
  assertEquals(counts.commits, 0, "nothing changes the second time");
});

Deno.test("changeAll() keeps the order of changes of one edge across transactions", async () => {
  using store = await open();
  const pairs = Array.from({ length: 30 }, (_, nth) => {
    return [addressOf(nth + 10), addressOf((nth + 7) % 30 + 10)] as const;
  });
  // Each edge comes and goes, so each change changes something in this order alone.
  const changes = Array.from(
    { length: 11 },
    (_, turn) =>
      pairs.map((pair) => turn % 2 === 0 ? follow(...pair) : unfollow(...pair)),
  )
    .flat();
  const outcomes = await store.follows.changeAll(changes);
  assertEquals(outcomes.filter(({ changed }) => !changed), []);
  assertEquals(await assertRecount(store.kv), pairs.length);
});

Deno.test("findGraph() reads one key for any number of followers", async () => {
  using store = await open();
  const { follows, counts } = store;
  const followers = (count: number, followee: string) =>
    Array.from(
      { length: count },
      (_, nth) => follow(addressOf(nth + 10), followee, NOW - nth * HOUR_MS),
    );
  await follows.changeAll(followers(10, A));
  await follows.changeAll(followers(1_000, B));
  for (const [address, count] of [[A, 10], [B, 1_000], [C, 0]] as const) {
    counts.keys = 0;
    assertEquals((await follows.findGraph(address)).followers, count);
    assertEquals(counts.keys, 1);
  }
});

Deno.test("a change of constantly contended sums fails and writes nothing", async () => {
  using kv = await Deno.openKv(":memory:");
  const losing = Object.create(kv, {
    getMany: { value: kv.getMany.bind(kv) },
    atomic: {
      value() {
        const atomic = kv.atomic();
        atomic.commit = () => Promise.resolve({ ok: false });
        return atomic;
      },
    },
  }) as Deno.Kv;
  const setTimeout = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void) => setTimeout(run, 0)) as never;
  try {
    const { change } = followStore(losing);
    const error = await assertRejects(() => change(follow(A, B)), Fault);
    assertEquals(error.failure.kind, "contended");
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assertEquals(await dump(kv), []);
});

Deno.test("listFollowers() and listFollowees() give the pages of one address", async () => {
  using kv = await Deno.openKv(":memory:");
  const follows = followStore(kv);
  const others = [10, 11, 12].map(addressOf);
  await follows.changeAll(
    [
      ...others.flatMap((other) => [follow(A, other), follow(other, A)]),
      follow(B, A),
    ],
  );
  const pages = [[null, 2], [others[0]!, 9], [others[2]!, 9]] as const;
  const expected = [[B, others[0]], others.slice(1), []];
  for (const [nth, [after, limit]] of pages.entries()) {
    const page = await follows.listFollowers(A, { after, limit });
    assertEquals(page, expected[nth]);
  }
  const followees = await follows.listFollowees(A, {
    after: others[0]!,
    limit: 9,
  });
  assertEquals(followees.map(({ address }) => address), others.slice(1));
});

Deno.test("an address without edges has empty sums, no signals and no relation", async () => {
  using kv = await Deno.openKv(":memory:");
  const follows = followStore(kv);
  assertEquals(await follows.find(A), EMPTY_RECORD);
  assertEquals(await follows.findGraph(A), NO_GRAPH);
  assertEquals(await follows.isFollowing(A, B), false);
  await follows.change(follow(A, B));
  assertEquals(await follows.isFollowing(A, B), true);
  assertEquals(await follows.isFollowing(B, A), false);
  assertEquals((await follows.find(A)).following, 1);
});

Deno.test("an unknown follower is looked up while it follows, and a known one is not", async () => {
  using kv = await Deno.openKv(":memory:");
  const follows = followStore(kv);
  const known = { claimed: false, hasHistory: true, gasAvax: 1 };
  const entry = await kv.get<GraphRecord>(graphKeys.graph(B));
  await prepareFollowerUpdate(entry, B, () => known)(kv.atomic()).commit();
  const { list } = followerLookupStore(kv);
  const listUnknown = async () =>
    (await Array.fromAsync(list(NOW))).map(({ follower }) => follower);
  await follows.change(follow(A, C));
  await follows.change(follow(B, C));
  assertEquals(await listUnknown(), [A]);
  await follows.change(unfollow(A, C));
  assertEquals(await listUnknown(), []);
});

// Follows that share a transaction with others of the same edge, or meet the deletion of a profile.

const ENDS = { follower: "0xa", followee: "0xb" };
const at = Date.parse(START);

Deno.test("a follow of an address that is leaving removes its edge with the arrival", async () => {
  using kv = await Deno.openKv(":memory:");
  const { follows, profiles } = openStores(kv);
  const requestId = "request";
  await profiles.change("0xa", () => ({
    profile: newProfile(at),
    audit: { at, event: "profile.update", requestId },
  }));
  await follows.change({ kind: "follow", ...ENDS, at: at - 60 * DAY_MS });
  await follows.change({
    kind: "follow",
    follower: "0xc",
    followee: "0xb",
    at: at - 60 * DAY_MS,
  });
  await profiles.delete("0xa", { at, requestId });
  const outcome = await follows.change({ kind: "follow", ...ENDS, at });
  assertEquals(outcome, { changed: true, edge: null });
  await assertSound(kv);
  assertEquals((await follows.findGraph("0xb")).burst, 1);
});

Deno.test("an edge that is removed and created again in one transaction is looked up at its new time", async () => {
  using kv = await Deno.openKv(":memory:");
  const { follows, followerLookups } = openStores(kv);
  await follows.change({ kind: "follow", ...ENDS, at: at - DAY_MS });
  await Promise.all([
    follows.change({ kind: "unfollow", ...ENDS }),
    follows.change({ kind: "follow", ...ENDS, at }),
  ]);
  const lookups = await Array.fromAsync(followerLookups.list(at));
  assertEquals(lookups.map(({ key }) => key[1]), [at]);
  await assertSound(kv);
});

// Changes of the follow graph stay within the limits of one Deno KV transaction.

Deno.test("following a hundred popular addresses at once takes more than one transaction", async () => {
  using store = await open();
  const { follows, kv } = store;
  const hours = Array.from({ length: 336 }, (_, hour) => hour * HOUR_MS);
  const busy = hours.map((at, nth) => follow(addressOf(nth + 1_000), A, at));
  await follows.changeAll(busy);
  const copies = Array.from({ length: 99 }, (_, nth) => addressOf(nth + 10));
  const record = await kv.get(["graphs", A]);
  const table = await kv.get(["graphs", A, "hours", 0]);
  for (const copy of copies) {
    await kv.set(["graphs", copy], record.value);
    await kv.set(["graphs", copy, "hours", 0], table.value);
  }
  const { change } = followStore(kv);
  await Promise.all(copies.map((copy) => change(follow(B, copy, 9))));
  for (const copy of copies) {
    assertEquals((await follows.findGraph(copy)).followers, 337);
  }
});

Deno.test("following a hundred addresses with years of followers takes more than one transaction", async () => {
  using store = await open();
  const { follows, kv } = store;
  const years = Array.from({ length: 400 }, (_, nth) => nth * 336 * HOUR_MS);
  const busy = years.map((at, nth) => follow(addressOf(nth + 1_000), A, at));
  await follows.changeAll(busy);
  const copies = Array.from({ length: 99 }, (_, nth) => addressOf(nth + 10));
  const record = await kv.get(["graphs", A]);
  for (const copy of copies) await kv.set(["graphs", copy], record.value);
  const { change } = followStore(kv);
  await Promise.all(copies.map((copy) => change(follow(B, copy, 9))));
  for (const copy of copies) {
    assertEquals((await follows.findGraph(copy)).followers, 401);
  }
});
