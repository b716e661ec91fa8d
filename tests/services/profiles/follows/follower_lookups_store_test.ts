/** The followers to look up in the store: which, in which order, and for how long. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  EMPTY_RECORD,
  type GraphRecord,
} from "../../../../services/profiles/follows/follow_edges.ts";
import { followerLookupStore } from "../../../../services/profiles/follows/follower_lookups_store.ts";
import { followStore } from "../../../../services/profiles/follows/follows_store.ts";
import { pendingWeightUpdateStore } from "../../../../services/profiles/follows/graph_store.ts";
import { addressOf } from "../../../support/graph.ts";

const NOW = 100 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
const [A, B, C, D] = [1, 2, 3, 4].map(addressOf) as [
  string,
  string,
  string,
  string,
];
const KNOWN = { claimed: false, hasHistory: true, gasAvax: 1 };
const EMPTY = { claimed: false, hasHistory: false, gasAvax: 0 };

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
    ["known to be empty", unknown, { following: 1, known: EMPTY }, false],
    ["still empty", empty, { following: 1, known: EMPTY }, true],
    ["empty, follows nobody", empty, { following: 0, known: EMPTY }, false],
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
  const record = { ...EMPTY_RECORD, known: { ...EMPTY, claimed: true } };
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
