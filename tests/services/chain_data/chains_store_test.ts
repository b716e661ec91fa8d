import { assertEquals } from "@std/assert";
import {
  type ChainList,
  chainStore,
} from "../../../services/chain_data/chains_store.ts";

const list = (fetchedAt: number, ...chainIds: number[]): ChainList => ({
  chains: chainIds.map((chainId) => ({
    chainId,
    chainName: `chain ${chainId}`,
    token: null,
    blockchainId: "b",
    subnetId: "s",
  })),
  fetchedAt,
  changedAt: fetchedAt,
  origin: "http://up.test",
  source: "test",
});

Deno.test("replace stores the whole list, and find returns it in order", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = chainStore(kv);
  assertEquals(await store.find(), null);
  await store.replace(list(1, 7, 43114));
  await store.replace(list(2, 8, 9, 43114));
  assertEquals(await store.find(), list(2, 8, 9, 43114));
});

Deno.test("replace rejects an older list", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = chainStore(kv);
  await store.replace(list(2, 8, 43114));
  assertEquals(await store.replace(list(1, 7, 43114)), false);
  assertEquals(await store.find(), list(2, 8, 43114));
});
