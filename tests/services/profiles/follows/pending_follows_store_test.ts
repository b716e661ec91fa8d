/** What the follow graph leaves to jobs: outdated weights, and followers to look up. */
import { assertEquals } from "@std/assert";
import {
  EMPTY_RECORD,
  type GraphRecord,
  withProfile,
} from "../../../../services/profiles/follows/follow_edges.ts";
import {
  followerLookupStore,
  graphKeys,
  pendingWeightUpdateStore,
  prepareFollowerUpdate,
  prepareLeaving,
} from "../../../../services/profiles/follows/pending_follows_store.ts";
import { followStore } from "../../../../services/profiles/follows/follows_store.ts";
import { addressOf } from "../../../support/graph.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";

const [A, B, C, D] = [1, 2, 3, 4].map(addressOf) as [
  string,
  string,
  string,
  string,
];
const EMPTY_WALLET = { claimed: false, hasHistory: false, gasAvax: 0 };
const OWNER = { claimed: true, hasHistory: null, gasAvax: 0 };
const AT = Date.UTC(2026, 10, 21);

/** A database in which addresses follow number 9, and all their edges have outdated weights. */
async function openChanged(numbers: readonly number[]) {
  const kv = await Deno.openKv(":memory:");
  const { change } = followStore(kv);
  for (const follower of numbers.map(addressOf)) {
    await change({ kind: "follow", follower, followee: addressOf(9), at: AT });
    await learnOwner(kv, follower);
  }
  return kv;
}

/** Marks an address as claimed in its own transaction. */
async function learnOwner(kv: Deno.Kv, address: string): Promise<boolean> {
  const entry = await kv.get<GraphRecord>(graphKeys.graph(address));
  const add = prepareFollowerUpdate(entry, address, withProfile);
  return (await add(kv.atomic()).commit()).ok;
}

const listAddresses = (kv: Deno.Kv) =>
  Array.fromAsync(
    pendingWeightUpdateStore(kv).list(),
    ({ address }) => address,
  );

Deno.test("prepareFollowerUpdate() marks only followers whose weight changed", async () => {
  using kv = await openChanged([1]);
  assertEquals(await listAddresses(kv), [A]);
  await learnOwner(kv, addressOf(9));
  await learnOwner(kv, addressOf(5));
  assertEquals(await listAddresses(kv), [A]);
  const [changed] = await Array.fromAsync(pendingWeightUpdateStore(kv).list());
  assertEquals(
    await pendingWeightUpdateStore(kv).advance(changed!, null),
    true,
  );
  await learnOwner(kv, A);
  assertEquals(await listAddresses(kv), []);
});

Deno.test("prepareFollowerUpdate() fails the commit if the sums changed meanwhile", async () => {
  using kv = await Deno.openKv(":memory:");
  const entry = await kv.get<GraphRecord>(graphKeys.graph(A));
  const add = prepareFollowerUpdate(entry, A, withProfile);
  await learnOwner(kv, A);
  assertEquals((await add(kv.atomic()).commit()).ok, false);
});

Deno.test("list() starts after the address updated last", async () => {
  const [first, second, third] = [1, 2, 3].map(addressOf) as [
    string,
    string,
    string,
  ];
  using kv = await openChanged([1, 2, 3]);
  const { list, advance } = pendingWeightUpdateStore(kv);
  assertEquals(await listAddresses(kv), [first, second, third]);
  const [, changed] = await Array.fromAsync(list());
  await advance(changed!, addressOf(9));
  assertEquals(await listAddresses(kv), [third, first, second]);
  const left = (await Array.fromAsync(list())).at(-1)!;
  assertEquals(left, { ...changed!, after: addressOf(9) });
  await advance(left, null);
  assertEquals(await listAddresses(kv), [third, first]);
});

Deno.test("advance() keeps an update that was marked again meanwhile", async () => {
  using kv = await openChanged([1]);
  const { list, advance } = pendingWeightUpdateStore(kv);
  const [before] = await Array.fromAsync(list());
  const entry = await kv.get<GraphRecord>(graphKeys.graph(A));
  const add = prepareFollowerUpdate(entry, A, () => EMPTY_WALLET);
  await add(kv.atomic()).commit();
  assertEquals(await advance(before!, null), false);
  assertEquals(await listAddresses(kv), [A]);
});

Deno.test("prepareLeaving() marks the follows of an address for removal, if it has any", async () => {
  for (const following of [0, 1, 2]) {
    using kv = await Deno.openKv(":memory:");
    const held = { ...EMPTY_RECORD, followers: 1, following, known: OWNER };
    await kv.set(graphKeys.graph(A), held);
    const entry = await kv.get<GraphRecord>(graphKeys.graph(A));
    const commit = () => prepareLeaving(entry, A)(kv.atomic()).commit();
    assertEquals((await commit()).ok, true);
    assertEquals((await commit()).ok, false, "the record has changed");
    const left = await kv.get<GraphRecord>(graphKeys.graph(A));
    assertEquals(left.value, {
      ...held,
      known: { ...OWNER, claimed: false },
      ...following > 0 ? { isLeaving: true } : {},
    });
    assertEquals(await listAddresses(kv), following > 0 ? [A] : []);
  }
});

const NOW = 100 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
const KNOWN = { claimed: false, hasHistory: true, gasAvax: 1 };

