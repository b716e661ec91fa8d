/** Invented transactions of free wallets do not keep a customer from claiming a payment. */
import { assertEquals } from "@std/assert";
import { newPayer, paidDeps } from "../support/evm/payers.ts";

const INVENTED = `0x${"12".repeat(32)}`;

Deno.test("neither one wallet nor many of one network use up the checks of claims and donations", async () => {
  using deps = await paidDeps();
  const profile = { displayName: null, slug: null, linksPublic: false };
  const customer = await newPayer(deps, 9);
  const { quoteId } = await customer.quote("growth");
  await customer.call("PUT", "/profile", { body: profile });
  for (const nth of [1, 2, 3]) {
    const client = `2001:db8:1:${nth}::1`;
    const free = await newPayer(deps, nth);
    await free.call("PUT", "/profile", { body: profile });
    const { quoteId } = await free.quote("growth");
    const send = (path: string, body: object) =>
      free.call("POST", path, { body: { ...body, txHash: INVENTED }, client });
    for (let sent = 0; sent < 20; sent++) {
      for (
        const { status } of [
          await send("/claims", { quoteId }),
          await send("/donations", { to: customer.wallet }),
        ]
      ) assertEquals(status === 422 || status === 429, true, String(status));
    }
  }
  const claimed = await customer.claim(quoteId, customer.pay(249_000_000n));
  assertEquals([claimed.status, claimed.body.status], [200, "active"]);
});
