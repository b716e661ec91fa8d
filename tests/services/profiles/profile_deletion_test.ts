/** Deleting a profile: what goes, what stays, and what interrupts or races it. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  follow,
  importFollows,
} from "../../../services/profiles/follows/follows.ts";
import {
  deleteProfile,
  exportProfile,
} from "../../../services/profiles/profiles.ts";
import type { Edge } from "../../../services/profiles/follows/follow_edges.ts";
import type { PageOptions } from "../../../services/profiles/follows/follows_store.ts";
import {
  contended as contendedFault,
  Fault,
  invalidParameter,
} from "../../../services/platform/fault.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { openStores } from "../../../services/stores.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import {
  addressOf,
  assertRecount,
  claim,
  know,
  others,
  paid,
} from "../../support/graph.ts";
import { succeed } from "../../support/jobs.ts";
import { breakKv, DISK_ERROR } from "../../support/kv/faulty_kv.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import { importLines } from "../../support/profile_import.ts";

const [ADA, BOB, EVE] = [addressOf(1), addressOf(2), addressOf(3)] as const;
const CAUSE = { requestId: "test" };

/** Ada with a name, an account, a number and a donation; she and Bob follow each other. */
async function befriend(deps: TestDeps): Promise<void> {
  const at = deps.now().getTime();
  const cause = { at, requestId: null };
  await know(deps, [ADA, BOB], paid(3));
  await claim(deps, [ADA, BOB]);
  const account = { kind: "github", id: "7", handle: "ada" } as const;
  await deps.store.profiles.change(ADA, (held) => ({
    profile: {
      ...held!,
      slug: "ada",
      socials: [{ ...account, verifiedAt: at }],
    },
    audit: { ...cause, event: "profile.update" },
  }));
  await deps.store.humans.grant(ADA, cause);
  const given = { from: ADA, to: BOB, txHash: "0x1", at, amount: 5n };
  await deps.store.donations.record(given, cause);
  await follow(deps, { follower: ADA, followee: BOB });
  await follow(deps, { follower: BOB, followee: ADA });
}

function claimAs(deps: TestDeps, address: string, slug: string) {
  const at = deps.now().getTime();
  return deps.store.profiles.change(address, (held) => ({
    profile: { ...held ?? newProfile(at), slug },
    audit: { at, event: "profile.update", requestId: null },
  }));
}

Deno.test("deleteProfile() removes names, links and follows; facts of the ledger stay, and a later claim has them again", async () => {
  using deps = await testDeps();
  await befriend(deps);
  const { store } = deps;
  const before = await store.follows.findGraph(BOB);
  assertEquals(await deleteProfile(deps, ADA, CAUSE), {
    address: ADA,
    remainingFollows: 0,
  });
  assertEquals(await store.profiles.find(ADA), null);
  assertEquals(await store.profiles.findBySlug("ada"), null);
  assertEquals(
    (await deps.kv.get(["humans", 1])).value,
    ADA,
    "the number is not reused",
  );
  const after = await store.follows.findGraph(BOB);
  assert(before.followers === 1 && before.paidMass > 0);
  assertEquals(after.followers, 0, "the score of a followed profile changes");
  const { followers, mutual, known } = await store.follows.find(ADA);
  assertEquals([followers, mutual], [1, 0], "Bob still follows the address");
  assertEquals(known?.claimed, false);
  assertEquals(await assertRecount(deps.kv), 1);
  await assertSound(deps.kv, deps.now().getTime());
  const gone = await assertRejects(
    () => deleteProfile(deps, ADA, CAUSE),
    Fault,
  );
  assertEquals(gone.failure.kind, "unknownProfile");

  assertEquals((await claimAs(deps, EVE, "ada")).kind, "changed");
  assertEquals((await claimAs(deps, ADA, "ada-l")).kind, "changed");
  const profile = await store.profiles.find(ADA);
  assertEquals([profile?.verifiedHuman, profile?.donated], [1, 5n]);
  assertEquals(profile?.socials, []);
  await assertSound(deps.kv, deps.now().getTime());
});

Deno.test("deleteProfile() that fails changes nothing", async () => {
  using deps = await testDeps();
  await befriend(deps);
  const faults = breakKv(deps.kv);
  faults.commits = new Error(DISK_ERROR);
  await assertRejects(() => deleteProfile(deps, ADA, CAUSE), Error, DISK_ERROR);
  faults.commits = null;
  assertEquals((await deps.store.profiles.findBySlug("ada"))?.address, ADA);
  assertEquals(await assertRecount(deps.kv), 2);
  await assertSound(deps.kv, deps.now().getTime());
});

Deno.test("a deletion that is killed after its transaction is sound, and a job finishes it", async () => {
  using deps = await testDeps();
  await befriend(deps);
  const at = deps.now().getTime();
  // The process ends here: nobody removes the follows.
  assert(await deps.store.profiles.delete(ADA, { at, requestId: null }));
  await assertSound(deps.kv, at);
  const ends = { follower: ADA, followee: EVE };
  const refused = await assertRejects(() => follow(deps, ends), Fault);
  assertEquals(refused.failure.kind, "contended");
  await succeed(deps, "refresh-graph");
  assertEquals((await deps.store.follows.find(BOB)).followers, 0);
  await follow(deps, ends);
  assert(await deps.store.follows.isFollowing(ADA, EVE));
  assertEquals(await assertRecount(deps.kv), 2);
  await assertSound(deps.kv, at);
});

