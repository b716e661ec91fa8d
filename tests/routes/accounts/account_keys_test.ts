/** API keys of an account: grace period of a replaced key, number of keys, and who sees them. */
import { assert, assertEquals } from "@std/assert";
import { askScoring } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { newOwner, type Owner } from "../../support/owners.ts";

const USAGE = "/usage";
const HOUR_S = 3_600;

async function works(deps: TestDeps, key: string): Promise<boolean> {
  const headers = { "X-Api-Key": key };
  const { status } = await askScoring(deps, USAGE, { headers });
  assert(status === 200 || status === 401, String(status));
  return status === 200;
}

const countKeys = async (owner: Owner) =>
  (await owner.call("GET", "")).body.keys.length;

Deno.test("a replaced key works until its grace period is over, and not a millisecond longer", async (t) => {
  for (const graceSeconds of [0, 1, 604_800]) {
    await t.step(`${graceSeconds} s`, async () => {
      using deps = await testDeps();
      const owner = newOwner(deps);
      await owner.signIn();
      const { id, key } = (await owner.createKey()).body;
      const { status, body } = await owner.rotateKey(id, graceSeconds);
      assertEquals(status, 201);
      if (graceSeconds > 0) {
        deps.advance(graceSeconds * 1_000 - 1);
        assert(await works(deps, key));
        deps.advance(1);
      }
      assertEquals(await works(deps, key), false);
      assert(await works(deps, body.key));
    });
  }
});

Deno.test("a key that is rotated concurrently keeps the shortest grace period", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { id, key } = (await owner.createKey()).body;
  const graces = [HOUR_S, 60, 604_800, 600];
  const answers = await Promise.all(
    graces.map((graceSeconds) => owner.rotateKey(id, graceSeconds)),
  );
  assertEquals(answers.map(({ status }) => status), [201, 201, 201, 201]);
  deps.advance(60_000);
  assertEquals(await works(deps, key), false);
  for (const { body } of answers) assert(await works(deps, body.key));
});

Deno.test("a revoked key in its grace period ends at once, and a revoked one cannot be rotated", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { id, key } = (await owner.createKey()).body;
  await owner.rotateKey(id, HOUR_S);
  assertEquals((await owner.revokeKey(id)).status, 204);
  assertEquals(await works(deps, key), false);
  assertEquals((await owner.rotateKey(id, HOUR_S)).status, 404);
  assertEquals((await owner.revokeKey(id)).status, 404);
  assertEquals(await countKeys(owner), 1);
});

Deno.test("a wallet may have ten keys besides replaced ones, and an eleventh is a 409", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const ids: string[] = [];
  for (let nth = 0; nth < 10; nth++) {
    ids.push((await owner.createKey(`key ${nth}`)).body.id);
  }
  const eleventh = await owner.createKey("one more");
  assertEquals(eleventh.status, 409);
  assertEquals(eleventh.body.code, "TOO_MANY_KEYS");
  assertEquals(eleventh.body.maxKeys, 10);

  assertEquals((await owner.rotateKey(ids[0]!, HOUR_S)).status, 201);
  assertEquals(await countKeys(owner), 11);
  const fromGrace = await owner.rotateKey(ids[0]!, HOUR_S);
  assertEquals(fromGrace.status, 409, "the new one would be the eleventh");
  assertEquals((await owner.createKey("one more")).status, 409);
  assertEquals((await owner.revokeKey(ids[1]!)).status, 204);
  assertEquals((await owner.createKey("one more")).status, 201);
});

Deno.test("ten replaced keys may keep working, and one more may be replaced without a grace period", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  let { id } = (await owner.createKey()).body;
  for (let nth = 0; nth < 10; nth++) {
    const rotated = await owner.rotateKey(id, HOUR_S);
    assertEquals(rotated.status, 201);
    ({ id } = rotated.body);
  }
  assertEquals((await owner.rotateKey(id, HOUR_S)).status, 409);
  assertEquals((await owner.rotateKey(id, 0)).status, 201);
});

Deno.test("a crash before the key is stored is a 500 that leaves no key, no entry and no message", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const apiKeys = { ...deps.store.apiKeys, add: () => crash() };
  const crashing = newOwner({ ...deps, store: { ...deps.store, apiKeys } });
  const params = { keyName: "bot", kind: "live" };
  const body = { ...await owner.prove("key.create", params), ...params };
  const headers = { Cookie: owner.cookie() };
  const failed = await crashing.call("POST", "/keys", { body, headers });
  assertEquals([failed.status, failed.body.code], [500, "INTERNAL"]);
  assertEquals((await owner.call("POST", "/keys", { body })).status, 401);
  const { keys, audit } = (await owner.call("GET", "")).body;
  assertEquals([keys.length, audit.length], [0, 1]);
  assertEquals(deps.lines.length, 1);
  assert(!deps.lines[0]!.includes(body.signature));
});

function crash(): never {
  throw new Error("the database is gone");
}

Deno.test("no answer shows a key twice, and no log a key, a signature or a session's token", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const shown: string[] = [];
  const signatures: string[] = [];
  const seen: Owner = {
    ...owner,
    async call(...request) {
      const answer = await owner.call(...request);
      shown.push(answer.text + JSON.stringify([...answer.headers]));
      return answer;
    },
  };
  const change = async (
    [method, path]: readonly [string, string],
    action: "session" | "key.create" | "key.rotate" | "key.revoke",
    params: { keyId?: string; [name: string]: unknown } = {},
  ) => {
    const proof = await owner.prove(action, params);
    signatures.push(proof.signature.slice(2));
    const { keyId: _, ...rest } = params;
    const body = { ...proof, ...rest };
    const answer = await seen.call(method, path, { body });
    await seen.call(method, path, { body });
    return answer;
  };
  await change(["POST", "/session"], "session");
  const token = owner.cookie().split("=")[1]!;
  const keyName = "bot";
  const kind = "live";
  const one = await change(["POST", "/keys"], "key.create", { keyName, kind });
  const { id: keyId, key } = one.body;
  const two = await change(["POST", `/keys/${keyId}/rotate`], "key.rotate", {
    keyId,
    graceSeconds: 60,
  });
  await change(["DELETE", `/keys/${keyId}`], "key.revoke", { keyId });
  await seen.call("GET", "");
  await seen.call("GET", `/keys/${key}`);
  await seen.call("GET", `?key=${key}`);
  await seen.call("POST", "/session", { body: { nonce: key, signature: key } });
  await seen.call("DELETE", "/session");

  const answers = shown.join("\n");
  const count = (text: string) => answers.split(text).length - 1;
  for (const secret of [key, two.body.key]) {
    assertEquals(count(secret), 1);
    assertEquals(count(secret.slice(10, 42)), 1, "nor its random part");
  }
  for (const signature of signatures) assertEquals(count(signature), 0);
  assertEquals(count(token), 1, "in its own Set-Cookie alone");
  const stored = JSON.stringify(
    await Array.fromAsync(deps.kv.list({ prefix: [] })),
  );
  for (const secret of [key, two.body.key, token, ...signatures]) {
    assert(!stored.includes(secret));
    assert(!deps.lines.join("\n").includes(secret));
  }
});
