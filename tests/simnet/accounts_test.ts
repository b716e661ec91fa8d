import { assert, assertEquals } from "@std/assert";
import { exampleOf, type Persona, personaOf } from "../../simnet/accounts.ts";
import { EXPLORER_PATH } from "../../simnet/explorer/explorer.ts";
import { type Json, testNet } from "./support.ts";

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