Deno.test("deleteProfile() removes 2,000 follows at once, and leaves the others to the job", async () => {
  using deps = await testDeps();
  await claim(deps, [ADA]);
  const at = deps.now().getTime();
  const edges = others(2_050)
    .map((followee) => ({ follower: ADA, followee, at }));
  await importFollows(deps, edges);
  const { remainingFollows } = await deleteProfile(deps, ADA, CAUSE);
  assertEquals(remainingFollows, 50);
  const [{ address: last } = {}] = await deps.store.follows
    .listFollowees(ADA, { after: null, limit: 1 });
  const lines = [
    { address: BOB, follows: [{ address: EVE, at }] },
    { address: ADA, follows: [EVE, last!].map((address) => ({ address, at })) },
  ];
  const { follows, refused } = await importLines(deps, lines);
  assertEquals([follows, refused], [{ added: 1, unchanged: 0 }, [{
    line: 2,
    reason:
      "the follows of its deleted profile are being removed; import it again in a minute",
  }]], "no follow is dropped in silence");
  await succeed(deps, "refresh-graph");
  assertEquals(
    await deps.store.follows.find(ADA).then((sums) => [
      sums.following,
      sums.isLeaving,
    ]),
    [0, undefined],
  );
  assertEquals((await importLines(deps, lines)).follows, {
    added: 2,
    unchanged: 1,
  });
  assertEquals(await assertRecount(deps.kv), 3);
});

Deno.test("a deletion races follows and a second deletion of two processes: nothing is left of the profile", async () => {
  for (let round = 0; round < 8; round++) {
    using deps = await testDeps();
    await befriend(deps);
    const other = { ...deps, store: { ...deps.store, ...openStores(deps.kv) } };
    const outcomes = await Promise.allSettled([
      follow(other, { follower: ADA, followee: EVE }),
      deleteProfile(deps, ADA, CAUSE),
      deleteProfile(other, ADA, CAUSE),
      follow(other, { follower: BOB, followee: EVE }),
      follow(deps, { follower: ADA, followee: addressOf(4) }),
    ]);
    const deleted = outcomes.slice(1, 3).map(({ status }) => status);
    assertEquals(deleted.toSorted(), ["fulfilled", "rejected"]);
    await succeed(deps, "refresh-graph");
    const { isLeaving } = await deps.store.follows.find(ADA);
    assertEquals(isLeaving, undefined);
    assert(!await deps.store.follows.isFollowing(ADA, BOB));
    assert(await deps.store.follows.isFollowing(BOB, EVE));
    assertEquals(await deps.store.profiles.findBySlug("ada"), null);
    await assertRecount(deps.kv);
    await assertSound(deps.kv, deps.now().getTime());
  }
});

Deno.test("deleteProfile() stops at contention, which the job gets over, and throws any other error", async () => {
  using deps = await testDeps();
  await befriend(deps);
  const pages: string[] = [];
  const failing = (error: Error) => {
    const changeAll = () => {
      pages.push("page");
      return Promise.reject(error);
    };
    const follows = { ...deps.store.follows, changeAll };
    return { ...deps, store: { ...deps.store, follows } };
  };
  const broken = failing(new Error(DISK_ERROR));
  await assertRejects(
    () => deleteProfile(broken, ADA, CAUSE),
    Error,
    DISK_ERROR,
  );
  await claimAs(deps, BOB, "bob");
  const contended = failing(contendedFault("many write"));
  assertEquals(await deleteProfile(contended, BOB, CAUSE), {
    address: BOB,
    remainingFollows: 1,
  });
  assertEquals(pages.length, 2, "one attempt each");
  const invalid = failing(invalidParameter("address", "0x", "another"));
  await claimAs(deps, EVE, "eve");
  await follow(deps, { follower: EVE, followee: BOB });
  const error = await assertRejects(
    () => deleteProfile(invalid, EVE, CAUSE),
    Fault,
  );
  assertEquals(error.failure.kind, "badInput");
});

Deno.test("exportProfile() lists all follows of both directions in pages of 500", async () => {
  using deps = await testDeps();
  const asked: (string | null)[] = [];
  const all = others(1_000);
  const edge = { at: 1, mutual: false } as Edge;
  const pageOf = ({ after, limit }: PageOptions) => {
    const from = after === null ? 0 : all.indexOf(after) + 1;
    asked.push(after);
    return all.slice(from, from + limit);
  };
  const follows = {
    ...deps.store.follows,
    listFollowers: (_: string, page: PageOptions) =>
      Promise.resolve(pageOf(page)),
    listFollowees: (_: string, page: PageOptions) =>
      Promise.resolve(pageOf(page).map((address) => ({ address, edge }))),
  };
  const store = { ...deps.store, follows };
  const exported = await exportProfile({ ...deps, store }, ADA);
  const since = new Date(1).toISOString();
  assertEquals(exported.followers, all);
  assertEquals(exported.following, all.map((address) => ({ address, since })));
  const pages = [null, all[499]!, all[999]!];
  assertEquals(new Set(asked), new Set(pages));
  assertEquals(asked.length, 2 * pages.length);
});
