/**
 * Callers of the keyed API: what is read of a key, how a refused call is worded, and
 * which versions a commit checks before a cached caller is served.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  callerAt,
  callerCache,
  findKey,
  type KeyFacts,
  spend,
} from "../../../services/accounts/access.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import {
  chargeOf,
  quotaStatusOf,
} from "../../../services/accounts/quota/quota.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { NOTHING } from "../../support/payers.ts";
import {
  createApiKey,
  revokeApiKey,
  rotateApiKey,
} from "../../../services/accounts/api_keys.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { enrol } from "../../support/callers.ts";

const WALLET = `0x${"aa".repeat(20)}`;

const FACTS: KeyFacts = {
  record: {
    id: "key",
    originId: "origin",
    wallet: WALLET,
    name: "test",
    prefix: "firn_live_abcd",
    createdAt: 0,
    revokedAt: null,
    expiresAt: null,
    limits: NO_LIMITS,
  },
  times: [],
  networks: null,
};

Deno.test("findKey() reads nothing for a text that is no key", async () => {
  const read = () => Promise.reject(new Error("nothing is to be read"));
  using deps = await testDeps();
  const { apiKeys, plans } = deps.store;
  const store = {
    apiKeys: { ...apiKeys, find: read },
    plans: { ...plans, find: read },
  };
  for (const key of ["", "firn_live_", "x".repeat(48)]) {
    assertEquals(await findKey(store, key, WALLET), null);
  }
});

Deno.test("spend() says which limit refuses a call, and by how much", async (t) => {
  using deps = await testDeps();
  const now = deps.now().getTime();
  const caller = callerAt(FACTS, now)!;
  const quotaStatus = quotaStatusOf(NOTHING, chargeOf("free", "score"), now);
  const shortage = { retryAfterMs: 90_000, needed: 5, remaining: 2 };
  const limitOf = (of: string) =>
    `Cannot serve the request: the limit of this ${of}; try again in 90 seconds`;
  const cases = [
    ["burst", null, "rateLimited", limitOf("key is 60 requests a minute")],
    ["cap", 7, "capReached", limitOf("key is 7 units in 30 days")],
    [
      "period",
      null,
      "quotaExceeded",
      limitOf("wallet is 2500 requests in 30 days"),
    ],
  ] as const;
  const spendBy = async (decision: object, maxUnits: number | null) => {
    const refuse = () => Promise.resolve({ allowed: false, ...decision });
    // deno-lint-ignore no-explicit-any -- the usage that it did not change is not read.
    const usage = { ...deps.store.usage, spend: refuse as any };
    const limits = { ...NO_LIMITS, maxUnits };
    return await spend(
      { ...deps, store: { ...deps.store, usage } },
      { ...caller, limits },
      { endpoint: "score", units: 5 },
    );
  };
  for (const [which, maxUnits, kind, message] of cases) {
    await t.step(which, async () => {
      const refused = { which, ...shortage, quotaStatus };
      const spent = await spendBy(refused, maxUnits);
      assertEquals([spent.quotaStatus, spent.spentAt], [quotaStatus, now]);
      assertEquals(spent.refusal?.message, message);
      const limitedBy = which;
      assertEquals(spent.refusal?.failure, { kind, limitedBy, ...shortage });
    });
  }
  await t.step("contended", async () => {
    const spent = await spendBy({ which: "contended" }, null);
    assertEquals([spent.quotaStatus, spent.spentAt], [null, now]);
    assertEquals(spent.refusal?.failure.kind, "contended");
  });
});

/** A caller whose key is cached. */
async function cacheCaller(deps: TestDeps) {
  const { id, key, wallet } = await enrol(deps, { plan: "builder" });
  const callers = callerCache(deps);
  await callers.authorize(key);
  const findCached = () => callers.find(key)!;
  const checkedKeys = () =>
    findCached().versions.map(({ key: [collection] }) => String(collection));
  return { id, key, wallet, callers, findCached, checkedKeys };
}

const ALL = ["api_key_revision", "api_keys", "plans"];

