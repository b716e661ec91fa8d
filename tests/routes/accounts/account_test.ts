/** The account over HTTP: the whole path of an owner, and what is refused on the way. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { askScoring } from "../../support/callers.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import { testDeps } from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";

const SCORE = `/score/0x${"12".repeat(20)}`;

Deno.test("an owner signs in, makes a key, replaces it, revokes it and signs out", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const status = async (key: string) =>
    (await askScoring(deps, SCORE, { headers: { "X-Api-Key": key } })).status;

  const session = await owner.signIn();
  const expiresAt = "2026-11-21T20:00:00.000Z";
  assertEquals(session.body, { wallet: owner.wallet, expiresAt });

  const created = await owner.createKey("CI bot");
  assertEquals(created.status, 201);
  const { id, key, ...shown } = created.body;
  assertMatch(key, /^firn_live_\w{38}$/);
  assertEquals(shown, {
    name: "CI bot",
    prefix: key.slice(0, 14),
    kind: "live",
    createdAt: "2026-11-21T08:00:00.000Z",
    limits: NO_LIMITS,
  });
  assertEquals(await status(key), 200);

  const rotated = await owner.rotateKey(id, 60);
  assertEquals(rotated.status, 201);
  assertEquals(rotated.body.name, "CI bot");
  assert(rotated.body.id !== id && rotated.body.key !== key);
  assertEquals([await status(key), await status(rotated.body.key)], [200, 200]);

  const revoked = await owner.revokeKey(rotated.body.id);
  assertEquals([revoked.status, revoked.text], [204, ""]);
  assertEquals([await status(key), await status(rotated.body.key)], [200, 401]);
  deps.advance(60_000);
  assertEquals(await status(key), 401);

  assertEquals((await owner.call("DELETE", "/session")).status, 204);
  assertEquals((await owner.call("GET", "")).status, 401);
});

Deno.test("the account shows plan, keys, limits, usage and what was done, newest first", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  deps.advance(1_000);
  const first = (await owner.createKey("one")).body;
  deps.advance(1_000);
  const second = (await owner.createKey("two", "test")).body;
  deps.advance(1_000);
  const third = (await owner.rotateKey(first.id, 3_600)).body;
  deps.advance(1_000);
  await owner.revokeKey(second.id);
  await askScoring(deps, SCORE, { headers: { "X-Api-Key": third.key } });

  const { status, body } = await owner.call("GET", "");
  assertEquals(status, 200);
  const { audit, keys, usage, ...rest } = body;
  assertEquals(rest.wallet, owner.wallet);
  assertEquals([rest.plan, rest.planLabel, rest.paidUntil], [
    "free",
    "Free",
    null,
  ]);
  assertEquals(rest.limits, { keys: 10, graceSeconds: 604_800 });
  const { key: _, ...shown } = third;
  const { prefix } = first;
  const days = [{ date: "2026-11-21", units: 1 }];
  const lastUsedAt = "2026-11-21T08:00:04.000Z";
  assertEquals(keys, [
    { ...shown, expiresAt: null, used: 1, days, lastUsedAt },
    {
      id: first.id,
      name: "one",
      prefix,
      kind: "live",
      createdAt: "2026-11-21T08:00:01.000Z",
      expiresAt: "2026-11-21T09:00:03.000Z",
      limits: NO_LIMITS,
      // Those of the key that replaced it are among them.
      used: 1,
      days,
      lastUsedAt: null,
    },
  ]);
  assertEquals([usage.limit, usage.used, usage.remaining], [2500, 1, 2499]);
  assertEquals([usage.days.length, usage.days[29].units.score], [30, 1]);
  // deno-lint-ignore no-explicit-any -- entries have facts of their own kind.
  const entries = audit.map(({ requestId, ...entry }: any) => {
    assertMatch(requestId, /^[\w-]{36}$/);
    return entry;
  });
  const at = (second: number) => `2026-11-21T08:00:0${second}.000Z`;
  assertEquals(entries, [
    { at: at(4), event: "key.revoke", keyId: second.id, keyName: "two" },
    {
      at: at(3),
      event: "key.rotate",
      keyId: third.id,
      keyName: "one",
      replacedKeyId: first.id,
      graceSeconds: 3_600,
    },
    {
      at: at(2),
      event: "key.create",
      keyId: second.id,
      keyName: "two",
      kind: "test",
    },
    {
      at: at(1),
      event: "key.create",
      keyId: first.id,
      keyName: "one",
      kind: "live",
    },
    { at: at(0), event: "session.start" },
  ]);
});

Deno.test("an entry names the request that it came from, and nobody sees another's", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const other = newOwner(deps, keyPair(2));
  const { headers } = await owner.signIn();
  await other.signIn();
  const { body } = await owner.call("GET", "");
  assertEquals(body.audit.length, 1);
  assertEquals(body.audit[0].requestId, headers.get("X-Request-Id"));
});

Deno.test("every answer is private: not cached, and for no other site", async (t) => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const outsider = newOwner(deps, keyPair(2));
  await owner.signIn();
  const body = {};
  const answers = {
    "200": await owner.call("GET", ""),
    "201": await owner.createKey(),
    "204": await owner.revokeKey((await owner.createKey()).body.id),
    "400": await owner.call("POST", "/challenges", { body }),
    "401": await outsider.call("GET", ""),
    "403": await owner.call("POST", "/challenges", {
      body,
      headers: { Origin: null },
    }),
    "404": await owner.call("GET", "/nothing"),
    "405": await owner.call("PUT", "/session", { body }),
    "413": await owner.call("POST", "/challenges", {
      body: "x".repeat(16_385),
    }),
  };
  for (
    const [status, { headers, text, ...answer }] of Object.entries(answers)
  ) {
    await t.step(status, () => {
      assertEquals(answer.status, Number(status), text);
      assertEquals(headers.get("Cache-Control"), "no-store");
      assertMatch(headers.get("X-Request-Id")!, /^[\w-]{36}$/);
      const cors = [...headers.keys()].filter((name) =>
        name.startsWith("access-control-")
      );
      assertEquals(cors, []);
      if (text === "") return;
      assertMatch(headers.get("Content-Type")!, /^application\/json/);
    });
  }
});

Deno.test("malformed input is a 400 that names what is accepted, and uses up no message", async (t) => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const address = owner.wallet;
  const keyId = crypto.randomUUID();
  const rotation = { address, action: "key.rotate", keyId };
  const proof = { nonce: "x".repeat(24), signature: "0x00" };
  const cases: [path: string, body: unknown, message: RegExp][] = [
    ["/challenges", "{", /expected JSON/],
    ["/challenges", "[]", /expected/],
    ["/challenges", { action: "session" }, /C-Chain address/],
    ["/challenges", { address: "vitalik.eth", action: "session" }, /40 hex/],
    ["/challenges", { address, action: "key.steal" }, /session.*key\.create/],
    ["/challenges", { address, action: "session", keyName: "x" }, /keyName/],
    ["/challenges", { address, action: "key.create" }, /1 to 40 letters/],
    ["/challenges", { ...rotation, graceSeconds: -1 }, /0 to 604800/],
    ["/challenges", { ...rotation, graceSeconds: 604_801 }, /0 to 604800/],
    ["/challenges", { ...rotation, graceSeconds: 1.5 }, /whole number/],
    ["/challenges", { ...rotation, graceSeconds: "60" }, /whole number/],
    [
      "/challenges",
      { ...rotation, keyId: "x", graceSeconds: 0 },
      /id of a key/,
    ],
    [
      "/challenges",
      `{"address":"${address}","action":"session","\\u0061ction":"session"}`,
      /duplicate name "action"/,
    ],
    ["/session", { ...proof, signature: "" }, /0x and the hexadecimal/],
    ["/session", { ...proof, signature: "0x0" }, /0x and the hexadecimal/],
    [
      "/session",
      { ...proof, signature: `0x${"ab".repeat(5_000)}` },
      /of at most 4096 bytes$/,
    ],
    ["/session", { ...proof, nonce: "a b" }, /nonce of a challenge/],
    ["/session", { ...proof, wallet: address }, /wallet/],
    ["/keys", proof, /1 to 40 letters/],
    ["/keys/x/rotate", { ...proof, graceSeconds: 0 }, /id of a key/],
  ];
  for (const [path, body, message] of cases) {
    await t.step(JSON.stringify(body).slice(0, 80), async () => {
      const client = crypto.randomUUID();
      const answer = await owner.call("POST", path, { body, client });
      assertEquals(answer.status, 400, answer.text);
      assertEquals(answer.body.code, "BAD_REQUEST");
      assertMatch(answer.body.error, message);
    });
  }
  for (const name of BAD_NAMES) {
    await t.step(`key name ${JSON.stringify(name)}`, async () => {
      const body = { address, action: "key.create", keyName: name };
      const client = crypto.randomUUID();
      const answer = await owner.call("POST", "/challenges", { body, client });
      assertEquals(answer.status, 400);
    });
  }
});

/** Names that would break a message, hide in it, or say something else in it. */
const BAD_NAMES = [
  "",
  " ",
  " a",
  "a ",
  "a\nb",
  "a\r",
  "a\tb",
  "x'. Sign in to evil.example",
  'a"b',
  "a\u202eb",
  "a\u200bb",
  "ключ",
  "a\u0000",
  "a%0ab",
  "x".repeat(41),
];
