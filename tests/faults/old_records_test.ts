/**
 * Records as the version before keys in the dashboard wrote them, two versions
 * being at work on one database while a new one is rolled out.
 */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { MOST_KEYS } from "../../services/accounts/api_keys.ts";
import { DAY_MS, dayAt } from "../../services/platform/days.ts";
import {
  createKey,
  hashKey,
  prefixOf,
} from "../../services/accounts/key_format.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { askScoring } from "../support/callers.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { newOwner, type Owner } from "../support/owners.ts";

const ADDRESS = exampleOf("ordinary");
const BREAKDOWN = {
  walletAge: 10,
  txActivity: 12,
  gasSpent: 8,
  verifiedSocials: 5,
  followers: 0,
  donations: 0,
  premium: 0,
  paidSlug: 0,
  total: 35,
};

/** Writes a key as it was written: no end, and only its hash beside the others of the wallet. */
async function putOldKey({ kv, now }: TestDeps, wallet: string) {
  const key = createKey();
  const id = crypto.randomUUID();
  const hash = await hashKey(key);
  const record = {
    id,
    wallet,
    name: "old",
    prefix: prefixOf(key),
    createdAt: now().getTime(),
    revokedAt: null,
  };
  const { value: held } = await kv.get<object>(["wallet_keys", wallet]);
  await kv.atomic()
    .set(["wallet_keys", wallet], { ...held, [id]: hash })
    .set(["api_keys", hash], record)
    .set(["api_key_owners", id], wallet)
    .commit();
  return { id, key };
}

const ask = (deps: TestDeps, key: string, path: string) =>
  askScoring(deps, path, { headers: { "X-Api-Key": key } });

async function keysOf(owner: Owner): Promise<string[]> {
  const { status, body, text } = await owner.call("GET", "");
  assertEquals(status, 200, text);
  return body.keys.map(({ id }: { id: string }) => id);
}

Deno.test("an old key works, is listed and counted, and can be rotated and revoked", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const [first, second] = [
    await putOldKey(deps, owner.wallet),
    await putOldKey(deps, owner.wallet),
  ];
  assertEquals((await ask(deps, first.key, "/usage")).status, 200);
  await owner.signIn();
  assertEquals((await keysOf(owner)).sort(), [first.id, second.id].sort());
  const rotated = await owner.rotateKey(first.id, 0);
  assertEquals(rotated.status, 201, rotated.text);
  assertEquals((await ask(deps, first.key, "/usage")).status, 401);
  assertEquals((await owner.revokeKey(second.id)).status, 204);
  assertEquals((await ask(deps, second.key, "/usage")).status, 401);
  assertEquals(await keysOf(owner), [rotated.body.id]);
  for (let nth = 1; nth < MOST_KEYS; nth++) {
    await putOldKey(deps, owner.wallet);
  }
  assertEquals((await owner.createKey()).status, 409);
});

Deno.test("an old plan is the plan of the wallet, until it runs out", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const { key } = await putOldKey(deps, owner.wallet);
  const paidUntil = deps.now().getTime() + DAY_MS;
  await deps.kv.set(["plans", owner.wallet], { plan: "growth", paidUntil });
  const plan = async () => (await ask(deps, key, "/usage")).body.plan;
  assertEquals(await plan(), "growth");
  deps.advance(DAY_MS);
  assertEquals(await plan(), "free");
});

Deno.test("an old history is shown wherever scores are, and goes on", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const { key } = await putOldKey(deps, owner.wallet);
  const paidUntil = deps.now().getTime() + 30 * DAY_MS;
  await deps.kv.set(["plans", owner.wallet], { plan: "scale", paidUntil });
  const now = deps.now().getTime();
  const points = [3, 2, 1].map((ago) => ({
    day: dayAt(now) - ago,
    score: 40 + ago,
    tier: "rising",
    breakdown: BREAKDOWN,
  }));
  const history = { points, readAt: now - DAY_MS };
  await deps.kv.set(["score_histories", ADDRESS], history);
  const path = `/score/${ADDRESS}/history?include=breakdown`;
  const scoresOf = async () => {
    const { status, body, text } = await ask(deps, key, path);
    assertEquals(status, 200, text);
    return body.history.map(({ score }: { score: number }) => score);
  };
  assertEquals(await scoresOf(), [43, 42, 41]);
  const app = createApp(deps);
  for (
    const shownAt of [
      `/api/tools/score-badge/${ADDRESS}`,
      `/tools/score/${ADDRESS}`,
    ]
  ) {
    const response = await app.request(shownAt);
    const text = await response.text();
    assertEquals(response.status, 200, text);
    assert(!/NaN|undefined/.test(text), text);
  }
  assertEquals((await ask(deps, key, `/score/${ADDRESS}`)).status, 200);
  const scores = await scoresOf();
  assertEquals([scores.slice(0, 3), scores.length], [[43, 42, 41], 4]);
});
