import { assertEquals } from "@std/assert";
import {
  type ChainList,
  chainStore,
} from "../../../../services/chain_data/catalogue/chains_store.ts";

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

Deno.test("find reads the records again only if the head changed, by whichever process", async () => {
  using kv = await Deno.openKv(":memory:");
  const [ours, theirs] = [chainStore(kv), chainStore(kv)];
  await ours.replace(list(1, 7, 43114));
  const first = await ours.find();
  assertEquals(await ours.find() === first, true, "the same list");
  await theirs.replace(list(2, 8, 43114));
  assertEquals(await ours.find(), list(2, 8, 43114));
});

Deno.test("replace writes the chains that changed, and all of them after another process wrote", async () => {
  using kv = await Deno.openKv(":memory:");
  const [ours, theirs] = [chainStore(kv), chainStore(kv)];
  const versionOf = async (chainId: number) =>
    (await kv.get(["chains", chainId])).versionstamp;
  await ours.replace(list(1, 7, 43114));
  const first = await versionOf(7);
  await ours.replace(list(2, 7, 8, 43114));
  assertEquals(await versionOf(7), first);
  assertEquals(await ours.find(), list(2, 7, 8, 43114));
  const { chains: [seven, ...others], ...rest } = list(3, 7, 8, 43114);
  const renamed = { ...seven!, chainName: "another" };
  await theirs.replace({ ...rest, chains: [renamed, ...others] });
  assertEquals((await ours.find())!.chains[0], renamed);
  await theirs.replace({ ...list(4, 7, 8, 43114) });
  await ours.replace({ ...rest, fetchedAt: 5, chains: [renamed, ...others] });
  assertEquals((await theirs.find())!.chains[0], renamed);
});

Deno.test("find keeps no list of which an import has written a part", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = chainStore(kv);
  const { chains: [first, second], ...head } = list(1, 7, 43114);
  await kv.set(["chains", "head"], { ...head, chainIds: [7, 43114] });
  await kv.set(["chains", 7], first);
  assertEquals((await store.find())!.chains, [first!]);
  await kv.set(["chains", 43114], second);
  assertEquals((await store.find())!.chains, [first!, second!]);
});
