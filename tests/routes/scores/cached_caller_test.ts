/** Cached callers: a change of a key or a plan applies to the next request. */
import { assert, assertEquals } from "@std/assert";
import { revokeApiKey } from "../../../services/accounts/api_keys.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { testDeps } from "../../support/deps.ts";
import { tapKv } from "../../support/kv/tapped_kv.ts";
import {
  ADDRESS,
  isWarm,
  SCORE,
  used,
  warm,
} from "../../support/scores/cached_caller.ts";

const BATCH: RequestInit = {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ addresses: [ADDRESS] }),
};

/** Requests of every keyed route that starts with a cached caller. */
const REQUESTS: readonly [name: string, path: string, init?: RequestInit][] = [
  ["score", SCORE],
  ["batch", "/score/batch", BATCH],
  ["history", `${SCORE}/history`],
  ["usage", "/usage"],
  ["signed score, which the plan excludes", `${SCORE}/signed`],
  ["invalid address", "/score/0x12"],
  ["unknown path", "/score/0x12/nope/nope"],
];

Deno.test("a key revoked by another process is refused on its next request to any endpoint, and nothing is spent", async (t) => {
  const folder = await Deno.makeTempDir();
  const kvPath = `${folder}/firn.sqlite3`;
  {
    using deps = await testDeps({ kvPath });
    using elsewhere = await testDeps({ kvPath });
    for (const [name, path, init] of REQUESTS) {
      await t.step(name, async () => {
        const { id, wallet, ask } = await warm(deps);
        assert(await isWarm(deps, () => ask()));
        const before = await used(deps, wallet);
        assert(await revokeApiKey(elsewhere, id));
        assertEquals((await ask(path, init)).status, 401);
        assertEquals((await ask(path, init)).status, 401);
        assertEquals(await used(deps, wallet), before);
      });
    }
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a plan bought in another process counts from the next batch and history on", async (t) => {
  const folder = await Deno.makeTempDir();
  const kvPath = `${folder}/firn.sqlite3`;
  {
    using deps = await testDeps({ kvPath });
    using elsewhere = await testDeps({ kvPath });
    for (const [name, path, init] of REQUESTS.slice(1, 3)) {
      await t.step(name, async () => {
        const wallet = `0x${name.length.toString(16).repeat(40)}`;
        const { ask } = await warm(deps, { plan: "free", wallet });
        assertEquals((await ask(path, init)).status, 402);
        assertEquals((await ask()).status, 200);
        const at = deps.now().getTime();
        const grant = { at, plan: "builder", paidUntil: at + DAY_MS } as const;
        await elsewhere.store.payments.grant(wallet, grant);
        assertEquals((await ask(path, init)).status, 200);
      });
    }
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a key revoked while its request waits for the commit is refused", async () => {
  using deps = await testDeps();
  const { id, wallet, ask } = await warm(deps);
  const before = await used(deps, wallet);
  const { atomic } = deps.kv;
  let isFirst = true;
  tapKv(deps.kv, async (commit) => {
    if (isFirst) {
      isFirst = false;
      const through = deps.kv.atomic;
      deps.kv.atomic = atomic;
      assert(await revokeApiKey(deps, id));
      deps.kv.atomic = through;
    }
    return await commit();
  });
  assertEquals((await ask()).status, 401);
  assertEquals(await used(deps, wallet), before);
});

Deno.test("a key that was replaced is refused from the end of its grace on", async () => {
  using deps = await testDeps();
  const { ask, wallet } = await warm(deps);
  const [{ value: record, key }] = await Array.fromAsync(
    deps.kv.list<Record<string, unknown>>({ prefix: ["api_keys"] }),
  ) as [Deno.KvEntry<Record<string, unknown>>];
  const expiresAt = deps.now().getTime() + 5_000;
  await deps.kv.set(key, { ...record, expiresAt });
  assertEquals((await ask()).status, 200);
  assertEquals((await ask()).status, 200);
  deps.advance(5_000);
  const before = await used(deps, wallet);
  assertEquals((await ask()).status, 401);
  assertEquals(await used(deps, wallet), before);
});

Deno.test("another plan counts from the next second on, and an ended one no longer", async () => {
  using deps = await testDeps();
  const { ask, wallet } = await warm(deps);
  const limit = async () => (await ask()).headers.get("X-RateLimit-Limit");
  assertEquals(await limit(), "25000");
  const at = deps.now().getTime();
  const paidUntil = at + 40 * DAY_MS;
  await deps.store.payments.grant(wallet, { at, plan: "growth", paidUntil });
  deps.advance(1_000);
  assertEquals(await limit(), "250000");
  assertEquals(await limit(), "250000");
  deps.advance(paidUntil - at + DAY_MS);
  assertEquals(await limit(), "2500");
});

Deno.test("the 61st request of a minute is refused, and the first of the next minute is served", async () => {
  using deps = await testDeps();
  const { ask } = await warm(deps);
  for (let nth = 2; nth < 60; nth++) assertEquals((await ask()).status, 200);
  const refused = await ask();
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("Retry-After"), "60");
  assertEquals(JSON.parse(refused.text).code, "RATE_LIMITED");
  deps.advance(60_000);
  assertEquals((await ask()).status, 200);
});
