/** The store of Verified Human numbers. */
import { assertEquals } from "@std/assert";
import { newProfile } from "../../../services/profiles/profile.ts";
import { openStores } from "../../../services/stores.ts";

const CAUSE = { at: 0, requestId: null };
const WALLETS = Array.from(
  { length: 500 },
  (_, nth) => `0x${String(nth).padStart(40, "0")}`,
);

Deno.test("1,000 concurrent grants to 500 wallets give the numbers 1 to 500, each once", async () => {
  using kv = await Deno.openKv(":memory:");
  const { humans, profiles } = openStores(kv);
  const audit = { ...CAUSE, event: "profile.update" } as const;
  for (const wallet of WALLETS) {
    await profiles.change(wallet, () => ({ profile: newProfile(0), audit }));
  }
  const wanted = [...WALLETS, ...WALLETS.toReversed()];
  const given = await Promise.all(
    wanted.map((wallet) => humans.grant(wallet, CAUSE)),
  );
  assertEquals(given.slice(0, 500), given.slice(500).toReversed());
  assertEquals(
    given.slice(0, 500).toSorted((a, b) => a! - b!),
    Array.from({ length: 500 }, (_, nth) => nth + 1),
  );
  for (const [nth, wallet] of WALLETS.entries()) {
    assertEquals((await profiles.find(wallet))?.verifiedHuman, given[nth]);
    assertEquals(await humans.find(given[nth]!), wallet);
  }
  assertEquals(await humans.grant(WALLETS[0]!, CAUSE), given[0]);
  assertEquals(await humans.find(501), null);
});

Deno.test("an unclaimed address gets no number and uses none up", async () => {
  using kv = await Deno.openKv(":memory:");
  const { humans } = openStores(kv);
  assertEquals(await humans.grant(WALLETS[0]!, CAUSE), null);
  assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
});
