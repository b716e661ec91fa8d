/** Claims that credit alone should pay. */
import { assertEquals, assertRejects } from "@std/assert";
import { findClaim, settleClaim } from "../../../services/payments/payments.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { newPayer, paidDeps } from "../../support/evm/payers.ts";

Deno.test("settleClaim() asks for a payment of one base unit, the least that credit can lack", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { wallet } = payer;
  const first = await payer.quote("growth");
  await payer.claim(first.quoteId, payer.pay(248_999_999n));
  const { quoteId, amount } = await payer.quote("growth");
  assertEquals(amount, "1");
  const claim = await findClaim(deps, wallet, { quoteId });
  const { failure } = await assertRejects(
    () =>
      settleClaim(deps, wallet, {
        ...claim,
        requestId: "test",
        hostname: null,
        options: { priority: "reader", signal: new AbortController().signal },
      }),
    Fault,
    "Missing txHash: expected the hash of a payment of 0.000001 USDC",
  );
  assertEquals(failure, { kind: "badInput", parameter: "txHash" });
});
