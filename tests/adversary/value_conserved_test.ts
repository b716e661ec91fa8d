/** What a wallet got is never worth more than it paid, whatever it does and whenever it is credited. */
import { assert } from "@std/assert";
import type { Entitlements } from "../../services/payments/billing.ts";
import {
  claimPayment,
  creditTransfer,
} from "../../services/payments/payments.ts";
import {
  PRODUCT_NAMES,
  PRODUCTS,
} from "../../services/payments/plans_schema.ts";
import { createQuote } from "../../services/payments/quotes.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { Fault } from "../../services/platform/fault.ts";
import { testDeps } from "../support/deps.ts";
import { TREASURY } from "../support/evm/paid_chain.ts";
import { assertSound } from "../support/kv/invariants.ts";
import { fc } from "../support/properties.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const PERIOD_MS = 30 * DAY_MS;
const USDC = 1_000_000n;
const SLUG = "ada-lovelace";

/** Values are exact: base units times the milliseconds of a period. */
const UNIT = BigInt(PERIOD_MS);

/** The value of the plan time of a wallet between two instants. */
function timeWorth({ times }: Entitlements, from: number, to: number): bigint {
  let [at, worth] = [from, 0n];
  for (const { price, paidUntil } of times) {
    const until = Math.min(paidUntil, to);
    if (until <= at) continue;
    worth += BigInt(until - at) * price;
    at = until;
  }
  return worth;
}

