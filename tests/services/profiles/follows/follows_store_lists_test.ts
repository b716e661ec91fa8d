/** What the follow store tells of an address: its pages of followers, its sums, and who is marked as unknown. */
import { assertEquals } from "@std/assert";
import { EMPTY_RECORD } from "../../../../services/profiles/follows/follow_edges.ts";
import {
  type Change,
  followStore,
} from "../../../../services/profiles/follows/follows_store.ts";
import { NO_GRAPH } from "../../../../services/model/signals.ts";
import { addressOf } from "../../../support/graph.ts";

const NOW = Date.UTC(2026, 10, 21, 8);
const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)] as const;

const follow = (follower: string, followee: string): Change => {
  return { kind: "follow", follower, followee, at: NOW };
};
const unfollow = (follower: string, followee: string): Change => {
  return { kind: "unfollow", follower, followee };
};

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

Deno.test("an unknown follower is marked with its edge, and a known one is not", async () => {
  using kv = await Deno.openKv(":memory:");
  const follows = followStore(kv);
  const known = { claimed: false, hasHistory: true, gasAvax: 1 };
  await kv.set(["graphs", B], { ...EMPTY_RECORD, known });
  const listMarks = async () =>
    (await Array.fromAsync(kv.list({ prefix: ["unknown_followers"] })))
      .map(({ key }) => key);
  await follows.change(follow(A, C));
  await follows.change(follow(B, C));
  assertEquals(await listMarks(), [["unknown_followers", NOW, A, C]]);
  await follows.change(unfollow(A, C));
  assertEquals(await listMarks(), []);
});