Deno.test("find lists key and plan once a second, and the revision of all keys each time", async () => {
  using deps = await testDeps();
  const { findCached, checkedKeys } = await cacheCaller(deps);
  assertEquals(checkedKeys().sort(), ALL);
  assertEquals(checkedKeys().sort(), ALL, "nothing is verified yet");
  findCached().markVerified();
  assertEquals(checkedKeys(), ["api_key_revision"]);
  deps.advance(999);
  assertEquals(checkedKeys(), ["api_key_revision"]);
  deps.advance(1);
  assertEquals(checkedKeys().sort(), ALL);
  findCached().markVerified();
  deps.advance(-1);
  assertEquals(checkedKeys().sort(), ALL, "the clock was set back");
});

Deno.test("find lists key and plan each time while the revision of all keys is unknown", async () => {
  using deps = await testDeps();
  const { key, callers, findCached, checkedKeys } = await cacheCaller(deps);
  findCached().markVerified();
  callers.remove("the key of somebody else");
  for (let request = 0; request < 2; request++) {
    assertEquals(checkedKeys().sort(), ["api_keys", "plans"]);
    findCached().markVerified();
  }
  await callers.authorize(key);
  assertEquals(checkedKeys().sort(), ALL);
});

Deno.test("find lists key and plan again after the revision changed", async () => {
  using deps = await testDeps();
  const { callers, findCached, checkedKeys } = await cacheCaller(deps);
  findCached().markVerified();
  callers.remove("the key of somebody else");
  const { key } = await enrol(deps, { plan: "builder" });
  await callers.authorize(key);
  assertEquals(checkedKeys().sort(), ALL);
});

Deno.test("revoking or replacing a key changes the revision, creating one does not", async () => {
  using deps = await testDeps();
  const { id, key, wallet, findCached, callers } = await cacheCaller(deps);
  const isCurrent = async () => {
    const revision = findCached().versions
      .filter(({ key: [collection] }) => collection === "api_key_revision");
    assertEquals(revision.length, 1);
    const { ok } = await deps.kv.atomic().check(...revision).commit();
    return ok;
  };
  const other = await enrol(deps, { plan: "builder" });
  assert(await isCurrent());
  const order = { wallet, id: other.id, graceSeconds: 60, requestId: "r" };
  await rotateApiKey(deps, order);
  assert(!await isCurrent());
  callers.remove(key);
  await callers.authorize(key);
  assert(await isCurrent());
  await revokeApiKey(deps, id);
  assert(!await isCurrent());
  await assertRejects(() => callers.authorize(key));
});

Deno.test("find returns nothing for a key that is unknown, expired, refused, removed or for tests", async (t) => {
  await t.step("unknown", async () => {
    using deps = await testDeps();
    assertEquals(callerCache(deps).find("unknown"), null);
  });
  await t.step("expired", async () => {
    using deps = await testDeps();
    const { id, key, wallet, callers } = await cacheCaller(deps);
    const order = { wallet, id, graceSeconds: 60, requestId: "r" };
    await rotateApiKey(deps, order);
    await callers.authorize(key);
    deps.advance(59_999);
    assert(callers.find(key));
    deps.advance(1);
    assertEquals(callers.find(key), null);
  });
  await t.step("refused", async () => {
    using deps = await testDeps();
    const { id, key, callers } = await cacheCaller(deps);
    await revokeApiKey(deps, id);
    await assertRejects(() => callers.authorize(key));
    assertEquals(callers.find(key), null);
  });
  await t.step("for tests: no commit would verify its caller", async () => {
    using deps = await testDeps();
    const order = { wallet: "0xaa", name: "test", kind: "test" } as const;
    const { key } = (await createApiKey(deps, order))!;
    const callers = callerCache(deps);
    assertEquals((await callers.authorize(key)).kind, "test");
    assertEquals(callers.find(key), null);
  });
  await t.step("removed", async () => {
    using deps = await testDeps();
    const { key, callers } = await cacheCaller(deps);
    callers.remove(key);
    assertEquals(callers.find(key), null);
  });
});

Deno.test("authorize reads nothing without a key", async () => {
  using deps = await testDeps();
  const tracked = () => {
    throw new Error("nothing is to be read");
  };
  const callers = callerCache({ ...deps, store: { ...deps.store, tracked } });
  const { failure } = await assertRejects(
    () => callers.authorize(undefined),
    Fault,
  );
  assertEquals(failure.kind, "unauthorized");
});
