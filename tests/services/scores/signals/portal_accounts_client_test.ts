/** Histories from a portal: what the explorer index shows, in whole or not at all. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { cChainAccounts } from "../../../../services/scores/signals/c_chain_accounts_client.ts";
import { explorerAccounts } from "../../../../services/scores/signals/explorer_accounts_client.ts";
import {
  MAX_ADDRESSES,
  portalAccounts,
} from "../../../../services/scores/signals/portal_accounts_client.ts";
import { storeBusy } from "../../../../services/platform/kv/sqlite_errors.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import type { Http } from "../../../../services/platform/http/http_client.ts";
import { unlessAborted } from "../../../../services/platform/clock.ts";
import {
  exampleOf,
  type Persona,
  personaOf,
} from "../../../../simnet/accounts.ts";
import { PORTAL_PATH } from "../../../../simnet/portal.ts";
import { simulateUpstreams } from "../../../../simnet/upstreams.ts";
import { START } from "../../../support/deps.ts";
import { virtualClock } from "../../../support/virtual_service.ts";
import { others } from "../../../support/graph.ts";
import { fc } from "../../../support/properties.ts";
import { OWNER } from "../../../support/tx_list.ts";
import {
  type Answering,
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../../support/upstreams.ts";

const BASE_URL = `http://up.test${PORTAL_PATH}`;
const now = () => new Date(START);

const PERSONAS: readonly Persona[] = [
  "unused",
  "new",
  "dormant",
  "heavy",
  "contract",
  "delegated",
  "ordinary",
];

const readAt = (http: Http, address = OWNER, sent: number | null = null) =>
  portalAccounts(http, BASE_URL).readAccount(address, {
    ...CALL_OPTIONS,
    countSent: () => Promise.resolve(sent),
  });

/** A client of a portal that answers so. */
const portalThat = (answer: Answering) => {
  const { http, asked } = httpThat(answer, { timeoutMs: 5_000 });
  return { http, asked, client: portalAccounts(http, BASE_URL) };
};

/** A transaction of the owner, with fields replaced. */
const ownTx = (nonce: number, fields: Record<string, unknown> = {}) => ({
  hash: `0x${nonce}`,
  from: OWNER,
  to: "0xcd",
  value: "0x0",
  sighash: "0x",
  nonce,
  gasUsed: "0x5208",
  effectiveGasPrice: "0x5d21dba00",
  status: 1,
  ...fields,
});

/** A line of a stream. */
const block = (number: number, ...transactions: unknown[]) =>
  `${
    JSON.stringify({
      header: { number, timestamp: 1_700_000_000 + number },
      ...transactions.length > 0 && { transactions },
    })
  }\n`;

const streamTo = (head: number | string | null, ...lines: string[]) =>
  new Response(lines.join(""), {
    headers: head === null ? {} : { "X-Sqd-Finalized-Head-Number": `${head}` },
  });

/** A portal that gives these answers one after the other. */
function inTurn(...answers: (() => Response)[]): Answering {
  let nth = 0;
  return () => answers[nth++]!();
}

const queryOf = (request: Request) => request.clone().json();