const listKeys = async (kv: Deno.Kv, prefix: Deno.KvKey) =>
  (await Array.fromAsync(kv.list({ prefix }))).map(({ key }) => key);

Deno.test("list() gives unknown followers, the newest edge first, and then the empty ones of a week ago", async () => {
  using kv = await Deno.openKv(":memory:");
  const lookups = followerLookupStore(kv);
  const { change } = followStore(kv);
  const follow = (follower: string, at: number) =>
    change({ kind: "follow", follower, followee: addressOf(9), at });
  const listed = async () =>
    (await Array.fromAsync(lookups.list(NOW))).map(({ follower }) => follower);
  const emptySince = [[A, 0], [D, 1], [C, 2]] as const;
  for (const [follower, earlier] of emptySince) {
    await follow(follower, 1);
    const [lookup] = await Array.fromAsync(lookups.list(NOW));
    const at = NOW - WEEK_MS - earlier;
    await lookups.answer([lookup!], { nonce: 0, at });
    // Only in the order of time, and after a whole week.
    assertEquals((await listed()).includes(follower), earlier > 0);
  }
  const [E, F] = [addressOf(5), addressOf(6)];
  await follow(E, 5);
  await follow(F, 7);
  assertEquals(await listed(), [F, E, C, D]);
});

Deno.test("isNeeded() removes a lookup of a follower that follows nobody, or of whom enough is known", async () => {
  const unknown = ["unknown_followers", 1, A, B];
  const empty = ["empty_followers", 1, A];
  const cases: readonly [
    name: string,
    key: Deno.KvKey,
    record: Partial<GraphRecord> | null,
    isNeeded: boolean,
  ][] = [
    ["without a record", unknown, null, false],
    ["unknown", unknown, { following: 1 }, true],
    ["unknown, follows nobody", unknown, { following: 0 }, false],
    ["known", unknown, { following: 1, known: KNOWN }, false],
    [
      "known to be empty",
      unknown,
      { following: 1, known: EMPTY_WALLET },
      false,
    ],
    ["still empty", empty, { following: 1, known: EMPTY_WALLET }, true],
    [
      "empty, follows nobody",
      empty,
      { following: 0, known: EMPTY_WALLET },
      false,
    ],
    ["empty no longer", empty, { following: 1, known: KNOWN }, false],
    ["forgotten", empty, { following: 1, known: null }, false],
  ];
  for (const [name, key, record, isNeeded] of cases) {
    using kv = await Deno.openKv(":memory:");
    await kv.set(key, true);
    if (record) await kv.set(["graphs", A], { ...EMPTY_RECORD, ...record });
    const lookup = { follower: A, key };
    assertEquals(
      await followerLookupStore(kv).isNeeded(lookup),
      isNeeded,
      name,
    );
    const isKept = (await kv.get(key)).versionstamp !== null;
    assertEquals(isKept, isNeeded, name);
  }
});

Deno.test("a follower that is known to have sent nothing is looked up a week after it follows", async () => {
  const edge = { follower: A, followee: B, at: NOW };
  const record = { ...EMPTY_RECORD, known: { ...EMPTY_WALLET, claimed: true } };
  const listNeeded = async (kv: Deno.Kv, now: number) => {
    const lookups = followerLookupStore(kv);
    const listed = await Array.fromAsync(lookups.list(now));
    const areNeeded = await Promise.all(listed.map(lookups.isNeeded));
    return listed.filter((_, nth) => areNeeded[nth])
      .map(({ follower }) => follower);
  };
  {
    using kv = await Deno.openKv(":memory:");
    await kv.set(["graphs", A], record);
    await followStore(kv).change({ kind: "follow", ...edge });
    assertEquals(await listNeeded(kv, NOW + WEEK_MS - DAY_MS), []);
    assertEquals(await listNeeded(kv, NOW + WEEK_MS + 1), [A]);
  }
  // It was scored after it had followed.
  using kv = await Deno.openKv(":memory:");
  await followStore(kv).change({ kind: "follow", ...edge });
  await kv.set(["graphs", A], { ...record, following: 1 });
  assertEquals(await listNeeded(kv, NOW + 1), []);
  assertEquals(await listNeeded(kv, NOW + WEEK_MS + 1), [A]);
});

Deno.test("answer() removes the lookups, and asks again only for a follower that had sent nothing", async () => {
  for (const nonce of [0, 1]) {
    using kv = await Deno.openKv(":memory:");
    await followStore(kv).change({
      kind: "follow",
      follower: A,
      followee: B,
      at: 1,
    });
    const lookups = followerLookupStore(kv);
    const [lookup] = await Array.fromAsync(lookups.list(NOW));
    await lookups.answer([lookup!], { nonce, at: NOW });
    assertEquals(await listKeys(kv, ["unknown_followers"]), []);
    const isEmpty = nonce === 0;
    assertEquals(
      await listKeys(kv, ["empty_followers"]),
      isEmpty ? [["empty_followers", NOW, A]] : [],
    );
    const record = await kv.get<GraphRecord>(["graphs", A]);
    assertEquals(record.value?.known?.hasHistory, isEmpty ? false : null);
    const pending = await pendingWeightUpdateStore(kv).find(A);
    assertEquals(pending?.address, isEmpty ? A : undefined);
  }
});
