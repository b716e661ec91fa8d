/** The export and the deletion of the own profile over HTTP. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  DeletedProfile,
  ProfileExport,
} from "../../../services/profiles/profiles_schema.ts";
import { testDeps } from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";

Deno.test("an owner exports and deletes the profile; others find it unclaimed, and its number stays in the score", async () => {
  using deps = await testDeps();
  const [ada, bob] = [newOwner(deps), newOwner(deps, keyPair(2))];
  for (const [owner, slug] of [[ada, "ada"], [bob, "bobby"]] as const) {
    await owner.signIn();
    const body = { displayName: slug, slug, linksPublic: true };
    assertEquals((await owner.call("PUT", "/profile", { body })).status, 200);
  }
  await ada.call("PUT", `/follows/${bob.wallet}`);
  await bob.call("PUT", `/follows/${ada.wallet}`);
  const at = deps.now().getTime();
  await deps.store.humans.grant(ada.wallet, { at, requestId: null });

  const exported = await ada.call("GET", "/profile/export");
  assertEquals(exported.status, 200);
  assertEquals(ProfileExport.parse(exported.body), exported.body);
  assertStringIncludes(
    exported.headers.get("Content-Disposition")!,
    `firn-profile-${ada.wallet}.json`,
  );
  const { profile, following, followers } = exported.body;
  assertEquals(profile.slug, "ada");
  assertEquals(following, [{
    address: bob.wallet,
    since: deps.now().toISOString(),
  }]);
  assertEquals(followers, [bob.wallet]);

  const deleted = await ada.call("DELETE", "/profile");
  assertEquals(deleted.status, 200);
  assertEquals(DeletedProfile.parse(deleted.body), deleted.body);
  assertEquals((await ada.call("DELETE", "/profile")).status, 404);
  const look = (path: string) => createApp(deps).request(path);
  assertEquals((await look("/api/profiles/ada")).status, 404);
  assertEquals((await look(`/api/profiles/${ada.wallet}`)).status, 404);
  const followed = await (await look("/api/profiles/bobby")).json();
  assertEquals([followed.followers, followed.following], [0, 1]);
  const { audit } = (await ada.call("GET", "")).body;
  assertEquals(audit[0].event, "profile.delete");
  const page = await (await look(`/tools/score/${ada.wallet}`)).text();
  assertStringIncludes(page, "Is this yours? Claim it");
  assertStringIncludes(page, "#1");
});

Deno.test("GET /profile/export is limited to five a minute for each wallet", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const statuses: number[] = [];
  for (let nth = 0; nth < 6; nth++) {
    statuses.push((await owner.call("GET", "/profile/export")).status);
  }
  assertEquals(statuses, [200, 200, 200, 200, 200, 429]);
});

Deno.test("saving and deleting a profile and unlinking an account share a limit of twenty a minute for each wallet", async () => {
  using deps = await testDeps();
  const changes = [
    ["PUT", "/profile", 200],
    ["DELETE", "/socials/github", 404],
    ["DELETE", "/profile", 200],
    ["DELETE", "/profile", 404],
  ] as const;
  const owners = changes.map((_, nth) => newOwner(deps, keyPair(nth + 1)));
  for (const [nth, owner] of owners.entries()) {
    await owner.signIn();
    const body = { displayName: null, slug: null, linksPublic: false };
    const change = (method: string, path: string) =>
      owner.call(method, path, method === "PUT" ? { body } : {});
    for (let times = 0; times < 5; times++) {
      for (const [method, path, status] of changes) {
        assertEquals((await change(method, path)).status, status, path);
      }
    }
    const [method, path] = changes[nth]!;
    const refused = await change(method, path);
    assertEquals([refused.status, refused.body.code], [429, "RATE_LIMITED"]);
  }
});