Deno.test("the portal and the explorer index have the same history of every address, and what is too long is left to the index", async () => {
  const { explorer, cChainRpc, portal } = simulateUpstreams({ now });
  const index = explorerAccounts(
    httpThat(explorer.handle, { timeoutMs: 30_000 }).http,
    "http://up.test/v2/network/mainnet/evm/43114/etherscan/api",
  );
  const node = cChainAccounts(
    httpThat(cChainRpc.handle, { timeoutMs: 30_000 }).http,
    "http://up.test/ext/bc/C/rpc",
    { chainId: 43114 },
  );
  const { client } = portalThat(portal.handle);
  const seen = new Set<Persona>();
  const address = fc.tuple(fc.constantFrom(...PERSONAS), fc.nat(20))
    .map(([persona, nth]) => exampleOf(persona, nth));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(address, { minLength: 1, maxLength: 10 }),
      async (addresses) => {
        const made = portal.calls.length;
        await Promise.all(addresses.map(async (address) => {
          seen.add(personaOf(address));
          const state = await node.announce(address).read(CALL_OPTIONS);
          const sent = state.isContract
            ? 0
            : state.isDelegated
            ? null
            : state.nonce;
          const options = {
            ...CALL_OPTIONS,
            subject: address,
            countSent: () => Promise.resolve(sent),
          };
          const read = async () =>
            client.readAccount(address, {
              ...await client.start(options),
              countSent: options.countSent,
            });
          const reading = read();
          // Its first record is a receipt, the others are counted if it sent them.
          if (sent !== 0 && state.nonce + 1 > 2_500) {
            await assertRejects(() => reading, Fault, "too large");
            return;
          }
          const { body } = await index.readAccount(address, options);
          assertEquals((await reading).body, body, address);
        }));
        assert(portal.calls.length - made <= 10, "all are asked together");
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
  assertEquals(seen, new Set(PERSONAS));
});

Deno.test("a stream is continued after its last block until the head, whatever ends it", async () => {
  const breaking = (text: string) =>
    new Response(
      new ReadableStream({
        start(body) {
          body.enqueue(new TextEncoder().encode(text));
        },
        pull: () => Promise.reject(new TypeError("connection reset")),
      }),
      { headers: { "X-Sqd-Finalized-Head-Number": "900" } },
    );
  const { client, asked } = portalThat(inTurn(
    () => streamTo(900, block(0), block(10, ownTx(0)), block(300)),
    () => breaking(block(301) + block(400, ownTx(1)) + '{"header":{"num'),
    () => streamTo(900, block(401), block(500, ownTx(2)), '{"header"'),
    () => streamTo(900, block(501), block(900)),
  ));
  const { body, source } = await client.readAccount(OWNER, CALL_OPTIONS);
  assertEquals(source, "SQD Portal (up.test)");
  assertEquals([body.nonce, body.isPartial, body.gasAvax], [
    3,
    false,
    0.001575,
  ]);
  assertEquals(body.recentTxAt.map((at) => at / 1000 - 1_700_000_000), [
    500,
    400,
    10,
  ]);
  const queries = await Promise.all(asked.map(queryOf));
  assertEquals(queries.map(({ fromBlock }) => fromBlock), [0, 301, 401, 501]);
  assertEquals(asked[0]!.url, `${BASE_URL}/finalized-stream`);
  assertEquals(queries[0].transactions, [{ from: [OWNER] }, { to: [OWNER] }]);
  assertEquals(
    queries[1].transactions,
    [{ from: [OWNER] }],
    "later receipts count for nothing",
  );
});

Deno.test("without a head in the answer, only an answer without blocks ends a stream", async () => {
  const { client, asked } = portalThat(inTurn(
    () => streamTo(null, block(0, ownTx(0)), block(7)),
    () => streamTo("", block(8), block(9, ownTx(1))),
    () => new Response(null, { status: 204 }),
  ));
  const { body } = await client.readAccount(OWNER, CALL_OPTIONS);
  assertEquals([body.nonce, asked.length], [2, 3]);
});

Deno.test("a history with fewer transactions than were sent is none", async () => {
  const answer = () => streamTo(9, block(0, ownTx(0)), block(9, ownTx(1)));
  const { body } = await readAt(httpThat(answer).http, OWNER, 2);
  assertEquals([body.nonce, body.isPartial], [2, false]);
  await assertRejects(
    () => readAt(httpThat(answer).http, OWNER, 3),
    Fault,
    "Cannot read up.test: it lacks the data",
  );
  const unread = () =>
    streamTo(9, block(0, ownTx(0)), block(9, ownTx(1, { gasUsed: null })));
  const read = await readAt(httpThat(unread).http, OWNER, 2);
  assertEquals(read.body.unread, ["gasUsed is null"]);
});

Deno.test("an address with more than 2,500 records is left out, and those with it are read", async () => {
  const many = (from: number) =>
    Array.from(
      { length: 1_000 },
      (_, nth) => block(from + nth, ownTx(from + nth)),
    );
  const other = others(1)[0]!;
  const otherTx = (nonce: number) => ownTx(nonce, { from: other });
  const { client, asked } = portalThat(inTurn(
    () =>
      streamTo(
        9_000,
        ...many(0),
        ...many(1_000),
        ...many(2_000),
        block(3_000, otherTx(0)),
      ),
    () => streamTo(9_000, block(3_001, otherTx(1)), block(9_000)),
  ));
  const read = async (address: string) => {
    const started = await client.start({ ...CALL_OPTIONS, subject: address });
    return await client.readAccount(address, started);
  };
  const [heavy, light] = await Promise.allSettled([OWNER, other].map(read));
  assertEquals(heavy!.status, "rejected");
  assert(light?.status === "fulfilled");
  assertEquals(light.value.body.nonce, 2);
  const [, { fromBlock, transactions }] = await Promise.all(asked.map(queryOf));
  assertEquals([fromBlock, transactions[0].from], [3_001, [other]]);

  assertEquals(client.waitMs({ ...CALL_OPTIONS, subject: OWNER }), Infinity);
  await assertRejects(() => read(OWNER), Fault, "too large");
  assertEquals(asked.length, 2, "no scan has it again");
});

Deno.test("an answer that goes on with an address that is left out is ended, and asked for without it", async () => {
  const other = others(1)[0]!;
  const flood = Array.from(
    { length: 30_000 },
    (_, nth) => block(nth, ownTx(nth)),
  );
  const { client, asked } = portalThat(inTurn(
    () => streamTo(90_000, ...flood),
    () =>
      streamTo(90_000, block(29_000, ownTx(0, { from: other })), block(90_000)),
  ));
  const [heavy, light] = await Promise.allSettled([OWNER, other].map(
    async (address) => {
      const started = await client.start({ ...CALL_OPTIONS, subject: address });
      return await client.readAccount(address, started);
    },
  ));
  assertEquals([heavy!.status, light!.status], ["rejected", "fulfilled"]);
  const { fromBlock } = await queryOf(asked[1]!);
  assert(fromBlock < 25_000, `the first answer was read to ${fromBlock}`);
});

Deno.test("receipts before the first transaction show the funder; failed and later ones count for nothing, however many", async () => {
  const receipt = (nth: number, fields: Record<string, unknown> = {}) => ({
    ...ownTx(nth, { hash: `0xr${nth}`, from: `0xf${nth % 2}`, to: OWNER }),
    value: "0xde0b6b3a7640000",
    ...fields,
  });
  const later = Array.from(
    { length: 2_600 },
    (_, nth) => block(20 + nth, receipt(nth)),
  );
  const lines = [
    block(1, receipt(1, { status: 0 })),
    block(2, receipt(2)),
    block(3, ownTx(0)),
    ...later,
  ];
  const { http } = httpThat(() => streamTo(2_619, ...lines));
  const { body } = await readAt(http);
  assertEquals(body.funding, { funder: "0xf0", at: 1_700_000_002_000 });
  assertEquals([body.nonce, body.origin?.payers], [1, 1]);
});

Deno.test("those that wait while a scan runs are the next one, a hundred at most", async () => {
  const gate = Promise.withResolvers<void>();
  const sizes: number[] = [];
  const { http, client } = portalThat(async (request) => {
    const { transactions: [{ from }] } = await request.json();
    sizes.push(from.length);
    if (sizes.length === 1) await gate.promise;
    return streamTo(9, block(0), block(9));
  });
  const read = async (address: string) => {
    const started = await client.start({ ...CALL_OPTIONS, subject: address });
    assert(client.hasStarted(started));
    return await client.readAccount(address, started);
  };
  const first = read(`0x${"f".repeat(40)}`);
  while (sizes.length === 0) await Promise.resolve();
  const waitMs = () => client.waitMs(CALL_OPTIONS);
  assert(waitMs() > 0, "a scan runs");
  http.rateLimiter.waitMs = () => -Infinity;
  assertEquals(waitMs(), -Infinity, "a place is kept");
  const reads = others(MAX_ADDRESSES + 20).map(read);
  gate.resolve();
  await Promise.all([first, ...reads]);
  assertEquals(sizes, [1, MAX_ADDRESSES, 20]);
});

Deno.test("a compressed stream is read as another one", async () => {
  await using server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
  }, () => {
    const { body } = streamTo(null, block(0, ownTx(0)), block(5, ownTx(1)));
    return new Response(body!.pipeThrough(new CompressionStream("gzip")), {
      headers: {
        "Content-Encoding": "gzip",
        "X-Sqd-Finalized-Head-Number": "5",
      },
    });
  });
  const { http } = httpThat(() => new Response());
  const url = `http://127.0.0.1:${server.addr.port}`;
  const { body } = await portalAccounts(
    { ...http, timeoutMs: 5_000, fetch },
    url,
  )
    .readAccount(OWNER, CALL_OPTIONS);
  assertEquals(body.nonce, 2);
});

