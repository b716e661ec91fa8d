import { PLANS } from "../../../../services/payments/plans_schema.ts";
import {
  planRequester,
  SERVICE,
  visitorRequester,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { NO_CHAIN } from "../../../../services/model/signals.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  checkSignals,
  findSignals,
  readSignals,
} from "../../../../services/scores/signals/address_signals.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { exampleOf } from "../../../../simnet/accounts.ts";
import { START, type TestDeps, testDeps } from "../../../support/deps.ts";
import { nodeWith } from "../../../support/evm/rpc_node.ts";
import { listing, OWNER, records, type Run } from "../../../support/tx_list.ts";
import { timeoutsOf, withTimeoutAt } from "../../../support/timeouts.ts";
import { virtualService } from "../../../support/virtual_service.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const ADDRESS = exampleOf("ordinary");

/** Counts the histories and the nonces that were asked for. */
function callsOf({ upstreams }: TestDeps) {
  const { explorer, cChainRpc } = upstreams;
  const nonces = cChainRpc.calls.flatMap(({ rpcMethods }) => rpcMethods)
    .filter((method) => method === "eth_getTransactionCount");
  return { histories: explorer.calls.length, nonces: nonces.length };
}

/** Everything stored of addresses, with versions. */
const listStored = ({ kv }: TestDeps) =>
  Array.fromAsync(kv.list({ prefix: ["signals"] }));

const down = (read: () => Promise<unknown>) =>
  assertRejects(read, Fault).then(({ failure }) => failure.kind);

Deno.test("readSignals reads once a day, from both upstreams", async () => {
  using deps = await testDeps();
  const { signals, freshness } = await readSignals(deps, ADDRESS, {
    requester: SERVICE,
  });
  assertEquals(freshness, "fresh");
  const { recentTxAt, firstTxAt, gasAvax, use, origin, ...others } = signals;
  const { funding, sweptTo, ...rest } = others;
  assertEquals(origin?.payers, 1);
  assertEquals([use.count, funding === null, sweptTo], [78, false, null]);
  assertEquals(rest, {
    nonce: 78,
    alike: 0,
    isContract: false,
    isPartial: false,
    fetchedAt: Date.parse(START),
  });
  assertEquals([recentTxAt.length, recentTxAt.at(-1)], [78, firstTxAt]);
  assert(gasAvax > 0);
  assertEquals(callsOf(deps), { histories: 1, nonces: 1 });
  deps.advance(DAY);
  assertEquals(await readSignals(deps, ADDRESS, { requester: SERVICE }), {
    signals,
    freshness,
  });
  assertEquals(callsOf(deps), { histories: 1, nonces: 1 });
  deps.advance(1);
  const next = await readSignals(deps, ADDRESS, { requester: SERVICE });
  assertEquals(next.freshness, "fresh");
  assertEquals(next.signals.fetchedAt, deps.now().getTime());
  assertEquals(callsOf(deps), { histories: 2, nonces: 2 });
});

Deno.test("a reader that found nothing before another one stored signals does not fetch them again", async () => {
  using deps = await testDeps();
  const checked = await checkSignals(deps, ADDRESS);
  const { signals } = await readSignals(deps, ADDRESS, { requester: SERVICE });
  const late = await readSignals(deps, ADDRESS, {
    checked,
    requester: SERVICE,
  });
  assertEquals(late, { signals: { ...signals }, freshness: "fresh" });
  assertEquals(callsOf(deps), { histories: 1, nonces: 1 });
});

Deno.test("200 readers of a cold address make one fetch", async () => {
  using deps = await testDeps();
  const read = await Promise.all(
    Array.from(
      { length: 200 },
      () => readSignals(deps, ADDRESS, { requester: SERVICE }),
    ),
  );
  assertEquals(new Set(read.map(({ signals }) => signals.nonce)).size, 1);
  assertEquals(callsOf(deps), { histories: 1, nonces: 1 });
});

Deno.test("a paid read shares neither the fetch nor the failure of a free one, and two of a class share one", async () => {
  using deps = await testDeps();
  const free = visitorRequester("192.0.2.1");
  const paid = planRequester(`0x${"bb".repeat(20)}`, PLANS.growth.turns);
  const requesters = [free, paid, free, paid];
  await Promise.all(
    requesters.map((requester) => readSignals(deps, ADDRESS, { requester })),
  );
  assertEquals(callsOf(deps).histories, 2);
});

