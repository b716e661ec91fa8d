/** Sessions and cross-site requests: cookies, expiry, and refused changes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { startSession } from "../../../services/accounts/sessions.ts";
import { testDeps } from "../../support/deps.ts";
import { type CallOptions, keyPair, newOwner } from "../../support/owners.ts";

const HOUR_MS = 3_600_000;

Deno.test("the session cookie is HttpOnly, SameSite=Strict and bound to its host", async (t) => {
  using deps = await testDeps();
  const cases: [publicUrl: string, cookie: RegExp][] = [
    [
      "https://firn.test",
      /^__Host-firn_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ],
    [
      "http://localhost:8000",
      /^firn_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    ],
  ];
  for (const [publicUrl, cookie] of cases) {
    await t.step(publicUrl, async () => {
      const owner = newOwner({ ...deps, publicUrl });
      const { headers } = await owner.signIn();
      assertMatch(headers.get("Set-Cookie")!, cookie);
      assertEquals((await owner.call("GET", "")).status, 200);
      const out = await owner.call("DELETE", "/session");
      assertMatch(out.headers.get("Set-Cookie")!, /=; Max-Age=0; Path=\/;/);
      assertEquals((await owner.call("GET", "")).status, 401);
    });
  }
});

Deno.test("signing in ends the previous session of the browser, of any wallet", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const before = owner.cookie();
  await owner.signIn();
  assert(owner.cookie() !== before);
  const headers = { Cookie: before };
  assertEquals((await owner.call("GET", "", { headers })).status, 401);
  assertEquals((await owner.call("GET", "")).status, 200);
});

Deno.test("a call for a wallet is refused while another one is signed in", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const call = (wallet: string) =>
    owner.call("DELETE", "/profile", { headers: { "Firn-Wallet": wallet } });
  const { status, body } = await call(keyPair(2).address);
  assertEquals([status, body.code], [401, "SIGNED_OUT"]);
  // The address in any case reaches the account, which has no profile.
  assertEquals((await call(keyPair().address)).status, 404);
});

Deno.test("signing out for a wallet leaves the session of another one", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const signOut = (nth: number) =>
    owner.call("DELETE", "/session", {
      headers: { "Firn-Wallet": keyPair(nth).address },
    });
  const { status, body, headers } = await signOut(2);
  assertEquals([status, body.code], [401, "SIGNED_OUT"]);
  assertEquals(headers.get("Set-Cookie"), null);
  assertEquals((await owner.call("GET", "")).status, 200);
  assertEquals((await signOut(1)).status, 204);
  assertEquals((await owner.call("GET", "")).status, 401);
  await owner.signIn();
  deps.advance(12 * HOUR_MS);
  assertEquals((await signOut(2)).status, 204, "the session has expired");
});

Deno.test("two browsers of one wallet have separate sessions", async () => {
  using deps = await testDeps();
  const laptop = newOwner(deps);
  const phone = newOwner(deps);
  await laptop.signIn();
  await phone.signIn();
  assertEquals((await laptop.call("DELETE", "/session")).status, 204);
  assertEquals((await laptop.call("GET", "")).status, 401);
  const { body } = await phone.call("GET", "");
  assertEquals(
    body.audit.map(({ event }: { event: string }) => event),
    ["session.end", "session.start", "session.start"],
  );
});

Deno.test("signing out without a session succeeds and writes nothing", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  assertEquals((await owner.call("DELETE", "/session")).status, 204);
  const headers = { Cookie: "firn_session=unknown" };
  assertEquals(
    (await owner.call("DELETE", "/session", { headers })).status,
    204,
  );
  assertEquals(await Array.fromAsync(deps.kv.list({ prefix: [] })), []);
});

Deno.test("every invalid session token gets the same 401", async (t) => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const token = owner.cookie().split("=")[1]!;
  const cookies = {
    none: "",
    empty: "firn_session=",
    unknown: `firn_session=${"x".repeat(43)}`,
    "with a character more": `firn_session=${token}x`,
    "in lower case": `firn_session=${token.toLowerCase()}`,
    "under the name of https": `__Host-firn_session=${token}`,
    "of another name": `session=${token}`,
  };
  const texts = new Set<string>();
  for (const [name, Cookie] of Object.entries(cookies)) {
    await t.step(name, async () => {
      const headers = { Cookie };
      const answer = await owner.call("GET", "", { headers });
      assertEquals([answer.status, answer.body.code], [401, "SIGNED_OUT"]);
      assertMatch(answer.headers.get("WWW-Authenticate")!, /^EIP-4361 /);
      texts.add(answer.text);
    });
  }
  assertEquals(texts.size, 1);
});

Deno.test("the store contains no session token", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const token = owner.cookie().split("=")[1]!;
  const stored = JSON.stringify(
    await Array.fromAsync(deps.kv.list({ prefix: [] })),
  );
  assert(stored.includes("sessions"));
  assert(!stored.includes(token));
});

/** Every endpoint here that changes something. */
const CHANGES: readonly [method: string, path: string][] = [
  ["POST", "/challenges"],
  ["POST", "/session"],
  ["DELETE", "/session"],
  ["POST", "/keys"],
  ["POST", "/keys/0198c1f0-5f6c-4c5e-9a3e-0123456789ab/rotate"],
  ["DELETE", "/keys/0198c1f0-5f6c-4c5e-9a3e-0123456789ab"],
];

