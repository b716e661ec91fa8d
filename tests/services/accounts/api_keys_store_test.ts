/** API keys in the store: how many a wallet has, and that none can be read from there. */
import { assert, assertEquals } from "@std/assert";
import {
  createApiKey,
  MAX_WALLET_KEYS,
  revokeApiKey,
} from "../../../services/accounts/api_keys.ts";
import {
  type ApiKeyRecord,
  apiKeyStore,
  type NewKey,
} from "../../../services/accounts/api_keys_store.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import { hashKey } from "../../../services/accounts/key_format.ts";
import { auditStore } from "../../../services/platform/kv/audit_store.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const OTHER = `0x${"bb".repeat(20)}`;
const args = { wallet: WALLET, name: "test" };

const listKeys = ({ store, now }: TestDeps) =>
  store.apiKeys.list(WALLET, now().getTime());

Deno.test("a wallet has at most ten keys, also if 20 are created at once", async () => {
  using deps = await testDeps();
  const created = await Promise.all(
    Array.from({ length: 20 }, () => createApiKey(deps, args)),
  );
  const keys = created.filter((key) => key !== null);
  assertEquals([keys.length, MAX_WALLET_KEYS], [10, 10]);
  const listed = await listKeys(deps);
  assertEquals(
    listed.map(({ id }) => id).sort(),
    keys.map(({ id }) => id).sort(),
  );
  const prefix = ["api_keys"];
  const records = await Array.fromAsync(deps.kv.list({ prefix }));
  assertEquals(records.length, 10, "a refused key leaves no record");
  assert(await createApiKey(deps, { ...args, wallet: OTHER }));
});

Deno.test("a revoked key frees its place, once, and is not listed", async () => {
  using deps = await testDeps();
  const ids: string[] = [];
  for (let nth = 0; nth < MAX_WALLET_KEYS; nth++) {
    ids.push((await createApiKey(deps, args))!.id);
  }
  assertEquals(await createApiKey(deps, args), null);
  const revoked = await Promise.all(
    Array.from({ length: 5 }, () => revokeApiKey(deps, ids[3]!)),
  );
  assertEquals(revoked.filter(Boolean).length, 1, "only one of five did it");
  assertEquals(await revokeApiKey(deps, ids[3]!), false);
  const listed = await listKeys(deps);
  assertEquals(listed.length, 9);
  assert(!listed.some(({ id }) => id === ids[3]));
  assert(await createApiKey(deps, args));
  assertEquals(await createApiKey(deps, args), null);
});

Deno.test("a revoked key keeps its record, with the time of its revocation", async () => {
  using deps = await testDeps();
  const { id, key } = (await createApiKey(deps, args))!;
  const hash = hashKey(key);
  const createdAt = deps.now().getTime();
  const expected = {
    id,
    originId: id,
    wallet: WALLET,
    name: "test",
    prefix: key.slice(0, 14),
    createdAt,
    revokedAt: null,
    expiresAt: null,
    limits: NO_LIMITS,
  };
  assertEquals(await deps.store.apiKeys.find(hash), expected);
  deps.advance(1_000);
  await revokeApiKey(deps, id);
  const revokedAt = createdAt + 1_000;
  assertEquals(await deps.store.apiKeys.find(hash), { ...expected, revokedAt });
});

Deno.test("no key, and no part of one beyond its first four characters, is in the store", async () => {
  using deps = await testDeps();
  const created = await Promise.all(
    Array.from({ length: 3 }, () => createApiKey(deps, args)),
  );
  await revokeApiKey(deps, created[0]!.id);
  const entries = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  assert(entries.length >= 6);
  const stored = JSON.stringify(entries);
  for (const { key } of created.map((created) => created!)) {
    for (let at = 0; at + 8 <= key.length; at++) {
      const part = key.slice(Math.max(at, 7), Math.max(at, 7) + 8);
      assert(part.length < 8 || !stored.includes(part), part);
    }
    assert(stored.includes(hashKey(key)));
  }
});

Deno.test("the operator's changes of keys are in the wallet's audit trail, without a request id", async () => {
  using deps = await testDeps();
  const { id: keyId } = (await createApiKey(deps, args))!;
  await revokeApiKey(deps, keyId);
  const at = deps.now().getTime();
  const facts = { at, requestId: null, keyId, keyName: "test" };
  assertEquals(await deps.store.audit.list(WALLET), [
    { event: "key.revoke", ...facts },
    { event: "key.create", ...facts, kind: "live" },
  ]);
});

Deno.test("a call that changes nothing writes nothing, not even an audit entry", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < MAX_WALLET_KEYS; nth++) {
    await createApiKey(deps, args);
  }
  const dump = () => Array.fromAsync(deps.kv.list({ prefix: [] }));
  const before = await dump();
  assertEquals(await createApiKey(deps, args), null);
  for (const id of ["", "x", WALLET, crypto.randomUUID()]) {
    assertEquals(await revokeApiKey(deps, id), false);
  }
  const [{ id }] = await listKeys(deps) as [ApiKeyRecord];
  assertEquals(await revokeApiKey(deps, id, { wallet: OTHER }), false);
  assertEquals(await dump(), before);
});

const NOW = 1_000;
const AUDIT = { at: NOW, event: "key.create", requestId: null } as const;

