/** Sessions: when they end, and when the contract of a smart account is asked again. */
import { assertEquals, assertMatch } from "@std/assert";
import {
  endSession,
  findSession,
  newToken,
  startSession,
} from "../../../services/accounts/sessions.ts";
import { HOUR_MS } from "../../../services/platform/days.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const KEY_PAIR = { wallet: WALLET, byContract: null };
const SIGNED = { message: "a message", signature: `0x${"12".repeat(66)}` };
const FIRST = { replaces: undefined, requestId: "test" };

const eventsOf = async ({ store }: TestDeps) =>
  (await store.audit.list(WALLET)).map(({ event }) => event);

Deno.test("newToken() makes 256 random bits in base64url without padding", () => {
  const tokens = Array.from({ length: 50 }, newToken);
  for (const token of tokens) assertMatch(token, /^[\w-]{43}$/);
  assertEquals(new Set(tokens).size, 50);
});

Deno.test("a session of a key pair lasts for twelve hours, whatever the nodes say, and can be ended", async () => {
  using deps = await testDeps();
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const { token, expiresAt } = await startSession(deps, KEY_PAIR, FIRST);
  assertEquals(expiresAt, deps.now().getTime() + 12 * HOUR_MS);
  deps.advance(12 * HOUR_MS - 1);
  const wallet = await findSession(deps, token, {
    hostname: null,
    mustConfirm: true,
  });
  assertEquals(wallet, WALLET);
  deps.advance(1);
  assertEquals(await findSession(deps, token, { hostname: null }), null);
  assertEquals(await findSession(deps, "unknown", { hostname: null }), null);

  const second = await startSession(deps, KEY_PAIR, FIRST);
  await endSession(deps, second.token, "test");
  assertEquals(await findSession(deps, second.token, { hostname: null }), null);
  assertEquals(await eventsOf(deps), [
    "session.end",
    "session.start",
    "session.start",
  ]);
});

Deno.test("startSession() ends the previous session of the same browser alone, and releases the keys of the wallet", async () => {
  using deps = await testDeps();
  const released: unknown[] = [];
  const { apiKeys } = deps.store;
  const release: typeof apiKeys.release = (...args) => {
    released.push(args);
    return apiKeys.release(...args);
  };
  const store = { ...deps.store, apiKeys: { ...apiKeys, release } };
  const start = async (replaces?: string) => {
    const order = { replaces, requestId: "test" };
    return (await startSession({ ...deps, store }, KEY_PAIR, order)).token;
  };
  const [one, other] = [await start(), await start()];
  const next = await start(one);
  const found = [one, other, next].map((token) =>
    findSession(deps, token, { hostname: null })
  );
  assertEquals(await Promise.all(found), [null, WALLET, WALLET]);
  const at = deps.now().getTime();
  const expected = [WALLET, { at, requestId: "test" }];
  assertEquals(released, [expected, expected, expected]);
});

/** A session of a smart account, and how often its contract was asked. */
async function startByContract(deps: TestDeps) {
  const contract = { accepts: true, asked: 0 };
  const isSignatureValid = () => {
    contract.asked++;
    return Promise.resolve({ body: contract.accepts, source: "node.test" });
  };
  const [node] = deps.upstream.signatures;
  const signatures = [{ ...node!, isSignatureValid }];
  const asking = { ...deps, upstream: { ...deps.upstream, signatures } };
  const confirmation = { wallet: WALLET, byContract: SIGNED };
  const { token } = await startSession(deps, confirmation, FIRST);
  return {
    contract,
    find: (mustConfirm = false) =>
      findSession(asking, token, { hostname: null, mustConfirm }),
  };
}

Deno.test("the contract of a smart account is asked once an hour, before a signed action, and if the clock was set back", async (t) => {
  using deps = await testDeps();
  const { contract, find } = await startByContract(deps);
  const steps: [
    name: string,
    afterMs: number,
    mustConfirm: boolean,
    asked: number,
  ][] = [
    ["within the hour", HOUR_MS - 1, false, 0],
    ["after an hour", 1, false, 1],
    ["within the next hour", HOUR_MS - 1, false, 1],
    ["before a signed action", 0, true, 2],
    ["within an hour of that", HOUR_MS - 1, false, 2],
    ["an hour earlier", -2 * HOUR_MS, false, 3],
  ];
  for (const [name, afterMs, mustConfirm, asked] of steps) {
    await t.step(name, async () => {
      deps.advance(afterMs);
      assertEquals(await find(mustConfirm), WALLET);
      assertEquals(contract.asked, asked);
    });
  }
});

Deno.test("a session ends for good when the contract accepts its signature no longer", async () => {
  using deps = await testDeps();
  const { contract, find } = await startByContract(deps);
  contract.accepts = false;
  assertEquals(await find(), WALLET, "it is not asked yet");
  deps.advance(HOUR_MS);
  assertEquals(await find(), null);
  contract.accepts = true;
  assertEquals(await find(), null);
  assertEquals(contract.asked, 1);
  assertEquals(await eventsOf(deps), ["session.end", "session.start"]);
});
