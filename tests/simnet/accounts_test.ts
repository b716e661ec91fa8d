import { assert, assertEquals } from "@std/assert";
import {
  countSent,
  exampleOf,
  type Persona,
  personaOf,
} from "../../simnet/accounts.ts";
import { C_CHAIN_PATH } from "../../simnet/c_chain/c_chain.ts";
import { EXPLORER_PATH } from "../../simnet/explorer/explorer.ts";
import { type Json, NOW, testNet } from "./support.ts";

const net = testNet();
const PERSONAS: readonly Persona[] = [
  "unused",
  "new",
  "dormant",
  "heavy",
  "contract",
  "delegated",
  "ordinary",
];

async function list(address: string, query: string): Promise<Json> {
  const path = `${EXPLORER_PATH}?module=account&action=txlist`;
  return (await net.get(`${path}&address=${address}&${query}`)).body;
}

async function state(method: string, ...params: unknown[]): Promise<Json> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return await net.rpc(C_CHAIN_PATH, body);
}

Deno.test("personaOf() ignores the case of an address, and every persona occurs", async () => {
  const counts = Map.groupBy(
    Array.from({ length: 500 }, (_, index) => `0x${index}`),
    personaOf,
  );
  assertEquals(new Set(counts.keys()), new Set(PERSONAS));
  const address = exampleOf("ordinary", 3);
  assertEquals(personaOf(address), "ordinary");
  assert(address !== exampleOf("ordinary", 2));
  const upper = `0x${address.slice(2).toUpperCase()}`;
  assertEquals(
    await list(upper, "offset=5&page=1"),
    await list(address, "offset=5&page=1"),
  );
});

Deno.test("explorer and RPC agree on the history of each persona", async () => {
  for (const persona of PERSONAS) {
    const address = exampleOf(persona);
    const { result } = await list(address, "page=1&offset=5000&sort=desc");
    const own = result.filter((row: Json) => row.from === address);
    const { result: nonce } = await state("eth_getTransactionCount", address);
    const { result: code } = await state("eth_getCode", address, "latest");
    const { result: balance } = await state("eth_getBalance", address);
    assertEquals(own.length > 0, !["unused", "contract"].includes(persona));
    if (own.length > 0) assertEquals(Number(nonce), Number(own[0].nonce) + 1);
    assertEquals(code === "0x", !["contract", "delegated"].includes(persona));
    assertEquals(balance === "0x0", persona === "unused");
    const times = result.map((row: Json) => Number(row.timeStamp));
    assertEquals(times, times.toSorted((a: number, b: number) => b - a));
    assert((times[0] ?? 0) * 1_000 <= NOW.getTime());
  }
  const sent = countSent(exampleOf("heavy"), NOW.getTime());
  assert(sent > 50_000 && sent < 52_000, `${sent}`);
});

Deno.test("a record is in the block that the RPC has at its time", async () => {
  for (const persona of ["dormant", "heavy"] as const) {
    const query = "page=1&offset=3&sort=asc";
    for (const row of (await list(exampleOf(persona), query)).result) {
      const tag = `0x${Number(row.blockNumber).toString(16)}`;
      const { result } = await state("eth_getBlockByNumber", tag, false);
      assertEquals(Number(result.timestamp), Number(row.timeStamp));
      assertEquals(
        Object.values(row).every((v) => typeof v === "string"),
        true,
      );
    }
  }
});

Deno.test("txlist pages form one list, in both sort orders", async () => {
  const address = exampleOf("heavy");
  const hashes = async (query: string) =>
    (await list(address, query)).result.map((row: Json) => row.hash);
  const whole = await hashes("page=1&offset=5000&sort=asc");
  assertEquals(whole.length, 5_000);
  assertEquals(new Set(whole).size, 5_000);
  assertEquals(
    [
      ...await hashes("page=1&offset=2500&sort=asc"),
      ...await hashes("page=2&offset=2500"),
    ],
    whole,
  );
  const { result } = await list(address, "page=1&offset=2&sort=desc");
  assertEquals(
    (await list(address, "page=2&offset=1&sort=desc")).result[0],
    result[1],
  );
});

Deno.test("txlist ends at its window and returns at most 5,000 records", async () => {
  const heavy = exampleOf("heavy");
  assertEquals((await list(heavy, "page=1&offset=10000")).result.length, 5_000);
  assertEquals((await list(heavy, "page=4&offset=2500")).result.length, 2_500);
  assertEquals(await list(heavy, "page=5&offset=2500"), {
    status: "0",
    message: "Result window is too large, PageNo x Offset size must be less " +
      "than or equal to 10000",
    result: null,
  });
  const nothing = { status: "0", message: "No transactions found", result: [] };
  assertEquals(await list(exampleOf("unused"), "page=1&offset=10"), nothing);
  assertEquals(await list(exampleOf("new"), "page=9&offset=100"), nothing);
});

Deno.test("txlist refuses invalid parameters", async () => {
  const { body } = await net.get(
    `${EXPLORER_PATH}?module=account&action=txlist&address=0x12`,
  );
  assertEquals([body.status, body.message], ["0", "NOTOK"]);
  const other = await net.get(`${EXPLORER_PATH}?module=account&action=balance`);
  assertEquals(other.body.status, "0");
  const address = exampleOf("new");
  const codes: [params: unknown[], code: number][] = [
    [[], -32602],
    [["0x12", "latest"], -32602],
    [[5], -32602],
    [[address, "0x5"], -32000],
    [[address, "earliest"], -32000],
  ];
  for (const [params, code] of codes) {
    const { error } = await state("eth_getBalance", ...params);
    assertEquals(error.code, code);
  }
  for (const tag of ["latest", "pending", "safe", "finalized"]) {
    assert((await state("eth_getTransactionCount", address, tag)).result);
  }
});

Deno.test("countRecords() grows with the clock", () => {
  const DAY = 86_400_000;
  const now = NOW.getTime();
  const grows = (persona: Persona) =>
    countSent(exampleOf(persona), now + 30 * DAY) -
    countSent(exampleOf(persona), now);
  assert(grows("heavy") > 500 && grows("ordinary") > 0);
  assertEquals([grows("dormant"), grows("unused")], [0, 0]);
  assertEquals(countSent(exampleOf("ordinary"), Date.parse("2020-11-01")), 0);
});
