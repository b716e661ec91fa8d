import { assertEquals } from "@std/assert";
import {
  EMPTY_RECORD,
  type GraphRecord,
  withProfile,
} from "../../../../services/profiles/follows/follow_edges.ts";
import {
  graphKeys,
  pendingWeightUpdateStore,
  prepareFollowerUpdate,
  prepareLeaving,
} from "../../../../services/profiles/follows/graph_store.ts";
import { followStore } from "../../../../services/profiles/follows/follows_store.ts";
import { addressOf } from "../../../support/graph.ts";

const A = addressOf(1);
const EMPTY_WALLET = { claimed: false, hasHistory: false, gasAvax: 0 };
const OWNER = { claimed: true, hasHistory: null, gasAvax: 0 };
const AT = Date.UTC(2026, 10, 21);

/** A database in which addresses follow number 9, and all their edges have outdated weights. */
async function openChanged(numbers: readonly number[]) {
  const kv = await Deno.openKv(":memory:");
  const { change } = followStore(kv);
  for (const follower of numbers.map(addressOf)) {
    await change({ kind: "follow", follower, followee: addressOf(9), at: AT });
    await learnOwner(kv, follower);
  }
  return kv;
}

/** Marks an address as claimed in its own transaction. */
async function learnOwner(kv: Deno.Kv, address: string): Promise<boolean> {
  const entry = await kv.get<GraphRecord>(graphKeys.graph(address));
  const add = prepareFollowerUpdate(entry, address, withProfile);
  return (await add(kv.atomic()).commit()).ok;
}

const listAddresses = (kv: Deno.Kv) =>
  Array.fromAsync(
    pendingWeightUpdateStore(kv).list(),
    ({ address }) => address,
  );

Deno.test("prepareFollowerUpdate() marks only followers whose weight changed", async () => {
  using kv = await openChanged([1]);
  assertEquals(await listAddresses(kv), [A]);
  await learnOwner(kv, addressOf(9));
  await learnOwner(kv, addressOf(5));
  assertEquals(await listAddresses(kv), [A]);
  const [changed] = await Array.fromAsync(pendingWeightUpdateStore(kv).list());
  assertEquals(
    await pendingWeightUpdateStore(kv).advance(changed!, null),
    true,
  );
  await learnOwner(kv, A);
  assertEquals(await listAddresses(kv), []);
});

Deno.test("prepareFollowerUpdate() fails the commit if the sums changed meanwhile", async () => {
  using kv = await Deno.openKv(":memory:");
  const entry = await kv.get<GraphRecord>(graphKeys.graph(A));
  const add = prepareFollowerUpdate(entry, A, withProfile);
  await learnOwner(kv, A);
  assertEquals((await add(kv.atomic()).commit()).ok, false);
});

Deno.test("list() starts after the address updated last", async () => {
  const [first, second, third] = [1, 2, 3].map(addressOf) as [
    string,
    string,
    string,
  ];
  using kv = await openChanged([1, 2, 3]);
  const { list, advance } = pendingWeightUpdateStore(kv);
  assertEquals(await listAddresses(kv), [first, second, third]);
  const [, changed] = await Array.fromAsync(list());
  await advance(changed!, addressOf(9));
  assertEquals(await listAddresses(kv), [third, first, second]);
  const left = (await Array.fromAsync(list())).at(-1)!;
  assertEquals(left, { ...changed!, after: addressOf(9) });
  await advance(left, null);
  assertEquals(await listAddresses(kv), [third, first]);
});

Deno.test("advance() keeps an update that was marked again meanwhile", async () => {
  using kv = await openChanged([1]);
  const { list, advance } = pendingWeightUpdateStore(kv);
  const [before] = await Array.fromAsync(list());
  const entry = await kv.get<GraphRecord>(graphKeys.graph(A));
  const add = prepareFollowerUpdate(entry, A, () => EMPTY_WALLET);
  await add(kv.atomic()).commit();
  assertEquals(await advance(before!, null), false);
  assertEquals(await listAddresses(kv), [A]);
});

Deno.test("prepareLeaving() marks the follows of an address for removal, if it has any", async () => {
  for (const following of [0, 1, 2]) {
    using kv = await Deno.openKv(":memory:");
    const held = { ...EMPTY_RECORD, followers: 1, following, known: OWNER };
    await kv.set(graphKeys.graph(A), held);
    const entry = await kv.get<GraphRecord>(graphKeys.graph(A));
    const commit = () => prepareLeaving(entry, A)(kv.atomic()).commit();
    assertEquals((await commit()).ok, true);
    assertEquals((await commit()).ok, false, "the record has changed");
    const left = await kv.get<GraphRecord>(graphKeys.graph(A));
    assertEquals(left.value, {
      ...held,
      known: { ...OWNER, claimed: false },
      ...following > 0 ? { isLeaving: true } : {},
    });
    assertEquals(await listAddresses(kv), following > 0 ? [A] : []);
  }
});
