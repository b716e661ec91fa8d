/** The log of calls: what waits in memory, what several processes write, and its bounds. */
import { assert, assertEquals } from "@std/assert";
import {
  callLog,
  callLogStore,
  pack,
  unpack,
  withCalls,
} from "../../../services/accounts/call_log_store.ts";
import type { LoggedCall } from "../../../services/accounts/account_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { fc } from "../../support/properties.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { waitUntil } from "../../support/wait_until.ts";

const NO_CALLS = unpack(null);
const WALLET = `0x${"aa".repeat(20)}`;
const START = Date.parse("2026-11-21T08:00:00Z");

const callAt = (nth: number, keyId = "key"): LoggedCall => ({
  at: START + nth,
  endpoint: "GET /api/v1/score/:address",
  keyId,
  status: 200,
  units: 1,
  requestId: `request-${nth}`,
});

const calls = (count: number, from = 0) =>
  Array.from({ length: count }, (_, nth) => callAt(from + nth));

Deno.test("withCalls() keeps the newest 100 calls of all processes, newest first, in any order of writes", () => {
  const parts = [calls(80), calls(70, 80), calls(5, 150)];
  const expected = calls(155).toReversed().slice(0, 100);
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) {
    const log = order.reduce(
      (log, nth) => withCalls(log, parts[nth]!),
      NO_CALLS,
    );
    assertEquals(log.calls, expected);
  }
});

Deno.test("withCalls() adds a call once, however often its write is repeated", () => {
  const log = withCalls(NO_CALLS, calls(3));
  assertEquals(withCalls(log, calls(3)), log);
});

Deno.test("withCalls() keeps the last use of a key whose calls left the log, for the newest 40 keys", () => {
  const old = Array.from({ length: 50 }, (_, n) => callAt(n, `old-${n}`));
  const { lastUsed, calls: kept } = withCalls(
    withCalls(NO_CALLS, old),
    calls(120, 100),
  );
  assertEquals(Object.keys(lastUsed).length, 40);
  assertEquals(lastUsed["old-49"], START + 49);
  assertEquals(lastUsed["old-0"], undefined);
  assert(kept.every(({ keyId }) => keyId === "key"));
});

Deno.test("unpack() returns the log that pack() was given", () => {
  const call = fc.record({
    at: fc.integer({ min: 0, max: 4e12 }),
    endpoint: fc.constantFrom("GET /a/:b", "POST /c", "GET (unknown)"),
    keyId: fc.constantFrom("one", "two", "three"),
    status: fc.integer({ min: 100, max: 599 }),
    units: fc.integer({ min: 0, max: 50 }),
    requestId: fc.stringMatching(/^[\w-]{0,40}$/),
  });
  fc.assert(fc.property(fc.array(call, { maxLength: 130 }), (more) => {
    const log = withCalls(NO_CALLS, more);
    assertEquals(unpack(pack(log, [])), log);
  }));
});

Deno.test("two processes add to one log at once, and no call is lost", async () => {
  using deps = await testDeps();
  const stores = [callLogStore(deps.kv), callLogStore(deps.kv)];
  const added = await Promise.all(
    Array.from(
      { length: 20 },
      (_, nth) => stores[nth % 2]!.add(WALLET, calls(4, 4 * nth)),
    ),
  );
  assert(added.every((isAdded) => isAdded));
  const log = await stores[0]!.read(WALLET, START + 1_000);
  assertEquals(log.calls, calls(80).toReversed());
  assertEquals(log.lastUsed, { key: START + 79 });
});

Deno.test("note() writes nothing by itself; after five seconds a call starts the write of those before it", async () => {
  using deps = await testDeps();
  const written: [wallet: string, count: number][] = [];
  const add = (wallet: string, { length }: readonly LoggedCall[]) => {
    written.push([wallet, length]);
    return Promise.resolve(true);
  };
  const log = callLog({ now: deps.now, store: { callLogs: { add } } });
  const note = (wallet: string) =>
    log.note(wallet, { ...callAt(0), at: deps.now().getTime() });
  note("a");
  note("b");
  deps.advance(4_999);
  note("a");
  assertEquals(written, []);
  deps.advance(1);
  note("c");
  await log.writeOf("c");
  assertEquals(written, [["a", 2], ["b", 1], ["c", 1]]);
});

Deno.test("note() keeps the calls of 1,000 wallets and the last 100 of each, and a short request id", async () => {
  using deps = await testDeps();
  const written = new Map<string, readonly LoggedCall[]>();
  const add = (wallet: string, calls: readonly LoggedCall[]) => {
    written.set(wallet, calls);
    return Promise.resolve(true);
  };
  const store = { callLogs: { add } };
  const log = callLog({ now: deps.now, store, everyMs: Infinity });
  for (let nth = 0; nth < 1_200; nth++) log.note(`w${nth}`, callAt(nth));
  for (const call of calls(1_000)) log.note("w0", call);
  log.note("w1", { ...callAt(5_000), requestId: "x".repeat(255) });
  await log.writeAll();
  assertEquals(written.size, 1_000);
  assertEquals(written.get("w0"), calls(100, 900));
  assertEquals(written.get("w1")!.at(-1)!.requestId.length, 40);
});

/** Returns a log of calls, and the wallets whose calls it wrote. */
function logOfWallets({ now }: TestDeps) {
  const written: string[] = [];
  const add = (wallet: string) => {
    written.push(wallet);
    return Promise.resolve(true);
  };
  return { written, log: callLog({ now, store: { callLogs: { add } } }) };
}