Deno.test("while the explorer is down, stale signals are used and marked", async () => {
  using deps = await testDeps();
  const { signals } = await readSignals(deps, ADDRESS, { requester: SERVICE });
  const stored = await listStored(deps);
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  for (const age of [DAY + 1, 7 * DAY]) {
    deps.advance(signals.fetchedAt + age - deps.now().getTime());
    assertEquals(await readSignals(deps, ADDRESS, { requester: SERVICE }), {
      signals,
      freshness: "stale",
    });
  }
  deps.advance(1);
  assertEquals(
    await down(() => readSignals(deps, ADDRESS, { requester: SERVICE })),
    "upstreamDown",
  );
  assertEquals(await listStored(deps), stored, "nothing is overwritten");
});

Deno.test("while the explorer is down and nothing is stored, a read is a fault and not zeroes", async () => {
  for (const mode of ["refuse", "status", "html", "shape"] as const) {
    using deps = await testDeps();
    deps.upstreams.explorer.switch.set({ mode });
    assertEquals(
      await down(() => readSignals(deps, ADDRESS, { requester: SERVICE })),
      "upstreamDown",
    );
    assertEquals(await listStored(deps), []);
    const made = callsOf(deps).histories;
    assertEquals(
      await down(() => readSignals(deps, ADDRESS, { requester: SERVICE })),
      "upstreamDown",
    );
    assertEquals(callsOf(deps).histories, made, "left alone for a moment");
  }
});

Deno.test("a partial answer is kept for minutes", async () => {
  using deps = await testDeps();
  const { cChainRpc } = deps.upstreams;
  cChainRpc.switch.set({ mode: "status" });
  const partial = await readSignals(deps, ADDRESS, { requester: SERVICE });
  assertEquals(partial.freshness, "fresh");
  assertEquals(partial.signals.isPartial, true);
  assertEquals(partial.signals.nonce, 78, "as far as the index tells");
  cChainRpc.switch.set({ mode: "ok" });
  deps.advance(5 * MINUTE);
  assertEquals(
    await readSignals(deps, ADDRESS, { requester: SERVICE }),
    partial,
  );
  deps.advance(1);
  const whole = await readSignals(deps, ADDRESS, { requester: SERVICE });
  assertEquals([whole.signals.isPartial, whole.freshness], [false, "fresh"]);
});

Deno.test("a partial answer never replaces a whole one that is still usable", async () => {
  using deps = await testDeps();
  const { signals } = await readSignals(deps, ADDRESS, { requester: SERVICE });
  const stored = await listStored(deps);
  deps.upstreams.cChainRpc.switch.set({ mode: "status" });
  deps.advance(2 * DAY);
  const stale = { signals, freshness: "stale" as const };
  assertEquals(await readSignals(deps, ADDRESS, { requester: SERVICE }), stale);
  const made = callsOf(deps).histories;
  assertEquals(await readSignals(deps, ADDRESS, { requester: SERVICE }), stale);
  assertEquals(callsOf(deps).histories, made, "left alone for a moment");
  assertEquals(await listStored(deps), stored);
  deps.advance(5 * DAY + 1);
  const next = await readSignals(deps, ADDRESS, { requester: SERVICE });
  assertEquals([next.freshness, next.signals.isPartial], ["fresh", true]);
});

Deno.test("a contract has sent nothing, however much it received", async () => {
  using deps = await testDeps();
  const { signals } = await readSignals(deps, exampleOf("contract", 1), {
    requester: SERVICE,
  });
  assertEquals(signals, {
    ...NO_CHAIN,
    isContract: true,
    isPartial: false,
    fetchedAt: Date.parse(START),
  });
  assertEquals(callsOf(deps).histories, 1);
});

Deno.test("a history is complete if it has every transaction that the nonce counts", async () => {
  const cases: [
    name: string,
    list: Run[],
    nonce: string,
    code: string,
    isPartial: boolean,
  ][] = [
    ["the index is behind", [], "0x5", "0x", true],
    ["an unused address", [], "0x0", "0x", false],
    ["out of reach", [["own", 3], ["received", 20_000]], "0x4", "0x", true],
    ["buried", [["own", 3], ["received", 20_000]], "0x3", "0x", false],
    ["a contract", [["received", 20_000]], "0x9", "0x6080", false],
    ["atomic transactions in between", [["own", 9]], "0xc", "0x", false],
  ];
  for (const [name, list, nonce, code, isPartial] of cases) {
    const all = records(...list);
    const index = listing(() => all);
    const node = nodeWith({
      eth_getTransactionCount: () => nonce,
      eth_getCode: () => code,
    });
    using deps = await testDeps({
      fetch: async (input) => {
        const request = input as Request;
        const { host } = new URL(request.url);
        return await (host === "explorer.test" ? index : node)(request);
      },
    });
    const { signals } = await readSignals(deps, OWNER, { requester: SERVICE });
    assertEquals(signals.isPartial, isPartial, name);
    const sent = code === "0x" ? Number(nonce) : 0;
    assertEquals(signals.nonce, sent, name);
  }
});

