/** Free wallets, however many, take neither the upstream calls of paying customers nor those of payments. */
import {
  PAYMENTS,
  readerCallOptions,
} from "../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { type PlanName, PLANS } from "../../services/payments/plans_schema.ts";
import { exampleOf, personaOf } from "../../simnet/accounts.ts";
import { enrol } from "../support/callers.ts";
import { connectionFrom } from "../support/clients.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";

/** Addresses that nobody has scored yet, each needing one index call. */
function* coldAddresses(): Generator<string, never> {
  for (let nth = 0n;; nth++) {
    const address = `0x${(nth + (1n << 150n)).toString(16).padStart(40, "0")}`;
    if (personaOf(address) === "new") yield address;
  }
}

/** A service, and wallets that read cold addresses of it from networks of their own. */
async function openService(settings: Record<string, string> = {}) {
  const deps = await testDeps({ settings });
  const app = createApp(deps);
  const addresses = coldAddresses();
  let wallets = 0;

  async function newReader(plan: PlanName, hostname: string) {
    const wallet = `0x${(++wallets).toString(16).padStart(40, "0")}`;
    const caller = await enrol(deps, { plan, wallet });
    return {
      caller,
      /** Scores an address, by default one that nobody has scored yet. */
      async read(address = addresses.next().value, query = "") {
        const headers = { "X-Api-Key": caller.key };
        const path = `/api/v1/score/${address}${query}`;
        const connection = connectionFrom(hostname);
        const response = await app.request(path, { headers }, connection);
        const body = await response.json();
        const retryAfter = Number(response.headers.get("Retry-After"));
        const left = Number(response.headers.get("X-RateLimit-Remaining"));
        return { status: response.status, body, retryAfter, left };
      },
    };
  }
  return { deps, newReader, [Symbol.dispose]: () => deps[Symbol.dispose]() };
}

/** A minute and the second of the last call, which may be made ten seconds after its reservation. */
const LONGEST_WAIT_S = 60 + 1 + 10;

const indexCalls = ({ upstreams }: TestDeps) => upstreams.explorer.calls.length;

Deno.test("a Scale customer's cold reads are all answered in full while free wallets of many networks read at full speed", async () => {
  using service = await openService();
  const { deps, newReader } = service;
  const free = await Promise.all(
    Array.from(
      { length: 30 },
      (_, nth) => newReader("free", `198.51.100.${nth}`),
    ),
  );
  const paying = await newReader("scale", "203.0.113.1");
  let refused = 0;
  for (let round = 0; round < 10; round++) {
    const flood = free.map(({ read }) => read());
    const { status, body } = await paying.read();
    assertEquals(status, 200);
    const codes = body.explanation.reasons.map(
      ({ code }: { code: string }) => code,
    );
    assert(!codes.includes("PARTIAL_SIGNALS"), "nothing is missing");
    for (const { status, body, retryAfter } of await Promise.all(flood)) {
      const said = `${status}, Retry-After ${retryAfter}: ${body.error}`;
      assert(status === 200 || body.code === "SCORING_BUSY", said);
      if (status === 429) {
        refused++;
        assert(retryAfter >= 1 && retryAfter <= LONGEST_WAIT_S, said);
      }
    }
    deps.advance(1_000);
  }
  assert(refused > 0, "the flood uses up its share");
});

Deno.test("a payment is checked without a wait while free wallets read at full speed", async () => {
  using service = await openService();
  const { deps, newReader } = service;
  const free = await Promise.all(
    Array.from(
      { length: 40 },
      (_, nth) => newReader("free", `198.51.100.${nth}`),
    ),
  );
  for (let round = 0; round < 4; round++) {
    await Promise.all(free.map(({ read }) => read()));
  }
  const before = deps.now().getTime();
  const [node] = deps.upstream.transfers;
  // The reserve of payments: a quarter of the 240 calls a minute. The first read asks
  // for the chain as well.
  for (let call = 1; call < 60; call++) {
    await node!.readHead(readerCallOptions(PAYMENTS));
  }
  assertEquals(deps.now().getTime(), before, "no call had to wait");
});

