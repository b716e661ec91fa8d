/** The receipts of payments: what they say, and to whom. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import type { Deps } from "../../../services/deps.ts";
import { USDC } from "../../../services/payments/plans_schema.ts";
import { outlineOf } from "../../support/outline.ts";
import { keyPair, newOwner } from "../../support/owners.ts";
import { TREASURY } from "../../support/evm/paid_chain.ts";
import { newPayer, paidDeps } from "../../support/evm/payers.ts";

async function open(deps: Deps, id: string, cookie: string) {
  const headers = { "Cookie": cookie, "Accept": "text/html" };
  const response = await createApp(deps)
    .request(`/dashboard/receipts/${id}`, { headers });
  const text = await response.text();
  const main = text.match(/<main[^]*<\/main>/)?.[0] ?? "";
  const facts = outlineOf(main.match(/<dl[^]*<\/dl>/)?.[0] ?? "");
  return {
    response,
    text,
    amount: outlineOf(main).find((line) => line.startsWith("h2 ")),
    facts: Object.fromEntries(
      facts.flatMap((line, at) =>
        line.startsWith("dt ")
          ? [[
            line.slice(3),
            facts[at + 1]!.slice(3).replaceAll(/\[[^\]]*\]/g, ""),
          ]]
          : []
      ),
    ),
  };
}

Deno.test("GET /dashboard/receipts/{hash} has the amount, the plan, the period, both parties, the transaction and the time of its block", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const txHash = payer.pay(249_000_000n);
  assertEquals((await payer.claim(quoteId, txHash)).status, 200);
  const [payment] = await deps.store.payments.list(payer.wallet);
  const { blockNumber, paidAt } = payment!.transaction!;
  const { response, text, amount, facts } = await open(
    deps,
    txHash,
    payer.cookie(),
  );
  assertEquals(response.headers.get("Cache-Control"), "private, no-store");
  assertEquals(amount, "h2 249.00 USDC");
  const words = (iso: string) =>
    `${iso.slice(8, 10)} Nov 2026, ${iso.slice(11, 19)} UTC`;
  assertEquals(facts, {
    "For": "Growth, 30 days",
    "Period": "21 Nov 2026, 08:00:00 UTC to 21 Dec 2026, 08:00:00 UTC",
    "Paid by": payer.wallet,
    "Paid to": TREASURY,
    "Token": `USDC, ${USDC}`,
    "Chain": "Avalanche C-Chain (43114)",
    "Transaction": txHash,
    "Block": String(blockNumber),
    "Block time": words(new Date(paidAt).toISOString()),
    "Credited": "21 Nov 2026, 08:00:00 UTC",
  });
  assertStringIncludes(text, `href="https://snowtrace.io/tx/${txHash}"`);
  assertStringIncludes(text, deps.publicUrl);
});

Deno.test("a receipt is its owner's: others and unknown payments are not found, and nobody reads one signed out", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("builder");
  const txHash = payer.pay(49_000_000n);
  await payer.claim(quoteId, txHash);
  const other = newOwner(deps, keyPair(77));
  await other.signIn();
  const statuses = await Promise.all([
    open(deps, txHash, payer.cookie()),
    open(deps, txHash, other.cookie()),
    open(deps, `0x${"0".repeat(64)}`, payer.cookie()),
    open(deps, quoteId, payer.cookie()),
    open(deps, txHash, ""),
  ]);
  assertEquals(
    statuses.map(({ response }) => response.status),
    [200, 404, 404, 404, 302],
  );
  for (const { text } of statuses.slice(1)) {
    assertEquals(text.includes("49.00 USDC"), false);
  }
});

Deno.test("a receipt of a purchase paid from credit has no transaction, and one that was revoked says so", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("scale");
  const txHash = payer.pay(60_000_000n);
  await payer.claim(quoteId, txHash);
  const short = await open(deps, txHash, payer.cookie());
  assertEquals([short.amount, short.facts.Period], [
    "h2 60.00 USDC",
    undefined,
  ]);
  const quote = await payer.quote("builder");
  await payer.claim(quote.quoteId);
  const free = await open(deps, quote.quoteId, payer.cookie());
  assertEquals(
    [free.amount, free.facts.For, free.facts.Transaction, free.facts.Block],
    ["h2 0.00 USDC", "Builder, 30 days", "none: paid with credit", undefined],
  );
  const [, paid] = await deps.store.payments.list(payer.wallet);
  const { blockNumber, blockHash } = paid!.transaction!;
  const place = { wallet: payer.wallet, txHash, blockNumber, blockHash };
  assertEquals(
    await deps.store.payments.revoke(place, deps.now().getTime()),
    true,
  );
  const revoked = await open(deps, txHash, payer.cookie());
  assertStringIncludes(revoked.text.replaceAll(/\s+/g, " "), "Revoked on");
});
