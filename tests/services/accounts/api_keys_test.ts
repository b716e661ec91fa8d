/** Replaced keys, and the limits that a key may have. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createApiKey,
  limitApiKey,
  rotateApiKey,
} from "../../../services/accounts/api_keys.ts";
import {
  type KeyLimits,
  showLimits,
} from "../../../services/accounts/key_limits.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { testDeps } from "../../support/deps.ts";

const WALLET = `0x${"aa".repeat(20)}`;

Deno.test("rotateApiKey() returns a new key, and the old one ends after the seconds that are given", async () => {
  using deps = await testDeps();
  const old = (await createApiKey(deps, { wallet: WALLET, name: "test" }))!;
  const order = {
    wallet: WALLET,
    id: old.id,
    graceSeconds: 60,
    requestId: "r",
  };
  const replaced = await rotateApiKey(deps, order);
  assert(typeof replaced === "object");
  assertEquals([replaced.name, replaced.id === old.id], ["test", false]);
  const ids = async () =>
    (await deps.store.apiKeys.list(WALLET, deps.now().getTime()))
      .map(({ id }) => id).sort();
  assertEquals(await ids(), [old.id, replaced.id].sort());
  deps.advance(59_999);
  assertEquals((await ids()).length, 2);
  deps.advance(1);
  assertEquals(await ids(), [replaced.id]);
  assertEquals(await rotateApiKey(deps, { ...order, id: "none" }), "unknown");
});

Deno.test("rotateApiKey() gives the new key the kind and all limits of the old one", async () => {
  using deps = await testDeps();
  const limits: KeyLimits = {
    scopes: ["score"],
    networks: ["192.0.2.0/24"],
    expiresAt: deps.now().getTime() + 3_600_000,
    maxUnits: 5,
    note: "for the tests",
  };
  for (const kind of ["live", "test"] as const) {
    const own = kind === "live" ? limits : { ...limits, maxUnits: null };
    const order = { wallet: WALLET, name: kind, kind, limits: own };
    const { id } = (await createApiKey(deps, order))!;
    const rotation = { wallet: WALLET, id, graceSeconds: 0, requestId: "r" };
    const replaced = await rotateApiKey(deps, rotation);
    assert(typeof replaced === "object");
    assertEquals([replaced.kind, replaced.limits], [kind, showLimits(own)]);
    const keys = await deps.store.apiKeys
      .list(WALLET, deps.now().getTime());
    const stored = keys.find(({ name }) => name === kind)!;
    assertEquals([stored.id, stored.limits], [replaced.id, own]);
  }
});

Deno.test("createApiKey() and limitApiKey() refuse an expiry that is not in the future, and a cap of a test key", async (t) => {
  using deps = await testDeps();
  const now = deps.now().getTime();
  const order = { wallet: WALLET, name: "test" };
  const live = (await createApiKey(deps, order))!;
  const test = (await createApiKey(deps, { ...order, kind: "test" }))!;
  const instant = new Date(now).toISOString();
  const past =
    `Invalid limits.expiresAt "${instant}": expected an instant in the future`;
  const costless =
    'Invalid limits.maxUnits "9": expected null for a test key, which costs no units';
  const cases = [
    ["expires now", "live", { expiresAt: now }, past],
    ["expires next", "live", { expiresAt: now + 1 }, null],
    ["test, expires now", "test", { expiresAt: now }, past],
    ["capped", "live", { maxUnits: 9 }, null],
    ["test, capped", "test", { maxUnits: 9 }, costless],
    ["test, not capped", "test", { expiresAt: now + 1 }, null],
  ] as const;
  for (const [name, kind, changed, message] of cases) {
    await t.step(name, async () => {
      const limits = { ...NO_LIMITS, ...changed };
      const { id } = kind === "live" ? live : test;
      const change = { wallet: WALLET, id, limits, requestId: "r" };
      const attempts = [
        () => createApiKey(deps, { ...order, kind, limits }),
        () => limitApiKey(deps, change),
      ];
      for (const attempt of attempts) {
        if (message === null) {
          assert(await attempt());
        } else {
          const fault = await assertRejects(attempt, Fault);
          assertEquals(fault.message, message);
        }
      }
    });
  }
});

Deno.test("limitApiKey() returns the key as its owner sees it, or null for a key of nobody", async () => {
  using deps = await testDeps();
  const made = (await createApiKey(deps, { wallet: WALLET, name: "test" }))!;
  const limits = { ...NO_LIMITS, note: "CI" };
  const order = { wallet: WALLET, id: made.id, limits, requestId: "r" };
  const { key: _, ...shown } = made;
  const limited = {
    ...shown,
    expiresAt: null,
    limits,
    used: 0,
    days: [],
    lastUsedAt: null,
  };
  assertEquals(await limitApiKey(deps, order), limited);
  assertEquals(await limitApiKey(deps, { ...order, id: "none" }), null);
  const other = `0x${"bb".repeat(20)}`;
  assertEquals(await limitApiKey(deps, { ...order, wallet: other }), null);
  const { id, wallet, requestId } = order;
  await rotateApiKey(deps, { id, wallet, requestId, graceSeconds: 60 });
  const expiresAt = "2026-11-21T08:01:00.000Z";
  assertEquals(await limitApiKey(deps, order), { ...limited, expiresAt });
});
