/** A clock set back by an hour: nothing is duplicated or lost, and no user is locked out. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { JOBS } from "../../jobs/register_jobs.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import type { UpstreamName } from "../../simnet/upstreams.ts";
import { enrol } from "../support/callers.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { assertSound } from "../support/kv/invariants.ts";
import { succeed } from "../support/jobs.ts";
import { newOwner } from "../support/owners.ts";
import { newPayer, paidDeps } from "../support/evm/payers.ts";
import { dumpOf } from "../support/kv/stored.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ADDRESS = exampleOf("ordinary");
const SCORE = `/score/${ADDRESS}`;

Deno.test("a session and a challenge stay valid, and a challenge works once", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const params = { keyName: "bot", kind: "live" };
  await owner.signIn();
  const proof = await owner.prove("key.create", params);
  deps.advance(-HOUR_MS);
  assertEquals((await owner.call("GET", "")).status, 200);
  const body = { ...proof, ...params };
  assertEquals((await owner.call("POST", "/keys", { body })).status, 201);
  assertEquals((await owner.call("POST", "/keys", { body })).status, 401);
  assertEquals((await owner.createKey("after")).status, 201);
  const { body: account } = await owner.call("GET", "");
  assertEquals(account.keys.length, 2);
  deps.advance(14 * HOUR_MS);
  assertEquals((await owner.call("GET", "")).status, 401);
  await owner.signIn();
});

Deno.test("after too many challenges a wallet may request one within two hours", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const body = { address: owner.wallet, action: "session" };
  const ask = () => owner.call("POST", "/challenges", { body });
  for (let call = 0; call < 120; call++) {
    assertEquals((await ask()).status, 200);
    if (call % 12 === 11) deps.advance(MINUTE_MS * 1.1);
  }
  assertEquals((await ask()).status, 429);
  deps.advance(-HOUR_MS);
  const { status, headers } = await ask();
  const wait = status === 429 ? Number(headers.get("Retry-After")) : 0;
  assert(wait <= 2 * 3_600 + 60, `${wait} s to wait`);
  deps.advance(wait * 1_000);
  assertEquals((await ask()).status, 200);
});

Deno.test("a quote stays valid, and its payment is credited once", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId, amount } = await payer.quote("builder");
  const hash = deps.chain.send({ from: payer.wallet, amount: BigInt(amount) });
  deps.chain.mine(3);
  deps.advance(-HOUR_MS);
  const { status, body, text } = await payer.claim(quoteId, hash);
  assertEquals([status, body.plan], [200, "builder"], text);
  const paid = await payer.standing();
  deps.advance(-HOUR_MS);
  await succeed(deps, "find-payments");
  await payer.claim(quoteId, hash);
  deps.advance(2 * HOUR_MS);
  await succeed(deps, "find-payments");
  assertEquals(await payer.standing(), paid);
});

/** Requests a path from a process with empty caches, and asserts status 200. */
async function askFresh(deps: TestDeps, path: string): Promise<string> {
  const response = await createApp(deps).request(path);
  const text = await response.text();
  assertEquals(response.status, 200, text);
  return text;
}

/** Public data, images and pages. */
const OPEN = [
  "/",
  "/api/chain-data/chains",
  "/api/chain-data/metrics",
  "/api/chain-data/validators",
  "/api/chain-data/monthly-transactions",
  "/api/chain-data/transaction-fees",
  "/api/chain-data/block-production",
  "/api/chain-data/quality",
  "/api/chain-data/disputes",
  "/chart/txCount.svg",
  "/chart/validators.svg",
  `/api/tools/score-badge/${ADDRESS}`,
  `/tools/score/${ADDRESS}`,
  "/status.json",
];

const allCallsOf = ({ upstreams }: TestDeps) =>
  Object.values(upstreams).reduce((sum, { calls }) => sum + calls.length, 0);

const callsOf = ({ upstreams }: TestDeps, name: UpstreamName) =>
  upstreams[name].calls.length;

Deno.test("chain data are fetched once more, and not again for each reader", async (t) => {
  for (const path of OPEN) {
    await t.step(path, async () => {
      using deps = await testDeps();
      await askFresh(deps, path);
      deps.advance(-HOUR_MS);
      await askFresh(deps, path);
      const calls = allCallsOf(deps);
      for (let reader = 0; reader < 5; reader++) await askFresh(deps, path);
      assertEquals(allCallsOf(deps), calls);
    });
  }
});

Deno.test("a score stays the same and uses the stored signals", async () => {
  using deps = await testDeps();
  const caller = await enrol(deps, { plan: "scale" });
  const { body: { score } } = await caller.ask(SCORE);
  const calls = callsOf(deps, "explorer");
  deps.advance(-HOUR_MS);
  const again = await caller.ask(SCORE);
  assertEquals([again.status, again.body.score], [200, score]);
  assertEquals(callsOf(deps, "explorer"), calls);
  const { body: history } = await caller.ask(`${SCORE}/history`);
  assertEquals(history.history.length, 1);
});

Deno.test("a profile and a follow stay, and can be changed", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const body = { displayName: "Ada", slug: null, linksPublic: true };
  assertEquals((await owner.call("PUT", "/profile", { body })).status, 200);
  const follow = `/follows/${ADDRESS}`;
  assertEquals((await owner.call("PUT", follow)).status, 200);
  deps.advance(-HOUR_MS);
  const { body: profile } = await owner.call("GET", "/profile");
  assertEquals(profile.displayName, "Ada");
  const next = { ...body, displayName: "Eve" };
  const changed = await owner.call("PUT", "/profile", { body: next });
  assertEquals(changed.status, 200, changed.text);
  for (const method of ["PUT", "DELETE", "PUT"]) {
    assertEquals((await owner.call(method, follow)).status, 200);
  }
  await assertSound(deps.kv, deps.now().getTime());
});

Deno.test("every job runs again, and repeats no effect", async (t) => {
  using deps = await testDeps({ chains: 3 });
  for (const { name } of JOBS) await succeed(deps, name);
  deps.advance(HOUR_MS);
  for (const { name } of JOBS) await succeed(deps, name);
  const held = await dumpOf(deps);
  deps.advance(-HOUR_MS);
  for (const { name } of JOBS) {
    await t.step(name, async () => {
      await succeed(deps, name);
    });
  }
  const lost = Object.keys(held).filter((key) => !/^job_leases/.test(key));
  const now = await dumpOf(deps);
  assertEquals(lost.filter((key) => !(key in now)), []);
  await assertSound(deps.kv, deps.now().getTime());
});
