/** Following over HTTP. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { FollowAnswer } from "../../../services/profiles/profiles_schema.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";

const STRANGER = `0x${"cc".repeat(20)}`;
const PROFILE = { displayName: null, slug: null, linksPublic: false };

async function signedInOwner(deps: TestDeps, nth = 1) {
  const owner = newOwner(deps, keyPair(nth));
  await owner.signIn();
  return {
    ...owner,
    follow: (address: string) => owner.call("PUT", `/follows/${address}`),
    unfollow: (address: string) => owner.call("DELETE", `/follows/${address}`),
  };
}

Deno.test("PUT and DELETE /follows answer the relation of both, and can be repeated", async () => {
  using deps = await testDeps();
  const [ada, eve] = [await signedInOwner(deps), await signedInOwner(deps, 2)];
  const since = deps.now().toISOString();
  const followed = await ada.follow(eve.wallet);
  assertEquals(followed.status, 200, followed.text);
  assertEquals(FollowAnswer.parse(followed.body), followed.body);
  assertEquals(followed.body, {
    address: eve.wallet,
    since,
    mutual: false,
    followers: 1,
  });
  deps.advance(1_000);
  assertEquals(
    (await ada.follow(eve.wallet.toUpperCase().replace("X", "x"))).body,
    followed.body,
  );
  assertEquals((await eve.follow(ada.wallet)).body.mutual, true);
  assertEquals((await ada.follow(eve.wallet)).body.mutual, true);

  await eve.call("PUT", "/profile", { body: PROFILE });
  const path = `/api/profiles/${eve.wallet}`;
  const shown = await (await createApp(deps).request(path)).json();
  assertEquals([shown.followers, shown.following], [1, 1]);

  for (let call = 0; call < 2; call++) {
    const { status, body } = await ada.unfollow(eve.wallet);
    assertEquals([status, body.since, body.followers], [200, null, 0]);
  }
  const { body } = await eve.call("GET", "/profile");
  assertEquals([body.followers, body.following], [0, 1]);
});

Deno.test("PUT /follows rejects the own address, invalid addresses and signed-out callers", async () => {
  using deps = await testDeps();
  const ada = await signedInOwner(deps);
  const own = await ada.follow(ada.wallet);
  assertEquals(own.status, 400);
  assertMatch(own.body.error, /your own/);
  const none = await ada.follow("ada");
  assertEquals(none.status, 400);
  assertMatch(none.body.error, /0x and 40 hexadecimal digits/);
  const signedOut = await newOwner(deps).call("PUT", `/follows/${STRANGER}`);
  assertEquals(signedOut.status, 401);
});

Deno.test("PUT and DELETE /follows share a limit of 100 a minute per wallet", async () => {
  using deps = await testDeps();
  const ada = await signedInOwner(deps);
  const statuses: number[] = [];
  for (let call = 0; call < 51; call++) {
    statuses.push((await ada.follow(STRANGER)).status);
    statuses.push((await ada.unfollow(STRANGER)).status);
  }
  assertEquals(statuses.indexOf(429), 100);
  const { headers, body } = await ada.follow(STRANGER);
  assertEquals(body.code, "RATE_LIMITED");
  const retryAfter = Number(headers.get("Retry-After"));
  assert(retryAfter > 0 && retryAfter <= 61, String(retryAfter));
  const eve = await signedInOwner(deps, 2);
  assertEquals((await eve.follow(STRANGER)).status, 200, "a limit per wallet");
  deps.advance(retryAfter * 1_000);
  assertEquals((await ada.follow(STRANGER)).status, 200);
});
