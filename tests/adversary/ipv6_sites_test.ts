/** One IPv6 site gets no more free wallets than a site should need. */
import { assertEquals } from "@std/assert";
import { keyPair, newOwner } from "../support/owners.ts";
import { testDeps } from "../support/deps.ts";

/** Creates wallets with a key each, from addresses; returns how many got one. */
async function createWallets(addresses: readonly string[]): Promise<number> {
  using deps = await testDeps();
  let created = 0;
  for (const [nth, client] of addresses.entries()) {
    const owner = newOwner(deps, keyPair(nth + 1));
    await owner.signIn();
    const params = { keyName: "bot", kind: "live" };
    const body = { ...await owner.prove("key.create", params), ...params };
    const { status } = await owner.call("POST", "/keys", { body, client });
    if (status === 201) created++;
    else assertEquals(status, 429);
  }
  return created;
}

const from = (length: number, address: (nth: number) => string) =>
  Array.from({ length }, (_, nth) => address(16 + nth));

Deno.test("the free wallets of a /64, a /56 and a /48 are bounded together", async (t) => {
  const cases: [name: string, addresses: string[], created: number][] = [
    ["a /64", from(22, (nth) => `2001:db8:1:1::${nth}`), 20],
    ["a /56", from(22, (nth) => `2001:db8:1:1${nth.toString(16)}::1`), 20],
    ["a /48", from(42, (nth) => `2001:db8:1:${nth.toString(16)}00::1`), 40],
  ];
  for (const [name, addresses, created] of cases) {
    await t.step(
      name,
      async () => assertEquals(await createWallets(addresses), created),
    );
  }
});