/** A key of the wallet that is named by its id. */
function newKey(id: string, maxKeys = 2): NewKey {
  const record: ApiKeyRecord = {
    id,
    originId: id,
    wallet: WALLET,
    name: id,
    prefix: id,
    createdAt: NOW,
    revokedAt: null,
    expiresAt: null,
    limits: NO_LIMITS,
  };
  return { hash: `hash of ${id}`, record, maxKeys, audit: AUDIT };
}

Deno.test("replace() counts lasting and ending keys apart, and writes nothing when refused", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, find, list, replace } = apiKeyStore(kv);
  const replaceAt = (id: string, by: string, at = NOW) =>
    replace({ wallet: WALLET, id }, () => newKey(by), { at, graceMs: 100 });
  const listAt = async (at: number) =>
    (await list(WALLET, at)).map(({ id }) => id).sort();

  assertEquals(await replaceAt("none", "a"), "unknown");
  assertEquals(await add(newKey("a")), true);
  assertEquals(await add(newKey("b")), true);
  assertEquals(await add(newKey("c")), false, "two keys are the most");
  assertEquals(await replaceAt("a", "a1"), "replaced");
  assertEquals(await replaceAt("b", "b1"), "replaced");
  assertEquals(await listAt(NOW), ["a", "a1", "b", "b1"]);
  assertEquals(await replaceAt("a1", "a2"), "tooMany", "two are ending");
  assertEquals(await find("hash of a2"), null);
  // An ending key can be replaced only if a lasting one is missing.
  assertEquals(await replaceAt("a", "a3"), "tooMany", "two are lasting");
  assertEquals(await find("hash of a3"), null);
  assertEquals(await listAt(NOW + 99), ["a", "a1", "b", "b1"]);
  assertEquals(await listAt(NOW + 100), ["a1", "b1"]);
  assertEquals(await replaceAt("a1", "a4", NOW + 100), "replaced");
});

Deno.test("replace() does not lengthen the life of a key that is ending", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, find, replace } = apiKeyStore(kv);
  const key = { wallet: WALLET, id: "a" };
  await add(newKey("a", 9));
  const ends: (number | null | undefined)[] = [];
  for (const [nth, graceMs] of [50, 500, 10].entries()) {
    const next = () => newKey(`next ${nth}`, 9);
    assertEquals(await replace(key, next, { at: NOW, graceMs }), "replaced");
    ends.push((await find("hash of a"))?.expiresAt);
  }
  assertEquals(ends, [NOW + 50, NOW + 50, NOW + 10]);
});

Deno.test("a listed key without a record is unknown, and is not listed", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, limit, list, replace, revoke } = apiKeyStore(kv);
  await add(newKey("a"));
  await kv.delete(["api_keys", "hash of a"]);
  const key = { wallet: WALLET, id: "a" };
  const never = () => {
    throw new Error("there is no record to change");
  };
  assertEquals(await replace(key, never, { at: NOW, graceMs: 1 }), "unknown");
  assertEquals(await limit(key, never, NOW), "unknown");
  assertEquals(await revoke("a", { wallet: null, audit: AUDIT }), false);
  assertEquals(await list(WALLET, NOW), []);
});

Deno.test("release() makes only waiting keys work, once, with their number on the trail", async () => {
  using kv = await Deno.openKv(":memory:");
  const { add, find, release } = apiKeyStore(kv);
  const cause = { at: NOW + 1, requestId: "request" };
  assertEquals(await release(WALLET, cause), 0, "a wallet without keys");
  for (const id of ["a", "b", "c"]) await add(newKey(id, 3));
  for (const id of ["a", "b"]) {
    const { hash, record } = newKey(id);
    await kv.set(["api_keys", hash], { ...record, isWaiting: true });
  }
  assertEquals(await release(WALLET, cause), 2);
  assertEquals(await release(WALLET, cause), 0);
  for (const id of ["a", "b", "c"]) {
    const { hash, record } = newKey(id);
    assertEquals(await find(hash), record);
  }
  const [released, ...created] = await auditStore(kv).list(WALLET);
  assertEquals(released, { ...cause, event: "key.release", keys: 2 });
  assertEquals(created, [AUDIT, AUDIT, AUDIT]);
});

Deno.test("a change of a key that is released meanwhile does not make it wait again", async () => {
  using deps = await testDeps();
  const { kv, now, store } = deps;
  const { id, key } = (await createApiKey(deps, args))!;
  const record = ["api_keys", hashKey(key)];
  const held = (await kv.get<ApiKeyRecord>(record)).value!;
  await kv.set(record, { ...held, isWaiting: true });
  const at = now().getTime();
  const reading: Pick<Deno.Kv, "atomic" | "get"> = {
    atomic: () => kv.atomic(),
    async get<T>(key: Deno.KvKey) {
      const entry = await kv.get<T>(key);
      const isFirst = String(key) === String(record) && !isReleased;
      if (isFirst) {
        isReleased = true;
        await store.apiKeys.release(WALLET, { at, requestId: "sign-in" });
      }
      return entry;
    },
  };
  let isReleased = false;
  const changed = await apiKeyStore(reading as Deno.Kv).limit(
    { wallet: WALLET, id },
    () => ({
      limits: { ...NO_LIMITS, maxUnits: 5 },
      audit: { at, event: "key.limit", requestId: "limit" },
    }),
    at,
  );
  assert(isReleased && changed !== "unknown");
  const limits = { ...NO_LIMITS, maxUnits: 5 };
  assertEquals((await kv.get(record)).value, { ...held, limits });
});
