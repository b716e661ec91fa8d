/** The last calls of a wallet over HTTP: what they say, and what they never hold. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { askScoring, enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { newOwner } from "../../support/owners.ts";

const ADDRESS = exampleOf("ordinary");

Deno.test("GET /api/account/calls lists calls with their patterns, statuses and units, newest first, and no address", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { wallet } = owner;
  const caller = await enrol(deps, { plan: "builder", wallet });
  const asked = [
    await caller.ask(`/score/${ADDRESS}`),
    await caller.ask(`/score/${ADDRESS}`),
    await caller.batch({ addresses: [ADDRESS, exampleOf("heavy")] }),
    await caller.ask("/score/0x12"),
    await caller.ask(`/score/${ADDRESS}/signed`),
    await caller.ask("/usage"),
    await caller.ask(`/score/${ADDRESS}/history`, { method: "POST" }),
    await caller.ask("/score/batch"),
    await caller.ask(`/score/${ADDRESS}/nothing`),
  ];
  const { status, body } = await owner.call("GET", "/calls");
  assertEquals(status, 200);
  const shown = body.calls.map((
    { endpoint, status, units, requestId, keyId, keyName }: Record<
      string,
      unknown
    >,
  ) => [endpoint, status, units, requestId, keyId, keyName]);
  const key = [caller.id, "test"];
  const idOf = (nth: number) => asked[nth]!.headers.get("X-Request-Id");
  assertEquals(shown, [
    ["GET (unknown)", 404, 0, idOf(8), ...key],
    ["GET /api/v1/score/batch", 405, 0, idOf(7), ...key],
    ["POST /api/v1/score/:address/history", 405, 0, idOf(6), ...key],
    ["GET /api/v1/usage", 200, 0, idOf(5), ...key],
    ["GET /api/v1/score/:address/signed", 402, 0, idOf(4), ...key],
    ["GET /api/v1/score/:address", 400, 0, idOf(3), ...key],
    ["POST /api/v1/score/batch", 200, 2, idOf(2), ...key],
    ["GET /api/v1/score/:address", 200, 1, idOf(1), ...key],
    ["GET /api/v1/score/:address", 200, 1, idOf(0), ...key],
  ]);
  for await (const { key, value } of deps.kv.list({ prefix: ["call_logs"] })) {
    assertEquals(key, ["call_logs", wallet]);
    assert(!JSON.stringify(value).includes(ADDRESS));
  }
});

Deno.test("the calls of a key have its name until it is revoked, expires, or its grace period ends", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const expiresAt = new Date(deps.now().getTime() + 60_000).toISOString();
  const made = [
    await owner.createKey("revoked"),
    await owner.createKey("expired", "live", { expiresAt }),
    await owner.createKey("replaced"),
  ];
  for (const { body: { key } } of made) {
    await askScoring(deps, "/usage", { headers: { "X-Api-Key": key } });
  }
  const [revoked, , replaced] = made.map(({ body }) => body.id);
  await owner.rotateKey(replaced, 60);
  const names = async () =>
    (await owner.call("GET", "/calls")).body.calls
      .map(({ keyName }: { keyName: string | null }) => keyName);
  assertEquals(await names(), ["replaced", "expired", "revoked"]);
  await owner.revokeKey(revoked);
  assertEquals(await names(), ["replaced", "expired", null]);
  deps.advance(60_000);
  assertEquals(await names(), [null, null, null]);
});

Deno.test("a call with a test key is in the log of its owner at no cost; a refused key is in no log", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { body: { id, key } } = await owner.createKey("CI", "test");
  const path = "/score/0x7e57000000000000000000000000000000000003";
  const ask = (key: string) =>
    askScoring(deps, path, { headers: { "X-Api-Key": key } });
  assertEquals((await ask(key)).status, 200);
  assertEquals((await ask(`${key.slice(0, -1)}?`)).status, 401);
  const { body: { calls } } = await owner.call("GET", "/calls");
  assertEquals(
    calls.map((
      { keyId, keyName, status, units }: Record<string, unknown>,
    ) => [keyId, keyName, status, units]),
    [[id, "CI", 200, 0]],
  );
});

Deno.test("GET /api/account says when a key was last used and what it used by day", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const caller = await enrol(deps, { wallet: owner.wallet });
  const keysOf = async () => (await owner.call("GET", "")).body.keys;
  const [before] = await keysOf();
  assertEquals([before.lastUsedAt, before.days], [null, []]);
  await caller.ask(`/score/${ADDRESS}`);
  deps.advance(DAY_MS / 2);
  await caller.ask(`/score/${ADDRESS}`);
  await owner.signIn();
  const [after] = await keysOf();
  assertEquals(after.lastUsedAt, "2026-11-21T20:00:00.000Z");
  assertEquals(after.days, [{ date: "2026-11-21", units: 2 }]);
});

Deno.test("usage has a notice at 80 and at 100 % of the quota, and seven days before a plan ends", async () => {
  using deps = await testDeps();
  const caller = await enrol(deps);
  const codesOf = async () =>
    (await caller.ask("/usage")).body.notices
      .map(({ code }: { code: string }) => code);
  const paying = await enrol(deps, {
    plan: "builder",
    wallet: `0x${"bb".repeat(20)}`,
  });
  assertEquals((await paying.ask("/usage")).body.notices, []);
  assertEquals(await codesOf(), []);
  await caller.leave(500);
  assertEquals(await codesOf(), ["QUOTA_80_PERCENT"]);
  await caller.leave(2_000);
  assertEquals(await codesOf(), ["QUOTA_USED_UP"]);
  const [usedUp] = (await caller.ask("/usage")).body.notices;
  assertEquals(
    usedUp.message,
    "2,500 of 2,500 units used in the last 30 days. Requests are refused until older units leave the window.",
  );
  deps.advance(23 * DAY_MS - 1);
  assertEquals((await paying.ask("/usage")).body.notices, []);
  deps.advance(1);
  const { notices } = (await paying.ask("/usage")).body;
  assertEquals(notices, [{
    code: "PLAN_ENDS_SOON",
    message:
      "The Builder plan ends on 2026-12-21 (UTC). It does not renew automatically; after that, the Free plan applies.",
  }]);
});