Deno.test("a write takes the 20 wallets that have waited longest, so that it stays short", async () => {
  using deps = await testDeps();
  const { log, written } = logOfWallets(deps);
  const note = (nth: number) =>
    log.note(`w${nth}`, { ...callAt(nth), at: deps.now().getTime() });
  for (let nth = 0; nth < 30; nth++) note(nth);
  deps.advance(5_000);
  note(0);
  await log.writeOf("none");
  assertEquals(written, Array.from({ length: 20 }, (_, nth) => `w${nth}`));
  deps.advance(5_000);
  note(0);
  await log.writeOf("none");
  assertEquals(
    written.slice(20, 30),
    Array.from({ length: 10 }, (_, nth) => `w${nth + 20}`),
  );
  assertEquals(written.slice(30), ["w0"]);
});

Deno.test("calls that could not be written wait for the next write, and stop no answer", async () => {
  using deps = await testDeps();
  let isBroken = true;
  const add = (wallet: string, calls: readonly LoggedCall[]) =>
    isBroken
      ? Promise.reject(new Error("disk full"))
      : deps.store.callLogs.add(wallet, calls);
  const store = { callLogs: { add } };
  const log = callLog({ now: deps.now, store, everyMs: Infinity });
  log.note(WALLET, callAt(1));
  await log.writeAll();
  isBroken = false;
  log.note(WALLET, callAt(2));
  await log.writeOf(WALLET);
  const { calls } = await deps.store.callLogs.read(WALLET, START + 1_000);
  assertEquals(calls, [callAt(2), callAt(1)]);
});

Deno.test("of more calls than fit while writes fail, the newest are kept", async () => {
  using deps = await testDeps();
  const failure = Promise.withResolvers<boolean>();
  const begun = Promise.withResolvers<void>();
  let add: typeof deps.store.callLogs.add = () => {
    begun.resolve();
    return failure.promise;
  };
  const store = {
    callLogs: { add: (...args: Parameters<typeof add>) => add(...args) },
  };
  const log = callLog({ now: deps.now, store, everyMs: Infinity });
  calls(50).forEach((call) => log.note(WALLET, call));
  const writing = log.writeAll();
  await begun.promise;
  calls(80, 50).forEach((call) => log.note(WALLET, call));
  failure.reject(new Error("disk full"));
  await writing;
  add = deps.store.callLogs.add;
  await log.writeAll();
  const held = await deps.store.callLogs.read(WALLET, START + 1_000);
  assertEquals(held.calls, calls(100, 30).toReversed());
});

Deno.test("calls that are older than 30 days leave the log of a wallet in use", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = callLogStore(kv);
  await store.add(WALLET, [callAt(0)]);
  const later = START + 31 * DAY_MS;
  assertEquals((await store.read(WALLET, later)).calls, []);
  await store.add(WALLET, [callAt(31 * DAY_MS)]);
  const { calls } = await store.read(WALLET, later);
  assertEquals(calls.map(({ at }) => at), [later]);
});

Deno.test("writeAll() tries each batch of 20 wallets once, after the write under way", async () => {
  using deps = await testDeps();
  const tried: string[] = [];
  const under = Promise.withResolvers<boolean>();
  let answer = under.promise;
  const add = (wallet: string) => {
    tried.push(wallet);
    return answer;
  };
  const log = callLog({ now: deps.now, store: { callLogs: { add } } });
  for (let nth = 0; nth < 25; nth++) log.note(`w${nth}`, callAt(0));
  const writing = log.write();
  await waitUntil(() => tried.length === 20);
  const all = log.writeAll();
  under.resolve(true);
  await Promise.all([writing, all]);
  assertEquals(tried, Array.from({ length: 25 }, (_, nth) => `w${nth}`));

  answer = Promise.resolve(false);
  tried.length = 0;
  for (let nth = 0; nth < 25; nth++) log.note(`w${nth}`, callAt(0));
  await log.writeAll();
  // The second batch starts with the five that were not in the first.
  assertEquals(tried.length, 40);
  assertEquals(new Set(tried).size, 25);
});

Deno.test("writeOf() waits for a write of the same wallet that is under way", async () => {
  using deps = await testDeps();
  const written = Promise.withResolvers<boolean>();
  const order: string[] = [];
  const add = async () => {
    await written.promise;
    order.push("written");
    return true;
  };
  const store = { callLogs: { add } };
  const log = callLog({ now: deps.now, store, everyMs: Infinity });
  log.note(WALLET, callAt(0));
  const first = log.writeOf(WALLET);
  const second = log.writeOf(WALLET).then(() => order.push("read"));
  // Longer than a write takes that has nothing to wait for.
  for (let turn = 0; turn < 20; turn++) await null;
  written.resolve(true);
  await Promise.all([first, second]);
  assertEquals(order, ["written", "read"]);
});

Deno.test("note() starts the next write five seconds after the last", async () => {
  using deps = await testDeps();
  const { log, written } = logOfWallets(deps);
  const note = async (wallet: string, afterMs: number) => {
    deps.advance(afterMs);
    log.note(wallet, { ...callAt(0), at: deps.now().getTime() });
    await log.writeOf("none");
  };
  await note("a", 5_000);
  assertEquals(written, ["a"]);
  await note("b", 4_999);
  assertEquals(written, ["a"]);
  await note("c", 1);
  assertEquals(written, ["a", "b", "c"]);
});

Deno.test("add() keeps 30 days before the newest call it adds, whatever their order", async () => {
  using kv = await Deno.openKv(":memory:");
  const logs = callLogStore(kv);
  const days = [0, 30, 29].map((day) => callAt(day * DAY_MS));
  await logs.add(WALLET, days.slice(0, 1));
  await logs.add(WALLET, days.slice(1));
  const { calls } = await logs.read(WALLET, START + 29 * DAY_MS);
  assertEquals(calls, days.slice(1));
});