Deno.test("findSignals reads the store alone, in the order asked", async () => {
  using deps = await testDeps();
  const addresses = Array.from(
    { length: 12 },
    (_, nth) => exampleOf("new", nth),
  );
  for (const address of addresses) {
    await readSignals(deps, address, { requester: SERVICE });
  }
  const made = callsOf(deps);
  const asked = [ADDRESS, ...addresses.toReversed(), addresses[0]!];
  const found = await findSignals(deps, asked);
  assertEquals(found[0], null);
  const read = await Promise.all(
    asked.slice(1).map((address) =>
      readSignals(deps, address, { requester: SERVICE })
    ),
  );
  assertEquals(found.slice(1), read);
  deps.advance(DAY + MINUTE);
  const stale = await findSignals(deps, asked);
  assertEquals(
    new Set(stale.map((item) => item && item.freshness)),
    new Set(
      [null, "stale"],
    ),
  );
  deps.advance(90 * DAY);
  assertEquals(await findSignals(deps, asked), stale);
  assertEquals(callsOf(deps), made);
});

Deno.test("signals of another upstream are ignored", async () => {
  using deps = await testDeps();
  const { signals } = await readSignals(deps, ADDRESS, { requester: SERVICE });
  const elsewhere = { signals, origin: "http://elsewhere.test" };
  await deps.store.signals.put(exampleOf("new"), elsewhere);
  assertEquals(await findSignals(deps, [exampleOf("new")]), [null]);
});

Deno.test("authorizations of a delegated account are no missing transactions", async () => {
  using deps = await testDeps();
  const { cChain, explorer } = deps.upstream;
  const read = async (isDelegated: boolean) => {
    const state = { nonce: 3, isContract: false, isDelegated };
    const upstream = {
      ...deps.upstream,
      cChain: {
        ...cChain,
        announce: () => ({ read: () => Promise.resolve(state), leave() {} }),
      },
      explorer: {
        ...explorer,
        readAccount: (
          _: string,
          options: Parameters<typeof explorer.readAccount>[1],
        ) => explorer.readAccount(exampleOf("unused"), options),
      },
    };
    const address = `0x${isDelegated ? "1d" : "2d"}${"0".repeat(38)}`;
    return (await readSignals({ ...deps, upstream }, address, {
      requester: SERVICE,
    })).signals;
  };
  const { isPartial, nonce } = await read(true);
  assertEquals([isPartial, nonce], [false, 0]);
  assertEquals((await read(false)).isPartial, true);
});

/** A service whose index says that the funder of each wallet got its AVAX back through one address. */
async function farming(nodeSays: { nonce: number; isContract: boolean }) {
  const deps = await testDeps();
  const asked: (readonly [string, string])[] = [];
  const at = deps.now().getTime();
  const source = { name: "test", simulated: true } as never;
  const { explorer, cChain } = deps.upstream;
  const body = {
    firstTxAt: at - 9 * DAY,
    recentTxAt: [at - 9 * DAY],
    nonce: 1,
    gasAvax: 0.001,
    use: { count: 1, days: [] },
    funding: { funder: "0xfunder", at: at - 10 * DAY },
    origin: { payers: 1, delayDays: 1 },
    sweptTo: "0xbank",
    isPartial: false,
    unread: [],
  };
  const upstream: TestDeps["upstream"] = {
    ...deps.upstream,
    explorer: {
      ...explorer,
      readAccount: () => Promise.resolve({ body, source }),
    },
    cChain: {
      ...cChain,
      announce: () => ({
        read: () =>
          Promise.resolve({ nonce: 1, isContract: false, isDelegated: false }),
        leave() {},
      }),
      readOrigin(funder, target) {
        asked.push([funder, target]);
        const hub = { nonce: 5, isContract: false };
        return Promise.resolve({ body: [hub, nodeSays] as const, source });
      },
    },
  };
  const alike: number[] = [];
  for (const nth of [0, 1, 2, 3]) {
    const { signals } = await readSignals({ ...deps, upstream }, `0x${nth}`, {
      requester: SERVICE,
    });
    alike.push(signals.alike);
  }
  deps[Symbol.dispose]();
  return { alike, asked };
}