Deno.test("a portal turns every failure into a fault, and is left alone for a minute", async (t) => {
  const refusal = (status: number, headers = {}): Answering => () =>
    Response.json({ error: { type: "rate_limit_error", code: "overloaded" } }, {
      status,
      headers,
    });
  const failures: FailureRow[] = [
    ["overloaded", refusal(529, { "Retry-After": "10" }), /529/, 10_000],
    ["no workers", refusal(503), /status is 503$/],
    ["no blocks at all", () => streamTo(9), /another shape/],
    ["a block twice", () => streamTo(4, block(4), block(4)), /another shape/],
    ["a block without number", () => streamTo(9, '{"header":{}}\n'), /another/],
    ["a stream that does not go on", () => streamTo(9, block(4)), /another/],
  ];
  await assertFaults(t, (http) => readAt(http), failures, { restMs: 60_000 });
});

Deno.test("a failure of the own database closes no portal", async () => {
  const { http, closedForMs } = httpThat(() => streamTo(0, block(0)));
  const acquire = () => Promise.reject(storeBusy("does not answer in time"));
  const busy = { ...http, rateLimiter: { ...http.rateLimiter, acquire } };
  const { failure } = await assertRejects(() => readAt(busy), Fault);
  assertEquals([failure.kind, closedForMs], ["storeBusy", []]);
});

