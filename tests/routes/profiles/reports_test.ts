/** Reports of profiles, and what the operator makes of them. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { ReportAnswer } from "../../../services/profiles/reports/reports_schema.ts";
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

async function report(deps: TestDeps, path: string, body: unknown) {
  const response = await createApp(deps).request(
    `/api/profiles/${path}/reports`,
    {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    },
  );
  return { status: response.status, body: await response.json() };
}

const listReports = (deps: TestDeps) =>
  Array.fromAsync(deps.store.reports.list());

Deno.test("reports are counted by reason, five an hour for each network, and nothing is kept about the reporter", async () => {
  using deps = await testDeps();
  const { wallet } = await claimed(deps);
  const at = deps.now().getTime();
  const first = await report(deps, "ada", { reason: "name" });
  assertEquals(first.status, 202);
  assertEquals(ReportAnswer.parse(first.body), first.body);
  deps.advance(1_000);
  await report(deps, wallet, { reason: "impersonation" });
  await report(deps, wallet, { reason: "name" });
  const [found, ...others] = await listReports(deps);
  assertEquals(others, []);
  assertEquals(found, {
    address: wallet,
    counts: { name: 2, impersonation: 1 },
    firstAt: at,
    lastAt: at + 1_000,
  });
  assertEquals((await report(deps, "nobody", { reason: "name" })).status, 404);
  const invalid = await report(deps, "ada", { reason: "envy" });
  assertEquals([invalid.status, invalid.body.parameter], [400, "reason"]);
  assertEquals((await report(deps, "ada", { reason: "name" })).status, 202);
  assertEquals((await report(deps, "ada", { reason: "name" })).status, 429);
  await assertSound(deps.kv, deps.now().getTime());
});

Deno.test("a hidden profile shows neither names nor links to others and says so to its owner, until its reports are dismissed", async () => {
  using deps = await testDeps();
  const owner = await claimed(deps);
  const { wallet } = owner;
  await report(deps, "ada", { reason: "name" });
  const { reports } = deps.store;
  const at = deps.now().getTime();
  assert(await reports.decide(wallet, "hide", at));
  assertEquals(await listReports(deps), [], "it is worked off");
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
  const own = (await owner.call("GET", "/profile")).body;
  assertEquals([own.displayName, own.hidden], ["Ada", true]);
  await owner.call("DELETE", "/profile");
  await claimed(deps);
  assertEquals(
    (await look("/api/profiles/ada")).status,
    404,
    "not by claiming anew",
  );

  assert(await reports.decide(wallet, "dismiss", at));
  const again = await (await look("/api/profiles/ada")).json();
  assertEquals([again.displayName, again.hidden], ["Ada", false]);
  const { audit } = (await owner.call("GET", "")).body;
  const events = audit.map(({ event }: { event: string }) => event).join();
  assertStringIncludes(events, "profile.show");
  assertStringIncludes(events, "profile.hide");
  await assertSound(deps.kv, deps.now().getTime());
});

Deno.test("reports stay when the owner deletes the profile, until the operator has seen them", async () => {
  using deps = await testDeps();
  const { wallet } = await claimed(deps);
  const { profiles, reports } = deps.store;
  const at = deps.now().getTime();
  assert(await reports.add(wallet, "other", at));
  await profiles.delete(wallet, { at, requestId: null });
  assertEquals(await reports.add(wallet, "other", at), false);
  const [kept, ...others] = await listReports(deps);
  assertEquals([kept?.address, others], [wallet, []]);
  await assertSound(deps.kv, at);
  assertEquals(await reports.decide(wallet, "hide", at), false);
  assertEquals(await listReports(deps), []);
});
