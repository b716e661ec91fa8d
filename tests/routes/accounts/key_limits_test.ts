/** Limits of keys over HTTP: set at creation, changed by a signature, and free where they refuse. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  type KeyLimitsBody,
  SCOPES,
} from "../../../services/accounts/key_limits_schema.ts";
import { testDeps } from "../../support/deps.ts";
import { openAccount, SCORE } from "../../support/accounts/limited_keys.ts";

Deno.test("a key without limits has none, and its message says nothing of them", async () => {
  using deps = await testDeps();
  const { owner, listKeys } = await openAccount(deps);
  const params = { keyName: "bot", kind: "live" };
  const { message } = await owner.prove("key.create", params);
  assertStringIncludes(message, "API key 'bot' for this wallet.\n");
  assertStringIncludes(message, "?action=key.create&keyName=bot&kind=live");
  assertEquals(message.match(/scopes|limits/i), null);
  await owner.createKey();
  const [{ limits, used }] = await listKeys();
  const none = {
    scopes: null,
    networks: null,
    expiresAt: null,
    maxUnits: null,
    note: null,
  };
  assertEquals([limits, used], [none, 0]);
});

Deno.test("the signed message names the limits, and limits other than the signed ones are refused", async () => {
  using deps = await testDeps();
  const { owner, listKeys } = await openAccount(deps);
  const limits = {
    scopes: ["usage", "score"],
    networks: ["10.1.2.3/8", "2001:DB8::1", "192.0.2.1", "192.0.2.2"],
    expiresAt: "2027-01-31T00:00:00Z",
    maxUnits: 50,
    note: "Grüße & co",
  };
  const params = { keyName: "bot", kind: "live", limits };
  const proof = await owner.prove("key.create", params);
  assertStringIncludes(
    proof.message,
    "Create the live API key 'bot' for this wallet. Limits: for score, usage; " +
      "from 10.1.2.3/8, 2001:db8::1, 192.0.2.1 and 1 more; " +
      "until 2027-01-31T00:00:00.000Z; at most 50 units in 30 days.\n",
  );
  assertStringIncludes(proof.message, "%2C192.0.2.2&");
  for (const part of [{ maxUnits: 51 }, { networks: null }, { note: null }]) {
    const again = await owner.prove("key.create", params);
    const body = { ...again, ...params, limits: { ...limits, ...part } };
    const { status, body: answer } = await owner.call("POST", "/keys", {
      body,
    });
    assertEquals([status, answer.code], [401, "SIGNATURE_REFUSED"]);
  }
  assertEquals(await listKeys(), []);
  const body = { ...proof, ...params };
  const created = await owner.call("POST", "/keys", { body });
  assertEquals(created.status, 201, created.text);
  const expected = {
    scopes: ["score", "usage"],
    networks: ["10.1.2.3/8", "2001:db8::1", "192.0.2.1", "192.0.2.2"],
    expiresAt: "2027-01-31T00:00:00.000Z",
    maxUnits: 50,
    note: "Grüße & co",
  };
  assertEquals(created.body.limits, expected);
  assertEquals((await listKeys())[0].limits, expected);
});

Deno.test("invalid limits are a 400 that says what is accepted", async (t) => {
  using deps = await testDeps();
  const { owner } = await openAccount(deps);
  const cases: [Record<string, unknown>, string][] = [
    [{ scopes: [] }, "at least one scope"],
    [{ scopes: ["write"] }, "score, batch, history, signed, usage"],
    [{ networks: ["10.0.0.0/33"] }, "an IPv4 or IPv6 network"],
    [{ networks: ["example.org"] }, "an IPv4 or IPv6 network"],
    [{ networks: Array(21).fill("192.0.2.1") }, "1 to 20 networks"],
    [{ expiresAt: "tomorrow" }, "an instant in UTC"],
    [{ maxUnits: 0 }, "a whole number from 1 to 1500000"],
    [{ maxUnits: 1.5 }, "a whole number from 1 to 1500000"],
    [{ note: "two\nlines" }, "1 to 200 characters"],
    [{ note: "right\u202eleft" }, "1 to 200 characters"],
    [{ note: "two\u2028lines" }, "1 to 200 characters"],
    [{ note: "half\ud83c" }, "1 to 200 characters"],
    [{ note: "🏔".repeat(201) }, "1 to 200 characters"],
    [{ cap: 5 }, "expected one of scopes, networks, expiresAt"],
  ];
  for (const [limits, expected] of cases) {
    await t.step(JSON.stringify(limits).slice(0, 40), async () => {
      const body = {
        address: owner.wallet,
        action: "key.create",
        keyName: "bot",
        limits,
      };
      const client = crypto.randomUUID();
      const answer = await owner.call("POST", "/challenges", { body, client });
      assertEquals(answer.status, 400, answer.text);
      assertStringIncludes(answer.body.message, expected);
    });
  }
});

Deno.test("the longest limits are signed, also if the message is sent back", async () => {
  using deps = await testDeps();
  const { owner } = await openAccount(deps);
  const networks = Array.from(
    { length: 20 },
    (_, nth) => `2001:0db8:aaaa:bbbb:cccc:dddd:eeee:${1_000 + nth}/128`,
  );
  const limits = {
    scopes: [...SCOPES],
    networks,
    expiresAt: "2027-01-31T00:00:00.000Z",
    maxUnits: 1_500_000,
    note: "🏔".repeat(200),
  };
  const created = await owner.createKey("/".repeat(40), "live", limits);
  assertEquals([created.status, created.body.limits], [201, limits]);
});

Deno.test("limits that an action refuses are refused before its message is signed, and by the action itself", async () => {
  using deps = await testDeps();
  const { owner, create } = await openAccount(deps);
  const { id: live } = await create({});
  const { id: test } = await create({}, "test");
  const name = { action: "key.create", keyName: "bot" };
  const late = { expiresAt: "2026-11-21T08:00:00Z" };
  const capped = { maxUnits: 5 };
  const refused: [body: object, message: RegExp][] = [
    [{ ...name, limits: late }, /^Invalid limits\.expiresAt "2026-11-21T08/],
    [{ ...name, kind: "test", limits: capped }, /null for a test key/],
    [{ action: "key.limit", keyId: live, limits: late }, /in the future$/],
    [
      { action: "key.limit", keyId: test, limits: capped },
      /^Invalid limits\.maxUnits "5": expected null for a test key/,
    ],
  ];
  for (const [params, message] of refused) {
    const body = { address: owner.wallet, ...params };
    const answer = await owner.call("POST", "/challenges", { body });
    assertEquals([answer.status, answer.body.parameter], [400, "limits"]);
    assertMatch(answer.body.message, message);
  }
  const soon = { expiresAt: "2026-11-21T08:05:00Z" };
  const params = { keyId: live, limits: soon };
  const proof = await owner.prove("key.limit", params);
  deps.advance(300_000);
  const body = { ...proof, limits: soon };
  const answer = await owner.call("PUT", `/keys/${live}/limits`, { body });
  assertEquals([answer.status, answer.body.parameter], [400, "limits"]);
});

Deno.test("a scope that is missing is a 403 on its endpoint alone, also for invalid input, costs nothing and calls no source", async (t) => {
  const paths: Record<string, string> = {
    score: SCORE,
    history: `${SCORE}/history`,
    usage: "/usage",
  };
  for (const [scope, path] of Object.entries(paths)) {
    await t.step(scope, async () => {
      using deps = await testDeps();
      const { ask, askBatch, create, used } = await openAccount(deps);
      const { key } = await create({ scopes: ["batch", "signed"] });
      const calls = deps.upstreams.explorer.calls;
      const { status, body, headers } = await ask(key, path);
      assertEquals([status, body.code], [403, "SCOPE_REQUIRED"]);
      assertEquals([body.scope, body.scopes], [scope, ["batch", "signed"]]);
      assertEquals(headers.get("X-RateLimit-Remaining"), "250000");
      assertEquals(deps.upstreams.explorer.calls, calls);
      assertEquals((await ask(key, `${path}?no=1`)).status, 403, "before 400");
      assertEquals((await askBatch(key, 2)).status, 200);
      assertEquals((await ask(key, path)).status, 403, "a cached caller too");
      assertEquals(await used(), 2);
    });
  }
});

Deno.test("a key works from its networks alone, whatever the form of the address", async () => {
  using deps = await testDeps();
  const { ask, create, used } = await openAccount(deps);
  const { key } = await create({ networks: ["10.0.0.0/8", "2001:db8::/32"] });
  const inside = ["10.9.8.7", "::ffff:10.9.8.7", "2001:db8:1::1"];
  const outside = ["11.0.0.1", "::ffff:11.0.0.1", "2001:db9::1"];
  for (const from of [...inside, ...outside, ...inside]) {
    const { status, body, headers } = await ask(key, SCORE, { from });
    assertEquals(status, inside.includes(from) ? 200 : 403, from);
    if (status === 200) continue;
    assertEquals([body.code, body.address], ["NETWORK_NOT_ALLOWED", from]);
    assertEquals(headers.has("X-RateLimit-Limit"), true);
  }
  assertEquals(await used(), 2 * inside.length);
});

Deno.test("an expired key is refused like an unknown one, to the millisecond, and leaves the list", async () => {
  using deps = await testDeps();
  const { owner, ask, create, listKeys } = await openAccount(deps);
  const end = deps.now().getTime() + 3_600_000;
  const { id, key } = await create({ expiresAt: new Date(end).toISOString() });
  deps.advance(end - 1 - deps.now().getTime());
  assertEquals((await ask(key)).status, 200);
  assertEquals((await ask(key)).status, 200);
  deps.advance(1);
  const refused = await ask(key);
  const unknown = await ask(`${key.slice(0, -1)}?`);
  assertEquals([refused.status, refused.body], [401, unknown.body]);
  const names = ({ headers }: typeof refused) =>
    [...headers.keys()].filter((name) => name !== "x-request-id");
  assertEquals(names(refused), names(unknown));
  assertEquals(await listKeys(), []);
  const expiresAt = null;
  assertEquals((await owner.limitKey(id, { expiresAt })).status, 404);
  assertEquals((await owner.rotateKey(id, 0)).status, 404);
});

Deno.test("changed limits count from the next request on, also in another process that has the caller in memory", async () => {
  const folder = await Deno.makeTempDir();
  const kvPath = `${folder}/firn.sqlite3`;
  {
    using deps = await testDeps({ kvPath });
    using elsewhere = await testDeps({ kvPath });
    const { owner, create } = await openAccount(elsewhere);
    const { ask, askBatch } = await openAccount(deps);
    const { id, key } = await create({ note: "before" });
    for (let nth = 0; nth < 3; nth++) {
      assertEquals((await ask(key)).status, 200);
    }
    const change = async (limits: Partial<KeyLimitsBody>) => {
      const { status, text } = await owner.limitKey(id, limits);
      assertEquals(status, 200, text);
    };
    await change({ networks: ["192.0.2.0/24"] });
    assertEquals((await ask(key)).body.code, "NETWORK_NOT_ALLOWED");
    await change({ scopes: ["score"] });
    assertEquals((await ask(key)).status, 200);
    assertEquals((await ask(key)).status, 200);
    assertEquals((await ask(key, "/usage")).body.code, "SCOPE_REQUIRED");
    // Five units of this key are spent already.
    await change({ maxUnits: 6 });
    assertEquals((await ask(key)).status, 200);
    assertEquals((await ask(key)).body.code, "KEY_CAP_EXCEEDED");
    await change({ expiresAt: null });
    assertEquals((await askBatch(key, 2)).status, 200);
    const at = elsewhere.now().getTime() + 1;
    await change({ expiresAt: new Date(at).toISOString() });
    deps.advance(1);
    assertEquals((await ask(key)).status, 401);
  }
  await Deno.remove(folder, { recursive: true });
});