Deno.test("a scan that takes longer than five seconds is given up, and the portal paused", async () => {
  const never = () => Promise.withResolvers<Response>().promise;
  const { http, closedForMs } = httpThat(never, { timeoutMs: 8_000 });
  const ofScan = new AbortController();
  const slow: Http = {
    ...http,
    timeout: (ms) =>
      ms === 5_000 ? ofScan.signal : new AbortController().signal,
    fetch(...call) {
      const answer = http.fetch(...call);
      ofScan.abort(new DOMException("Signal timed out.", "TimeoutError"));
      return answer;
    },
  };
  const { failure } = await assertRejects(() => readAt(slow), Fault);
  assert(failure.kind === "upstreamDown" && failure.isPaused);
  assertEquals(closedForMs, [60_000]);
});

/** A portal on a virtual clock whose answers take this long, one for each block. */
function slowPortal(
  answerMs: number,
  answersOf: (addresses: number) => number,
  recordsOf: (nonce: number, from: string) => readonly unknown[] = (
    nonce,
    from,
  ) => [ownTx(nonce, { from })],
) {
  const clock = virtualClock();
  const { http, closedForMs } = httpThat(() => new Response(), {
    timeoutMs: 8_000,
  });
  const sizes: number[] = [];
  const client = portalAccounts({
    ...http,
    now: clock.now,
    timeout: clock.timeout,
    async fetch(input, init) {
      const { fromBlock, transactions: [{ from }] } = await (input as Request)
        .json();
      if (fromBlock === 0) sizes.push(from.length);
      await unlessAborted(clock.sleep(answerMs), init!.signal!);
      return streamTo(
        answersOf(from.length) - 1,
        block(fromBlock, ...recordsOf(fromBlock, from[0])),
      );
    },
  }, BASE_URL);
  const read = async (address: string) => {
    const options = {
      ...CALL_OPTIONS,
      subject: address,
      requester: { of: "plans", parties: [], weight: 1 } as const,
    };
    const started = await client.start(options);
    return await client.readAccount(address, started);
  };
  /** Returns the nonce of an address, or the refusal of the read. */
  const outcomeOf = (address: string) =>
    read(address).then(
      ({ body }) => body.nonce,
      ({ failure }: Fault) => failure,
    );
  return { clock, client, sizes, closedForMs, outcomeOf };
}

