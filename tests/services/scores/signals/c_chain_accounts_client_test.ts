import { assert, assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import { C_CHAIN_PATH, cChainRpc } from "../../../../simnet/c_chain/c_chain.ts";
import { others } from "../../../support/graph.ts";
import { cChainAccounts } from "../../../../services/scores/signals/c_chain_accounts_client.ts";
import { MAX_BATCH } from "../../../../services/platform/http/numeric_schema.ts";
import type { Http } from "../../../../services/platform/http/http_client.ts";
import {
  type Answering,
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../../support/upstreams.ts";

const ADDRESS = "0x00000000000000000000000000000000000000aa";

const clientOf = (http: Http) =>
  cChainAccounts(http, "http://up.test/rpc", { chainId: 43114 });

const read = (http: Http) =>
  clientOf(http).announce(ADDRESS).read(CALL_OPTIONS);

/** Answers batches of states, and the chain id. */
const account = (
  { nonce = "0x7", code = "0x" }: { nonce?: unknown; code?: unknown } = {},
) =>
  batching((calls) =>
    calls.map(({ id }) => nonceOf(id, id % 2 === 0 ? nonce : code))
  );

Deno.test("read() asks for the newest state of the address in one batch", async () => {
  const { http, asked } = httpThat(account());
  assertEquals(await read(http), {
    nonce: 7,
    isContract: false,
    isDelegated: false,
  });
  const [chainId, calls] = await Promise.all(
    asked.map((request) => request.json()),
  );
  assertEquals(chainId.method, "eth_chainId");
  assertEquals(
    calls.map((call: Record<string, unknown>) => [call.method, call.params]),
    [
      ["eth_getTransactionCount", [ADDRESS, "latest"]],
      ["eth_getCode", [ADDRESS, "latest"]],
    ],
  );
});

Deno.test("read() takes along those that wait, at most 40 calls in a batch", async () => {
  const { http, asked } = httpThat(account());
  const { announce } = clientOf(http);
  const waiting = others(30).map(announce);
  const gone = announce(ADDRESS);
  gone.leave();
  await waiting[0]!.read(CALL_OPTIONS);
  await Promise.all(waiting.slice(1, 20).map(({ read }) => read(CALL_OPTIONS)));
  assertEquals(asked.length, 2, "the chain id, and one batch for twenty");
  assertEquals((await asked[1]!.clone().json()).length, MAX_BATCH);
  await Promise.all(waiting.slice(20).map(({ read }) => read(CALL_OPTIONS)));
  const sent = await Promise.all(asked.slice(1).map((each) => each.json()));
  const addresses = sent.flat().map(({ params }) => params[0]);
  assert(!addresses.includes(ADDRESS), "who left is not asked for");
});

Deno.test("a batch that the node refuses is split, and a refused address fails alone", async () => {
  const bad = others(4)[2]!;
  const { http, asked } = httpThat(
    batching((calls) =>
      JSON.stringify(calls).includes(bad)
        ? refusedCall(0, "batch refused")
        : calls.map(({ id }) => nonceOf(id, id % 2 === 0 ? "0x7" : "0x"))
    ),
  );
  const { announce } = clientOf(http);
  const states = others(4).map(announce);
  const outcomes = await Promise.allSettled(
    states.map(({ read }) => read(CALL_OPTIONS)),
  );
  assertEquals(outcomes.map(({ status }) => status), [
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  assert(asked.length <= 8, `${asked.length} requests`);
});

Deno.test("a node that asks for a pause is asked once, however many wait", async () => {
  const { http, asked } = httpThat(
    batching(() => refusedCall(0, "rate limit exceeded")),
  );
  const { announce } = clientOf(http);
  const [first] = others(8).map(announce);
  await assertRejects(() => first!.read(CALL_OPTIONS), Fault);
  assertEquals(asked.length, 2, "the chain id and one batch");
});

Deno.test("code makes a contract, but not the code of a delegation", async () => {
  const delegate = "d8da6bf26964af9d7eed9e03e53415d37aa96045";
  const cases: [code: string, isContract: boolean][] = [
    ["0x", false],
    [`0xef0100${delegate}`, false],
    [`0xEF0100${delegate.toUpperCase()}`, false],
    [`0xef0100${delegate}00`, true],
    ["0xef0100", true],
    ["0x6080604052", true],
  ];
  for (const [code, isContract] of cases) {
    const { http } = httpThat(account({ code }));
    assertEquals((await read(http)).isContract, isContract, code);
  }
});

Deno.test("read() turns every failure into a fault, never into a zero", async (t) => {
  const failing = (state: { nonce?: unknown; code?: unknown }): FailureRow => [
    JSON.stringify(state),
    account(state),
    /another shape|no state of the address/,
  ];
  const failures: FailureRow[] = [
    failing({ nonce: null }),
    failing({ nonce: "0xzz" }),
    failing({ nonce: "0xffffffffffffffff" }),
    failing({ nonce: "-0x1" }),
    failing({ code: null }),
    failing({ code: 5 }),
    failing({ code: "0x0" }),
    [
      "one call refused",
      batching(() => [nonceOf(0, "0x1"), refusedCall(1, "missing trie node")]),
      /no state of the address$/,
    ],
    [
      "all refused",
      batching((calls) => calls.map(({ id }) => refusedCall(id, "no"))),
      /it refused the call$/,
    ],
  ];
  await assertFaults(t, read, failures);
});

const SOME = ["aa", "bb", "cc"].map((end) => `0x${end.padStart(40, "0")}`);

const readNonces = (http: Http, addresses = SOME) =>
  cChainAccounts(http, "http://up.test/rpc", { chainId: 43114 }).readNonces(
    addresses,
    CALL_OPTIONS,
  );

/** A node that answers batches with what `answer` makes of the calls. */
const batching =
  (answer: (calls: { id: number }[]) => unknown): Answering =>
  async (request) => {
    const body = await request.json();
    return Array.isArray(body)
      ? Response.json(answer(body))
      : Response.json({ jsonrpc: "2.0", id: 1, result: "0xa86a" });
  };

const nonceOf = (id: number, result: unknown) => ({
  jsonrpc: "2.0",
  id,
  result,
});
const refusedCall = (id: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32000, message },
});

Deno.test("readNonces sends one batch, and takes the answers by their ids", async () => {
  const { http, asked } = httpThat(
    batching(() => [nonceOf(2, "0x2a"), nonceOf(0, "0x0"), nonceOf(1, "0x1")]),
  );
  assertEquals((await readNonces(http)).body, [0, 1, 42]);
  const calls = await asked[1]!.json();
  assertEquals(asked.length, 2, "the chain id and the batch");
  assertEquals(
    calls.map(({ id, method, params }: Record<string, unknown>) => [
      id,
      method,
      params,
    ]),
    SOME.map((address, id) => [
      id,
      "eth_getTransactionCount",
      [address, "latest"],
    ]),
  );
});

Deno.test("a call that the node refuses or leaves out in a batch is null, never zero", async () => {
  const { http } = httpThat(
    batching(() => [nonceOf(2, "0x3"), refusedCall(0, "missing trie node")]),
  );
  assertEquals((await readNonces(http)).body, [null, null, 3]);
});

Deno.test("a batch as large as public nodes accept is answered by simnet, and a larger one is not", async () => {
  const answer = cChainRpc({ now: () => new Date("2026-11-21T08:00:00Z") });
  const url = `http://up.test${C_CHAIN_PATH}`;
  const { http } = httpThat((request) => answer(new Request(url, request)));
  const { body } = await readNonces(http, others(MAX_BATCH));
  assertEquals(body.filter((nonce) => nonce !== null).length, MAX_BATCH);
  await assertRejects(
    () => readNonces(http, others(MAX_BATCH + 1)),
    Fault,
    "it finds the call too large",
  );
});

const readOrigin = (http: Http) =>
  cChainAccounts(http, "http://up.test/rpc", { chainId: 43114 }).readOrigin(
    SOME[0]!,
    SOME[1]!,
    CALL_OPTIONS,
  );

Deno.test("readOrigin reads both nonces and the target's code in one batch of three", async () => {
  const { http, asked } = httpThat(
    batching(() => [
      nonceOf(0, "0x186a0"),
      nonceOf(1, "0x1"),
      nonceOf(2, "0x6080"),
    ]),
  );
  assertEquals((await readOrigin(http)).body, [
    { nonce: 100_000, isContract: false },
    { nonce: 1, isContract: true },
  ]);
  assertEquals(asked.length, 2, "the chain id and the batch");
  const calls = await asked[1]!.json();
  assertEquals(
    calls.map(({ method, params }: Record<string, unknown>) => [
      method,
      params,
    ]),
    [
      ["eth_getTransactionCount", [SOME[0], "latest"]],
      ["eth_getTransactionCount", [SOME[1], "latest"]],
      ["eth_getCode", [SOME[1], "latest"]],
    ],
  );
});

Deno.test("readOrigin counts no delegation as code, and is a fault without an answer", async () => {
  const answering = (code: string | null) =>
    httpThat(batching(() => [
      nonceOf(0, "0x1"),
      nonceOf(1, "0x1"),
      ...code === null ? [] : [nonceOf(2, code)],
    ])).http;
  for (const code of ["0x", `0xef0100${"ab".repeat(20)}`]) {
    const { body: [, target] } = await readOrigin(answering(code));
    assertEquals(target.isContract, false);
  }
  await assertRejects(() => readOrigin(answering(null)), Fault);
});

Deno.test("readNonces turns every failure into a fault", async (t) => {
  await assertFaults(t, readNonces, [
    ["an empty batch", batching(() => []), /another shape/],
    [
      "a refused batch",
      batching(() => refusedCall(0, "it finds the call too large")),
      /it finds the call too large$/,
    ],
    [
      "every call refused",
      batching((calls) =>
        calls.map(({ id }) => refusedCall(id, "rate limit exceeded"))
      ),
      /rate limit is reached$/,
      30_000,
    ],
    [
      "no number",
      batching((calls) => calls.map(({ id }) => nonceOf(id, "0xzz"))),
      /another shape/,
    ],
    [
      "an unsafe number",
      batching((calls) =>
        calls.map(({ id }) => nonceOf(id, "0xffffffffffffffff"))
      ),
      /another shape/,
    ],
  ]);
});
