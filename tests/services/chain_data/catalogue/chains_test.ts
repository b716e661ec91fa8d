/** The list of tracked chains: what a list of the upstream changes. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  chainNameOf,
  findChain,
  refreshChains,
  TOKENS,
} from "../../../../services/chain_data/catalogue/chains.ts";
import {
  type CallOptions,
  jobCallOptions,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { HOUR_MS } from "../../../../services/platform/days.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { testDeps } from "../../../support/deps.ts";
import {
  type ChainList,
  chainStore,
} from "../../../../services/chain_data/catalogue/chains_store.ts";

import tokens from "../../../fixtures/l1_chain_tokens.json" with {
  type: "json",
};

/** Returns dependencies whose Metrics API lists chains that pass a filter. */
function listing<Deps extends Awaited<ReturnType<typeof testDeps>>>(
  deps: Deps,
  lists: (nth: number) => boolean,
): Deps {
  const { metrics } = deps.upstream;
  const listChains = async (options: CallOptions) => {
    const { body, ...rest } = await metrics.listChains(options);
    return { body: body.filter((_, nth) => lists(nth)), ...rest };
  };
  const cut = { ...metrics, listChains };
  return { ...deps, upstream: { ...deps.upstream, metrics: cut } };
}

Deno.test("a chain leaves the list after three lists without it over two hours, and no earlier", async () => {
  using deps = await testDeps();
  const { chains } = await refreshChains(deps, jobCallOptions());
  const cut = listing(deps, (nth) => nth < 10);
  const count = async (from: typeof deps, afterMs: number) => {
    deps.advance(afterMs);
    return (await refreshChains(from, jobCallOptions())).chains.length;
  };
  const all = chains.length;
  assertEquals(await count(cut, HOUR_MS), all);
  assertEquals(await count(cut, HOUR_MS), all, "two lists in an hour");
  assertEquals(await count(deps, HOUR_MS), all, "all are listed again");
  for (const minutes of [1, 1, 1, 116]) {
    assertEquals(await count(cut, minutes * 60_000), all, `${minutes}`);
  }
  const gone = chains.at(-1)!;
  assertEquals((await findChain(cut, gone.chainId)).chainId, gone.chainId);
  assertEquals(await count(cut, 3 * 60_000), 10);
  assertEquals((await deps.store.chains.find())!.missing, undefined);
});

Deno.test("two lists without a chain never remove it, and kept chains stay in the order of their ids", async () => {
  using deps = await testDeps();
  const { chains } = await refreshChains(deps, jobCallOptions());
  const cut = listing(deps, (nth) => nth >= 5);
  const idsAfter = async (ms: number) => {
    deps.advance(ms);
    const list = await refreshChains(cut, jobCallOptions());
    return list.chains.map(({ chainId }) => chainId);
  };
  const ids = chains.map(({ chainId }) => chainId);
  assertEquals(await idsAfter(HOUR_MS), ids);
  assertEquals(await idsAfter(2 * HOUR_MS), ids);
  assertEquals((await idsAfter(1)).length, ids.length - 5);
});

Deno.test("chains of another upstream are not kept", async () => {
  using deps = await testDeps();
  await refreshChains(deps, jobCallOptions());
  const { metrics } = deps.upstream;
  const other = { ...metrics, baseUrl: "http://other.test" };
  const moved = { ...deps, upstream: { ...deps.upstream, metrics: other } };
  const cut = listing(moved, (nth) => nth < 10);
  const { chains } = await refreshChains(cut, jobCallOptions());
  assertEquals(chains.length, 10);
});

Deno.test("a list of more than 900 chains is refused, and the stored one stays", async () => {
  using deps = await testDeps();
  const { metrics } = deps.upstream;
  const listOf = (length: number) => {
    const listChains = async (options: CallOptions) => {
      const { body: [first], ...rest } = await metrics.listChains(options);
      const body = Array.from(
        { length },
        (_, nth) => ({ ...first!, chainId: nth + 1 }),
      );
      return { body, ...rest };
    };
    const many = { ...metrics, listChains };
    return { ...deps, upstream: { ...deps.upstream, metrics: many } };
  };
  const { chains } = await refreshChains(listOf(900), jobCallOptions());
  assertEquals(chains.length, 900);
  await assertRejects(
    () => refreshChains(listOf(901), jobCallOptions()),
    Fault,
    "it lists more than 900 chains",
  );
  assertEquals((await deps.store.chains.find())!.chains.length, 900);
});

// Symbols of native tokens.

// From `constants/l1-chains.json` of ava-labs/builders-hub (BSD-3-Clause).

Deno.test("TOKENS has the symbols of the published list of L1s", () => {
  assertEquals(TOKENS, tokens);
});

Deno.test("chainNameOf() names the C-Chain, and other chains as they are listed", () => {
  assertEquals(chainNameOf(43_114, "Avalanche (C-Chain)"), "C-Chain");
  assertEquals(
    chainNameOf(43_115, "Avalanche (C-Chain)"),
    "Avalanche (C-Chain)",
  );
});

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