Deno.test("allowStale=true takes signals of seven days where the calls are used up, and nothing else", async () => {
  using service = await openService({
    EXPLORER_CALLS_PER_SECOND: "1000",
    EXPLORER_CALLS_PER_DAY: "40",
  });
  const { deps, newReader } = service;
  const { read } = await newReader("free", "198.51.100.1");
  const known = [...coldAddresses().take(2)];
  for (const address of known) await read(address);
  deps.advance(2 * 24 * 60 * 60_000);
  // Two calls are the wallet's part of a day: a twentieth.
  for (const address of [...coldAddresses().drop(2).take(2)]) {
    assertEquals((await read(address)).status, 200);
  }
  const code = ({ status, body }: Awaited<ReturnType<typeof read>>) =>
    status === 200
      ? body.explanation.reasons[0]?.code
      : `${status} ${body.code}`;
  assertEquals(code(await read(known[0])), "429 CAPACITY_SPENT");
  const stale = await read(known[0], "?allowStale=true");
  assert(
    stale.status === 200 &&
      stale.body.explanation.reasons.some(
        ({ code }: { code: string }) => code === "STALE_SIGNALS",
      ),
    code(stale),
  );
  assertEquals(
    code(await read(known[0], "?allowStale=false")),
    "429 CAPACITY_SPENT",
  );
  assertEquals(
    code(await read([...coldAddresses().take(9)][8], "?allowStale=true")),
    "429 CAPACITY_SPENT",
    "nothing is stored",
  );
  assertEquals(
    code(await read(known[0], "?allowStale=1")),
    "400 BAD_REQUEST",
  );
  deps.advance(6 * 24 * 60 * 60_000);
  for (const address of [...coldAddresses().drop(10).take(2)]) {
    await read(address);
  }
  assertEquals(
    code(await read(known[1], "?allowStale=true")),
    "429 CAPACITY_SPENT",
    "too old",
  );
});

Deno.test("one free wallet cannot use up a day of the explorer index", async () => {
  using service = await openService({
    EXPLORER_CALLS_PER_SECOND: "1000",
    EXPLORER_CALLS_PER_DAY: "100",
  });
  const { deps, newReader } = service;
  const greedy = await newReader("free", "198.51.100.1");
  for (let nth = 0; nth < 40; nth++) {
    await greedy.read();
    deps.advance(6_000);
  }
  assertEquals(indexCalls(deps), 5, "a twentieth of the day");
  const refused = await greedy.read();
  assertEquals([refused.status, refused.body.code], [429, "CAPACITY_SPENT"]);
  assertEquals(await greedy.caller.used(), 5, "no refusal is charged");
  assertEquals(refused.left, PLANS.free.requests - 5, "and its header says so");
  const other = await newReader("free", "198.51.100.2");
  assertEquals((await other.read()).status, 200);
  const paying = await newReader("scale", "203.0.113.1");
  for (let nth = 0; nth < 55; nth++) {
    assertEquals((await paying.read()).status, 200);
    deps.advance(2_000);
  }
  assert(refused.retryAfter > 3_600, "the wait of the day's window");
  deps.advance(refused.retryAfter * 1_000);
  assertEquals((await greedy.read()).status, 200);
});

Deno.test("reads that fail upstream give the units back, but count against the wallet that caused them", async () => {
  using service = await openService({
    EXPLORER_CALLS_PER_SECOND: "1000",
    EXPLORER_CALLS_PER_DAY: "100",
  });
  const { deps, newReader } = service;
  const greedy = await newReader("free", "198.51.100.1");
  deps.upstreams.explorer.switch.set({ mode: "status" });
  for (let nth = 0; nth < 40; nth++) {
    assertEquals((await greedy.read()).status, nth < 5 ? 500 : 429);
    deps.advance(6_000);
  }
  assertEquals(await greedy.caller.used(), 0);
  assertEquals(indexCalls(deps), 5);
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  assertEquals((await greedy.read()).status, 429);
  const other = await newReader("free", "198.51.100.2");
  assertEquals((await other.read()).status, 200);
});

Deno.test("a free wallet's refused read of an address does not fail a paid read of it", async () => {
  using service = await openService({
    EXPLORER_CALLS_PER_SECOND: "1000",
    EXPLORER_CALLS_PER_DAY: "100",
  });
  const { deps, newReader } = service;
  const greedy = await newReader("free", "198.51.100.1");
  for (let nth = 0; nth < 15; nth++) {
    await greedy.read();
    deps.advance(6_000);
  }
  const paying = await newReader("scale", "203.0.113.1");
  const address = exampleOf("ordinary");
  const [refused, served] = await Promise.all([
    greedy.read(address),
    paying.read(address),
  ]);
  assertEquals([refused.status, served.status], [429, 200]);
});

Deno.test("many free wallets of one IPv6 site share a fifth of the day", async () => {
  using service = await openService({
    EXPLORER_CALLS_PER_SECOND: "1000",
    EXPLORER_CALLS_PER_DAY: "100",
  });
  const { deps, newReader } = service;
  for (let nth = 0; nth < 12; nth++) {
    const { read } = await newReader("free", `2001:db8:1:${nth}::1`);
    for (let call = 0; call < 5; call++) {
      await read();
      deps.advance(6_000);
    }
  }
  assertEquals(indexCalls(deps), 20);
  const other = await newReader("free", "2001:db8:2::1");
  assertEquals((await other.read()).status, 200);
});
