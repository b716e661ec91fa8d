/** Credit that arrives late does not count the days of the lower plan twice. */
import { assert, assertEquals } from "@std/assert";
import { PLANS } from "../../services/payments/plans_schema.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { newPayer, paidDeps } from "../support/evm/payers.ts";

const PERIOD_MS = 30 * DAY_MS;

/** The value of time on a plan in base units, rounded down. */
function valueOf(plan: keyof typeof PLANS, ms: number): bigint {
  return BigInt(ms) * PLANS[plan].price / BigInt(PERIOD_MS);
}

Deno.test("an upgrade that is claimed days after its payment deducts the days used until then", async () => {
  for (const days of [0, 1, 6.9]) {
    using deps = await paidDeps();
    const payer = await newPayer(deps);
    const boughtAt = deps.now().getTime();
    await payer.buy("growth");
    deps.advance(DAY_MS);
    await payer.signIn();
    const { quoteId, amount } = await payer.quote("scale");
    const hash = payer.pay(BigInt(amount));
    deps.advance(days * DAY_MS);
    await payer.signIn();
    const { body } = await payer.claim(quoteId, hash);
    assertEquals([body.status, body.plan, body.next], ["active", "scale", []]);

    const now = deps.now().getTime();
    const used = valueOf("growth", now - boughtAt);
    const left = valueOf("scale", Date.parse(body.paidUntil) - now);
    const got = used + left + BigInt(body.credit);
    const paid = PLANS.growth.price + BigInt(amount);
    assert(got <= paid, `${days} days: got ${got}, paid ${paid}`);
    assert(paid - got < 3n, `${days} days: lost ${paid - got}`);
  }
});