Deno.test("wallets of one funder and one sweep target are tied from two others on; both are looked up once", async () => {
  const person = await farming({ nonce: 99_999, isContract: false });
  assertEquals(person.alike, [0, 0, 2, 3]);
  assertEquals(person.asked, [["0xfunder", "0xbank"]]);
});

Deno.test("signals of an earlier form are stale, however new, and the next read replaces them", async () => {
  using deps = await testDeps();
  const { signals } = await readSignals(deps, ADDRESS, { requester: SERVICE });
  const key = ["signals", ADDRESS];
  const { value } = await deps.kv.get<Record<string, unknown>>(key);
  const { version: _, beforeUse: __, ...earlier } = value!;
  await deps.kv.set(key, earlier);
  const [found] = await findSignals(deps, [ADDRESS]);
  assertEquals([found!.freshness, found!.signals.origin], ["stale", null]);
  const next = await readSignals(deps, ADDRESS, { requester: SERVICE });
  assertEquals(next, { signals, freshness: "fresh" });
});

/** The time in which upstreams are called; the tests end it themselves. */
const CALLING_MS = 9_000;

const AS_SERVICE = { requester: SERVICE };

/** Far more than any wait. */
const SLOW = { mode: "slow", delayMs: 600_000 } as const;

Deno.test("a slow explorer delays nobody longer than the maximum wait", async (t) => {
  const rows: [name: string, explorer: boolean, rpc: boolean][] = [
    ["the explorer", true, false],
    ["both", true, true],
  ];
  for (const [name, explorer, rpc] of rows) {
    await t.step(name, async () => {
      using deps = await testDeps();
      const { upstreams } = deps;
      if (explorer) upstreams.explorer.switch.set(SLOW);
      if (rpc) upstreams.cChainRpc.switch.set(SLOW);
      const kinds = await withTimeoutAt(
        CALLING_MS,
        () =>
          upstreams.explorer.calls.length > 0 &&
          upstreams.cChainRpc.calls.length > 0,
        () =>
          Promise.all(Array.from(
            { length: 20 },
            () => down(() => readSignals(deps, ADDRESS, AS_SERVICE)),
          )),
      );
      assertEquals(new Set(kinds), new Set(["upstreamDown"]));
      assertEquals(upstreams.explorer.calls.length, 1);
    });
  }
});

Deno.test("the calls of a read have nine seconds, which begin with its turn", async () => {
  using deps = await testDeps();
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  const read = () => readSignals(deps, ADDRESS, { requester: SERVICE });
  const [ofAll] = await timeoutsOf(() => down(read));
  assertEquals(ofAll, 9_000);
});

Deno.test("a call ends after eight seconds and those of a read after nine, by the injected clock", async () => {
  const rows: [callMs: number, address: string, ms: number][] = [
    [60_000, ADDRESS, 8_000],
    [5_000, exampleOf("heavy"), CALLING_MS],
  ];
  for (const [callMs, address, ms] of rows) {
    using service = await virtualService({}, { latencyMs: () => callMs });
    const { deps, run } = service;
    const start = deps.now().getTime();
    const reading = Promise.allSettled([
      readSignals(deps, address, AS_SERVICE),
    ]);
    await run(reading);
    assertEquals(deps.now().getTime() - start, ms);
  }
});

Deno.test("a slow RPC costs its part alone, within the same wait", async () => {
  using deps = await testDeps();
  deps.upstreams.cChainRpc.switch.set(SLOW);
  const { explorer } = deps.upstream;
  let isRead = false;
  const readAccount: typeof explorer.readAccount = async (...call) => {
    const account = await explorer.readAccount(...call);
    isRead = true;
    return account;
  };
  const upstream = {
    ...deps.upstream,
    explorer: { ...explorer, readAccount },
  };
  const { signals } = await withTimeoutAt(
    CALLING_MS,
    () => isRead,
    () => readSignals({ ...deps, upstream }, ADDRESS, AS_SERVICE),
  );
  assertEquals([signals.isPartial, signals.nonce], [true, 78]);
});