/**
 * An arbitrary body: a request that is refused for its origin is refused before
 * its body is read.
 */
const BODY = { nonce: "x".repeat(24), signature: `0x${"00".repeat(65)}` };

const FOREIGN: Record<string, CallOptions> = {
  "without Origin": { headers: { Origin: null } },
  "from another site": { headers: { Origin: "https://evil.example" } },
  "from a subdomain": { headers: { Origin: "http://a.localhost:8000" } },
  "from another port": { headers: { Origin: "http://localhost:8001" } },
  "over https": { headers: { Origin: "https://localhost:8000" } },
  "from an opaque origin": { headers: { Origin: "null" } },
  "from a host with the same prefix": {
    headers: { Origin: "http://localhost:8000.evil.example" },
  },
  "marked cross-site by the browser": {
    headers: { "Sec-Fetch-Site": "cross-site" },
  },
  "marked same-site by the browser": {
    headers: { "Sec-Fetch-Site": "same-site" },
  },
  "marked as a navigation by the browser": {
    headers: { "Sec-Fetch-Site": "none" },
  },
  "as a form": {
    body: "{}",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  },
  "as text": { body: "{}", headers: { "Content-Type": "text/plain" } },
  "without a Content-Type": { body: "{}", headers: { "Content-Type": null } },
  "with a Content-Type that only begins like JSON": {
    body: "{}",
    headers: { "Content-Type": "application/jsonp" },
  },
};

for (const [name, options] of Object.entries(FOREIGN)) {
  Deno.test(`a change ${name} is a 403, at every endpoint, and changes nothing`, async (t) => {
    using deps = await testDeps();
    const owner = newOwner(deps);
    await owner.signIn();
    const before = await Array.fromAsync(deps.kv.list({ prefix: [] }));
    for (const [method, path] of CHANGES) {
      await t.step(`${method} ${path}`, async () => {
        const body = path === "/challenges"
          ? { address: owner.wallet, action: "session" }
          : BODY;
        const answer = await owner.call(method, path, { body, ...options });
        assertEquals(answer.status, 403, answer.text);
        assertEquals(answer.body.code, "CROSS_SITE");
      });
    }
    const after = await Array.fromAsync(deps.kv.list({ prefix: [] }));
    assertEquals(after, before);
  });
}

Deno.test("a same-origin change is accepted", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const headers = {
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json; charset=utf-8",
  };
  const body = { address: owner.wallet, action: "session" };
  const options = { body, headers };
  assertEquals((await owner.call("POST", "/challenges", options)).status, 200);
});

Deno.test("a session gives access to the keys of its own wallet only", async (t) => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const other = newOwner(deps, keyPair(2));
  await owner.signIn();
  await other.signIn();
  const { id } = (await owner.createKey()).body;
  const unknown = await other.revokeKey(crypto.randomUUID());
  assertEquals(unknown.status, 404);
  const others = {
    revoking: await other.revokeKey(id),
    rotating: await other.rotateKey(id, 0),
  };
  for (const [name, answer] of Object.entries(others)) {
    await t.step(`${name} another wallet's key is as an unknown key`, () => {
      assertEquals([answer.status, answer.text], [404, unknown.text]);
    });
  }
  assertEquals((await owner.call("GET", "")).body.keys[0].expiresAt, null);
});

Deno.test("a new session has an audit entry with its request id", async () => {
  using deps = await testDeps();
  const { wallet } = newOwner(deps);
  await startSession(deps, { wallet, byContract: null }, {
    replaces: undefined,
    requestId: "r-1",
  });
  const at = deps.now().getTime();
  assertEquals(await deps.store.audit.list(wallet), [
    { at, event: "session.start", requestId: "r-1" },
  ]);
});