Deno.test("a scan that takes longer than its reads wait goes on, and they get what it finds when they come again", async () => {
  // Four answers of two seconds.
  const { clock, client, sizes, closedForMs, outcomeOf } = slowPortal(
    2_000,
    () => 4,
  );
  const refused = outcomeOf(OWNER);
  await clock.run(refused);
  assertEquals(await refused, {
    kind: "scoringBusy",
    upstream: "up.test",
    requester: "plans",
    usedBy: "everyone",
    retryAfterMs: 5_000,
  });
  const early = outcomeOf(OWNER);
  await clock.run(early);
  assertEquals(await early, 4, "it waits for the scan that runs");
  await clock.pass(50_000);
  const options = { ...CALL_OPTIONS, subject: OWNER };
  assertEquals(client.waitMs(options), -Infinity, "nothing is nearer");
  assertEquals(await outcomeOf(OWNER), 4, "it is there at once");
  assertEquals([sizes, closedForMs], [[1], []]);

  await clock.pass(20_000);
  const later = outcomeOf(OWNER);
  await clock.run(later);
  assertEquals(sizes, [1, 1], "it is read anew after a minute");
});

Deno.test("what a long scan has found in another shape is a fault of the reads that come again, and of no one else", async () => {
  const { clock, sizes, closedForMs, outcomeOf } = slowPortal(
    2_000,
    () => 4,
    (nonce, from) =>
      Array.from(
        { length: 30 },
        (_, nth) => ownTx(nonce * 30 + nth, { from, gasUsed: "?" }),
      ),
  );
  const refused = outcomeOf(OWNER);
  await clock.run(refused);
  assertEquals((await refused as Fault["failure"]).kind, "scoringBusy");
  // The scan ends while nobody waits for it.
  await clock.pass(10_000);
  const again = await outcomeOf(OWNER);
  assertEquals((again as Fault["failure"]).kind, "upstreamDown");
  assertEquals([sizes, closedForMs], [[1], []]);
});

Deno.test("after a scan that does not end in half a minute the next one has half the addresses, and later ones have more again", async () => {
  // An answer for each address: 13 or fewer end in time.
  const { clock, sizes, closedForMs, outcomeOf } = slowPortal(
    2_000,
    (addresses) => addresses,
  );
  const reading = others(41).map(async (address) => {
    while (typeof await outcomeOf(address) !== "number") {
      await clock.sleep(1_000);
    }
  });
  await clock.run(Promise.all(reading));
  assertEquals(sizes.slice(0, 3), [41, 21, 11]);
  assert(sizes.length < 10, `${sizes}`);
  assertEquals(closedForMs, []);
});
