/** Follows that share a transaction with others of the same edge, or meet the deletion of a profile. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import { newProfile } from "../../../../services/profiles/profile.ts";
import { openStores } from "../../../../services/stores.ts";
import { assertSound } from "../../../support/kv/invariants.ts";
import { START } from "../../../support/deps.ts";

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
