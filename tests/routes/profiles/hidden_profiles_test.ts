/** Profiles that the operator hides and shows again. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import { newOwner } from "../../support/owners.ts";

async function claimed(deps: TestDeps) {
  const owner = newOwner(deps);
  await owner.signIn();
  const body = { displayName: "Ada", slug: "ada", linksPublic: true };
  assertEquals((await owner.call("PUT", "/profile", { body })).status, 200);
  return owner;
}

Deno.test("a hidden profile shows neither names nor links to others and says so to its owner, until it is shown again", async () => {
  using deps = await testDeps();
  const owner = await claimed(deps);
  const { wallet } = owner;
  const { profiles } = deps.store;
  const at = deps.now().getTime();
  assert(await profiles.setHidden(wallet, true, at));
  const look = (path: string) => createApp(deps).request(path);
  const shown = await (await look(`/api/profiles/${wallet}`)).json();
  assertEquals([shown.displayName, shown.slug, shown.socials, shown.hidden], [
    null,
    null,
    [],
    true,
  ]);
  assertEquals((await look("/api/profiles/ada")).status, 404);
  for (const path of [`/profiles/${wallet}`, `/tools/score/${wallet}`]) {
    assert(!(await (await look(path)).text()).includes("Ada"), path);
  }
  const page = await (await look(`/profiles/${wallet}`)).text();
  assert(page.includes("noindex"), "search engines do not list it");
  const own = (await owner.call("GET", "/profile")).body;
  assertEquals([own.displayName, own.hidden], ["Ada", true]);
  await owner.call("DELETE", "/profile");
  await claimed(deps);
  assertEquals(
    (await look("/api/profiles/ada")).status,
    404,
    "not by claiming anew",
  );

  assert(await profiles.setHidden(wallet, false, at));
  const again = await (await look("/api/profiles/ada")).json();
  assertEquals([again.displayName, again.hidden], ["Ada", false]);
  await assertSound(deps.kv, deps.now().getTime());
});

Deno.test("setHidden() writes an entry only if it changes a claimed profile", async () => {
  using deps = await testDeps();
  const { wallet } = await claimed(deps);
  const { audit, profiles } = deps.store;
  const events: unknown[] = [];
  for (
    const [isHidden, at, hiddenAt, event] of [
      [false, 1, undefined, null],
      [true, 2, 2, "profile.hide"],
      [true, 3, 2, null],
      [false, 4, undefined, "profile.show"],
      [false, 5, undefined, null],
    ] as const
  ) {
    assertEquals(await profiles.setHidden(wallet, isHidden, at), true);
    assertEquals((await profiles.find(wallet))?.hiddenAt, hiddenAt);
    if (event !== null) events.push([event, at]);
    const entries = (await audit.list(wallet))
      .filter(({ event }) => /hide|show/.test(event))
      .map(({ event, at }) => [event, at]).sort();
    assertEquals(entries, events);
  }
  await profiles.delete(wallet, { at: 6, requestId: null });
  assertEquals(await profiles.setHidden(wallet, true, 7), false);
});
