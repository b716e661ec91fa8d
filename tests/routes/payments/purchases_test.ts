/** Purchases over HTTP: plans, upgrades, premium and profile names. */
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { START } from "../../support/deps.ts";
import { after, newPayer, paidDeps } from "../../support/evm/payers.ts";

const MINUTE_MS = 60_000;

const UNCOVERED =
  "Cannot claim the quote: your credit and unused days no longer cover it; request a new quote";

Deno.test("overpayment extends the plan, and the answer tells by how much", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("builder");
  const { body } = await payer.claim(quoteId, payer.pay(73_500_000n));
  assertEquals(body.bought, {
    product: "builder",
    periods: 1,
    extraSeconds: 15 * 86_400,
    startsAt: START,
    endsAt: after(45),
  });
  assertEquals([body.paidUntil, body.credit], [after(45), "0"]);
});

Deno.test("credit alone can pay, once and without a transaction", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId: scale } = await payer.quote("scale");
  await payer.claim(scale, payer.pay(300_000_000n));
  const quote = await payer.quote("growth");
  assertEquals(
    [quote.amount, quote.uri, quote.transaction, quote.credit],
    ["0", null, null, "249000000"],
  );
  const answers = await Promise.all(
    [1, 2, 3].map(() => payer.claim(quote.quoteId)),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const used = answers.find(({ status }) => status === 409)!;
  assertEquals([used.body.code, used.body.error], [
    "QUOTE_USED",
    "Cannot claim the quote: it was used already",
  ]);
  assertEquals(await payer.standing(), ["growth", after(30), "51000000"]);
  const other = await payer.quote("builder");
  const more = await payer.quote("builder");
  assertEquals((await payer.claim(other.quoteId)).status, 200);
  const gone = await payer.claim(more.quoteId);
  assertEquals(
    [gone.status, gone.body.code, gone.body.error],
    [409, "QUOTE_USED", UNCOVERED],
    "its credit is spent",
  );
  const { next, credit, payments } = await payer.payments();
  assertEquals([next, credit], [[{
    plan: "builder",
    planLabel: "Builder",
    paidUntil: after(60),
  }], "2000000"]);
  assertEquals(
    payments.map((
      { amount, txHash }: { amount: string; txHash: string | null },
    ) => [amount, txHash !== null]),
    [
      ["0", false],
      ["0", false],
      ["300000000", true],
    ],
  );
});

Deno.test("a quote that credit pays buys once, though credit for a second purchase is left", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId: scale } = await payer.quote("scale");
  await payer.claim(scale, payer.pay(200_000_000n));
  const { quoteId } = await payer.quote("builder");
  assertEquals((await payer.claim(quoteId)).status, 200);
  const standing = await payer.standing();
  assertEquals(standing, ["builder", after(30), "151000000"]);
  const { status, body } = await payer.claim(quoteId);
  assertEquals([status, body.code], [409, "QUOTE_USED"]);
  assertEquals(await payer.standing(), standing);
  assertEquals((await payer.payments()).payments.length, 2);
});

Deno.test("a quote that unused days were to pay is refused for that reason once they have run down", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("builder", { periods: 6 });
  deps.advance(26 * DAY_MS);
  await payer.signIn();
  const { quoteId, amount } = await payer.quote("growth");
  assertEquals(amount, "0");
  deps.advance(5 * DAY_MS);
  await payer.signIn();
  const { status, body } = await payer.claim(quoteId);
  assertEquals([status, body.error], [409, UNCOVERED]);
  assertEquals((await payer.standing())[0], "builder");
});

Deno.test("an upgrade is reduced by unused days, and its quote is valid for half an hour", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("builder");
  deps.advance(15 * DAY_MS);
  await payer.signIn();
  const quote = await payer.quote("growth");
  // 15 days less half an hour of 49 USDC: 24.4659723 to the base unit above.
  assertEquals(
    [quote.amount, quote.credit],
    ["224534028", "24465972"].map(String),
  );
  deps.advance(20 * MINUTE_MS);
  const at = deps.now().getTime();
  const { body } = await payer.claim(
    quote.quoteId,
    payer.pay(BigInt(quote.amount)),
  );
  assertEquals([body.status, body.plan, body.credit, body.next], [
    "active",
    "growth",
    "0",
    [],
  ]);
  const beyondMs = Date.parse(body.paidUntil) - at - 30 * DAY_MS;
  // Ten minutes more of Builder's time are worth 118 s of Growth's.
  assert(beyondMs > 115_000 && beyondMs < 121_000, `${beyondMs} ms`);
});

Deno.test("a transfer before expiry gets the quoted price, also when claimed late; a later one the current price", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("builder");
  const { quoteId, amount } = await payer.quote("growth");
  const hash = payer.pay(BigInt(amount));
  deps.advance(3 * 60 * MINUTE_MS);
  const { body } = await payer.claim(quoteId, hash);
  assertEquals([body.status, body.missing], ["active", "0"]);

  const late = await newPayer(deps, 2);
  const quote = await late.quote("growth");
  deps.chain.mine(31 * 60);
  const claimed = await late.claim(
    quote.quoteId,
    late.pay(BigInt(quote.amount)),
  );
  assertEquals(
    [claimed.body.status, claimed.body.plan],
    ["active", "growth"],
    "the price is the same today",
  );
});

Deno.test("a lower plan is sold for the time after the higher one", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("growth");
  const quote = await payer.quote("builder");
  assertEquals([quote.startsAt, quote.endsAt, quote.credit], [
    after(30),
    after(60),
    "0",
  ]);
  const { body } = await payer.claim(quote.quoteId, payer.pay(49_000_000n));
  assertEquals([body.plan, body.paidUntil], ["growth", after(30)]);
  assertEquals(body.next, [{
    plan: "builder",
    planLabel: "Builder",
    paidUntil: after(60),
  }]);
  deps.advance(30 * DAY_MS);
  await payer.signIn();
  assertEquals(await payer.standing(), ["builder", after(60), "0"]);
});

Deno.test("premium is bought by the month", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { body } = await payer.buy("premium", { periods: 3 });
  const { premiumUntil, premiumMonths, plan } = body;
  assertEquals([premiumUntil, premiumMonths, plan], [after(90), 3, "free"]);
});

Deno.test("a profile name is sold once, to the profile that has it", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const ask = () =>
    payer.call("POST", "/quotes", { body: { product: "slug", slug: "firn" } });
  const foreign = await ask();
  assertEquals([foreign.status, foreign.body.parameter], [400, "slug"]);
  const at = Date.parse(START);
  await deps.store.profiles.change(payer.wallet, () => ({
    profile: { ...newProfile(at), slug: "firn" },
    audit: { at, event: "profile.update", requestId: null },
  }));
  const { body } = await payer.buy("slug", { slug: "firn" });
  assertEquals([body.slugs, body.bought.endsAt], [["firn"], null]);
  const again = await ask();
  assertEquals([again.status, again.body.code], [409, "ALREADY_OWNED"]);
});