/** The value of what does not run out. */
function soldWorth({ premiumMonths, slugs, credit }: Entitlements): bigint {
  return (BigInt(premiumMonths) * PRODUCTS.premium.price +
    BigInt(slugs.length) * PRODUCTS.slug.price + credit) * UNIT;
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      ms: fc.oneof(
        fc.integer({ min: 0, max: 60 * 60_000 }),
        fc.integer({ min: 0, max: 8 * DAY_MS }),
        fc.integer({ min: 0, max: 3 * PERIOD_MS }),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("quote" as const),
      product: fc.constantFrom(...PRODUCT_NAMES),
      periods: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 })),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      amount: fc.option(fc.oneof(
        fc.bigInt({ min: 1n, max: 5n }),
        fc.bigInt({ min: 1n, max: 3_000n * USDC }),
      )),
      isClaimed: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("credit" as const, "reorganise" as const),
      nth: fc.nat(9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("redeem" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A payment on the chain. */
interface Sent {
  readonly txHash: string;
  readonly amount: bigint;
  readonly paidAt: number;
  block: number;
}

async function play(steps: readonly Step[]): Promise<void> {
  using opened = await testDeps({ settings: { TREASURY_ADDRESS: TREASURY } });
  const deps = { ...opened, findSlug: () => Promise.resolve(SLUG) };
  const { store, payment } = deps;
  await store.payments.watchFrom(
    { token: payment.token, treasury: TREASURY },
    0,
  );
  const waiting: Sent[] = [];
  const credited: Sent[] = [];
  let [blocks, got, paid] = [0, 0n, 0n];
  const now = () => deps.now().getTime();
  const held = async () => await store.plans.find(WALLET);
  const blockHash = ({ block }: Sent) => `0xb${block}`;

  async function wait(ms: number): Promise<void> {
    const entitlements = await held();
    if (entitlements) got += timeWorth(entitlements, now(), now() + ms);
    deps.advance(ms);
  }

  async function credit(sent: Sent, isClaimed: boolean): Promise<void> {
    const { txHash, amount, paidAt, block } = sent;
    const quotes = await store.quotes.list(WALLET, now());
    const transaction = {
      txHash,
      logIndexes: [0],
      blockNumber: block,
      blockHash: blockHash(sent),
      paidAt,
    };
    const quote = isClaimed ? quotes.at(-1) ?? null : null;
    const transfer = { wallet: WALLET, amount, transaction };
    await creditTransfer(deps, transfer, { quotes, quote, requestId: null });
    credited.push(sent);
  }

  async function take(step: Step): Promise<void> {
    const quotes = await store.quotes.list(WALLET, now());
    switch (step.kind) {
      case "wait":
        return await wait(step.ms);
      case "quote": {
        const { product } = step;
        const isSlug = product === "slug";
        const periods = isSlug ? 1 : step.periods;
        const terms = { product, periods, ...isSlug && { slug: SLUG } };
        await createQuote(deps, WALLET, terms);
        return;
      }
      case "pay": {
        const amount = step.amount ?? quotes.at(-1)?.amount ?? 49n * USDC;
        if (amount === 0n) return;
        const sent = {
          txHash: `0x${blocks}`,
          amount,
          paidAt: now(),
          block: blocks++,
        };
        paid += amount;
        if (step.isClaimed) await credit(sent, true);
        else waiting.push(sent);
        return;
      }
      case "credit": {
        const [sent] = waiting.splice(
          step.nth % Math.max(1, waiting.length),
          1,
        );
        if (sent) await credit(sent, false);
        return;
      }
      case "reorganise": {
        const nth = step.nth % Math.max(1, credited.length);
        const [sent] = credited.splice(nth, 1);
        if (!sent) return;
        const { txHash, block: blockNumber } = sent;
        const place = { wallet: WALLET, txHash, blockNumber };
        const gone = { ...place, blockHash: blockHash(sent) };
        assert(await store.payments.revoke(gone, now()));
        // It waits to be mined again.
        waiting.push({ ...sent, block: blocks++ });
        return;
      }
      case "redeem": {
        const quoteId = quotes.at(-1)?.id;
        if (quoteId === undefined) return;
        const claim = { quoteId, requestId: "test", hostname: null };
        await claimPayment(deps, WALLET, claim);
        return;
      }
    }
  }

  for (const step of steps) {
    await take(step).catch((error) => {
      if (!(error instanceof Fault)) throw error;
    });
  }
  for (const sent of waiting.splice(0)) await credit(sent, false);
  const entitlements = await held();
  if (entitlements !== null) {
    got += timeWorth(entitlements, now(), Infinity) + soldWorth(entitlements);
  }
  assert(got <= (paid + 1n) * UNIT, `got ${got / UNIT}, paid ${paid}`);
  await assertSound(deps.kv, now());
}

Deno.test("a payment that returns after a reorganisation gives no time twice", async () => {
  const price = PRODUCTS.builder.price;
  const pay = { kind: "pay", amount: null } as const;
  const unclaimed = { ...pay, isClaimed: false };
  const claimed = { ...pay, isClaimed: true };
  // The small payment leaves the chain. Without it, the second claim pays for the
  // plan, and buys time beyond 30 days, which is used. With it, the first claim pays.
  for (const lateMs of [53, 10 * DAY_MS]) {
    await play([
      { kind: "pay", amount: 1n, isClaimed: false },
      { kind: "credit", nth: 0 },
      { kind: "quote", product: "builder", periods: 1 },
      { kind: "reorganise", nth: 0 },
      unclaimed,
      claimed,
      unclaimed,
      claimed,
      { kind: "wait", ms: PERIOD_MS + lateMs },
    ]);
  }
  // A payment leaves the chain after its time was used, and another one stays.
  await play([
    { kind: "pay", amount: price, isClaimed: false },
    { kind: "credit", nth: 0 },
    { kind: "quote", product: "builder", periods: 1 },
    { kind: "pay", amount: price, isClaimed: true },
    { kind: "wait", ms: 20 * DAY_MS },
    { kind: "reorganise", nth: 1 },
    { kind: "wait", ms: 20 * DAY_MS },
  ]);
});

Deno.test("over payments, upgrades, expiries, late credits and reorganisations no wallet gets more than it paid, plus one base unit", async () => {
  const steps = fc.array(step, { minLength: 5, maxLength: 30 });
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: 250 });
});
