/** Claims that credit alone should pay, and transfers that count without a quote. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  claimPayment,
  creditTransfer,
} from "../../../services/payments/payments.ts";
import type { Quote } from "../../../services/payments/quotes.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { newPayer, paidDeps, walletOf } from "../../support/evm/payers.ts";
import { TREASURY } from "../../support/evm/paid_chain.ts";

Deno.test("claimPayment() asks for a payment of one base unit, the least that credit can lack", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { wallet } = payer;
  const first = await payer.quote("growth");
  await payer.claim(first.quoteId, payer.pay(248_999_999n));
  const { quoteId, amount } = await payer.quote("growth");
  assertEquals(amount, "1");
  const claim = { quoteId, requestId: "test", hostname: null };
  const { failure } = await assertRejects(
    () => claimPayment(deps, wallet, claim),
    Fault,
    "Missing txHash: expected the hash of a payment of 0.000001 USDC",
  );
  assertEquals(failure, { kind: "badInput", parameter: "txHash" });
});

Deno.test("creditTransfer() takes a transfer without a quote from the first watched block on, and one after a quote from any block", async (t) => {
  const paidAt = Date.parse("2026-11-21T08:00:00Z");
  const wallet = walletOf(1);
  const quoteAt = (createdAt: number): Quote => ({
    id: "quote",
    product: "builder",
    periods: 1,
    slug: null,
    price: 49_000_000n,
    amount: 49_000_000n,
    createdAt,
    expiresAt: createdAt + 1_800_000,
  });
  const cases: [
    name: string,
    firstWatched: number | null,
    blockNumber: number,
    quotes: readonly Quote[],
    kind: string,
  ][] = [
    ["nothing is watched", null, 100, [], "txTooOld"],
    ["the block before", 100, 99, [], "txTooOld"],
    ["the first block", 100, 100, [], "credited"],
    ["a quote before", null, 1, [quoteAt(paidAt)], "credited"],
    ["a quote after", null, 1, [quoteAt(paidAt + 61_000)], "txTooOld"],
    ["one of two before", null, 1, [
      quoteAt(paidAt - 1_000),
      quoteAt(paidAt + 61_000),
    ], "credited"],
  ];
  for (const [name, firstWatched, blockNumber, quotes, kind] of cases) {
    await t.step(name, async () => {
      using deps = await paidDeps();
      const { token } = deps.payment;
      if (firstWatched !== null) {
        const watched = { token, treasury: TREASURY };
        await deps.store.payments.watchFrom(watched, firstWatched);
      }
      const transaction = {
        txHash: "0x1",
        logIndexes: [0],
        blockNumber,
        blockHash: "0xb",
        paidAt,
      };
      const transfer = { wallet, amount: 5n, transaction };
      const order = { quotes, quote: null, requestId: null };
      const credited = await creditTransfer(deps, transfer, order);
      assertEquals(credited.kind, kind);
      const credit = (await deps.store.plans.find(wallet))?.credit;
      assertEquals(credit, kind === "credited" ? 5n : undefined);
      if (kind !== "credited") return;
      const again = await creditTransfer(deps, transfer, order);
      assertEquals(again, { kind: "txUsed" });
    });
  }
});
