/** Claims over HTTP: which payments are credited, when, and once only. */
import { assertEquals } from "@std/assert";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import {
  ClaimAnswer,
  PendingAnswer,
} from "../../../services/payments/payments_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { askScoring } from "../../support/callers.ts";
import { START } from "../../support/deps.ts";
import { after, newPayer, paidDeps } from "../../support/evm/payers.ts";

const OTHER = `0x${"bb".repeat(20)}`;
const NOTHING = ["free", null, "0"];

Deno.test("a claim is pending until two confirmations, then the plan is active and usable by a key", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { key } =
    (await createApiKey(deps, { wallet: payer.wallet, name: "test" }))!;
  const ask = () =>
    askScoring(deps, `/score/${OTHER}/history`, {
      headers: { "X-Api-Key": key },
    });
  assertEquals((await ask()).status, 402);
  const { quoteId, amount } = await payer.quote("builder");
  const hash = deps.chain.send({ from: payer.wallet, amount: BigInt(amount) });
  for (const confirmations of [0, 1]) {
    const { status, body } = await payer.claim(quoteId, hash);
    assertEquals([status, PendingAnswer.parse(body)], [202, {
      status: "pending",
      confirmations,
      required: 2,
    }]);
    deps.chain.mine(1);
  }
  assertEquals(await payer.standing(), NOTHING);
  const { status, body, text } = await payer.claim(
    quoteId,
    hash.toUpperCase().replace("0X", "0x"),
  );
  assertEquals(status, 200, text);
  assertEquals(ClaimAnswer.parse(body), body);
  assertEquals(body, {
    status: "active",
    bought: {
      product: "builder",
      periods: 1,
      extraSeconds: 0,
      startsAt: START,
      endsAt: after(30),
    },
    missing: "0",
    missingDisplay: "0.00",
    plan: "builder",
    planLabel: "Builder",
    paidUntil: after(30),
    next: [],
    credit: "0",
    creditDisplay: "0.00",
    premiumUntil: null,
    premiumMonths: 0,
    slugs: [],
  });
  assertEquals((await ask()).status, 200);
  deps.advance(30 * DAY_MS);
  assertEquals(
    (await ask()).status,
    402,
    "the plan has ended, the key is still good",
  );
});

Deno.test("each invalid payment is rejected with its own code, and nothing is credited", async (t) => {
  using deps = await paidDeps();
  const { chain } = deps;
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const from = payer.wallet;
  const amount = 249_000_000n;
  const token = `0x${"cc".repeat(20)}`;
  const cases: [code: string, hash: string][] = [
    ["TX_NOT_FOUND", `0x${"12".repeat(32)}`],
    ["TX_FAILED", chain.fail({ from, amount })],
    ["WRONG_TOKEN", chain.send({ from, amount, token })],
    ["WRONG_RECIPIENT", chain.send({ from, amount, to: OTHER })],
    ["WRONG_SENDER", chain.send({ from: OTHER, amount })],
    ["NO_TRANSFER", chain.send()],
    ["NO_TRANSFER", chain.send({ from, amount, to: OTHER, token })],
    ["NO_TRANSFER", chain.send({ from, amount: 0n })],
    [
      "WRONG_SENDER",
      chain.send({ from: OTHER, amount }, { from, amount, to: OTHER }),
    ],
  ];
  chain.mine();
  for (const [code, hash] of cases) {
    await t.step(code, async () => {
      const answer = await payer.claim(quoteId, hash);
      assertEquals([answer.status, answer.body.code], [422, code], answer.text);
      assertEquals([answer.body.txHash, answer.body.message], [
        hash,
        answer.body.error,
      ]);
      assertEquals(await payer.standing(), NOTHING);
    });
  }
  assertEquals((await payer.payments()).payments, []);
});

Deno.test("a quote can be claimed by its wallet only, for a week", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const other = await newPayer(deps, 2);
  const { quoteId } = await payer.quote("growth");
  const hash = other.pay(249_000_000n);
  const stolen = await other.claim(quoteId, hash);
  assertEquals([stolen.status, stolen.body.code], [404, "QUOTE_NOT_FOUND"]);
  assertEquals(await other.standing(), NOTHING);
  deps.advance(7 * DAY_MS);
  await payer.signIn();
  const late = await payer.claim(quoteId, hash);
  assertEquals([late.status, late.body.code], [404, "QUOTE_NOT_FOUND"]);
});

Deno.test("the last twenty quotes of a wallet can be claimed", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const quotes = [];
  for (let nth = 0; nth < 21; nth++) {
    quotes.push(await payer.quote("growth"));
    deps.advance(10_000);
  }
  const hash = payer.pay(249_000_000n);
  const [first, second] = quotes;
  assertEquals((await payer.claim(first.quoteId, hash)).status, 404);
  assertEquals((await payer.claim(second.quoteId, hash)).status, 200);
});

Deno.test("a transaction is credited once, for any quote and under concurrent claims", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("builder");
  const { quoteId: other } = await payer.quote("builder");
  const hash = payer.pay(49_000_000n);
  const answers = await Promise.all(
    [quoteId, other, quoteId, other, quoteId].map((id) =>
      payer.claim(id, hash)
    ),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [
    200,
    409,
    409,
    409,
    409,
  ]);
  const used = answers.find(({ status }) => status === 409)!;
  assertEquals([used.body.code, used.body.txHash], ["TX_USED", hash]);
  assertEquals(await payer.standing(), ["builder", after(30), "0"]);
  assertEquals((await payer.payments()).payments.length, 1);
});

Deno.test("a quote buys once; a second payment extends the current plan", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  assertEquals(
    (await payer.claim(quoteId, payer.pay(249_000_000n))).status,
    200,
  );
  const { body } = await payer.claim(quoteId, payer.pay(83_000_000n));
  assertEquals([body.status, body.bought.periods, body.bought.extraSeconds], [
    "active",
    0,
    864_000,
  ]);
  assertEquals(body.paidUntil, after(40));
});

Deno.test("two transfers in one transaction both count", async () => {
  using deps = await paidDeps();
  const { chain } = deps;
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const from = payer.wallet;
  const hash = chain.send({ from, amount: 200_000_000n }, {
    from: OTHER,
    amount: 1n,
  }, { from, amount: 49_000_000n });
  chain.mine();
  const { body } = await payer.claim(quoteId, hash);
  assertEquals([body.status, body.plan, body.credit], [
    "active",
    "growth",
    "0",
  ]);
  const again = await payer.claim(quoteId, hash);
  assertEquals([again.status, again.body.code], [409, "TX_USED"]);
  const { payments } = await payer.payments();
  assertEquals(payments.map(({ amount }: { amount: string }) => amount), [
    "249000000",
  ]);
});

Deno.test("a payment one base unit short becomes credit, and paying the missing amount completes it", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const { status, body } = await payer.claim(quoteId, payer.pay(248_999_999n));
  assertEquals(status, 200);
  const { bought, missing, missingDisplay, plan, credit, creditDisplay } = body;
  assertEquals([body.status, bought, plan], ["short", null, "free"]);
  assertEquals([missing, missingDisplay], ["1", "0.000001"]);
  assertEquals([credit, creditDisplay], ["248999999", "248.999999"]);
  const next = await payer.quote("growth");
  assertEquals([next.amount, next.credit, next.creditDisplay], [
    "1",
    "248999999",
    "248.999999",
  ]);
  const rest = await payer.claim(quoteId, payer.pay(1n));
  assertEquals([rest.body.status, rest.body.plan, rest.body.credit], [
    "active",
    "growth",
    "0",
  ]);
});

Deno.test("a payment stays pending while one node lags or lies", async (t) => {
  const amount = 249_000_000n;
  const lie = (behind: number, without: string[]) => ({ behind, without });
  const cases: [
    name: string,
    options: { behind?: number; without?: string[] },
    confirmations: number,
  ][] = [
    ["the second has not come so far", lie(2, []), 0],
    ["the second is a block behind", lie(1, []), 1],
    ["the second does not know it", lie(0, ["it"]), 0],
  ];
  for (const [name, { behind = 0, without = [] }, confirmations] of cases) {
    for (const order of [1, -1]) {
      await t.step(
        `${name}, ${order > 0 ? "in order" : "the other way round"}`,
        async () => {
          const hidden: string[] = [];
          using deps = await paidDeps({
            nodes: (chain) =>
              [chain.node(), chain.node({ behind, without: hidden })].slice()
                .sort(() => order > 0 ? 0 : -1),
          });
          const payer = await newPayer(deps);
          const { quoteId } = await payer.quote("growth");
          const hash = payer.pay(amount);
          if (without.length > 0) hidden.push(hash);
          const { status, body } = await payer.claim(quoteId, hash);
          assertEquals([status, body.confirmations], [202, confirmations]);
          assertEquals(await payer.standing(), NOTHING);
          hidden.length = 0;
          deps.chain.mine(2);
          assertEquals((await payer.claim(quoteId, hash)).status, 200);
        },
      );
    }
  }
});

Deno.test("a claim answers 503 while a node is down, and succeeds afterwards", async () => {
  let isDown = true;
  using deps = await paidDeps({
    nodes: (chain) => [
      chain.node(),
      (request) =>
        isDown ? new Response("no", { status: 500 }) : chain.node()(request),
    ],
  });
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const hash = payer.pay(249_000_000n);
  const { status, body } = await payer.claim(quoteId, hash);
  assertEquals([status, body.code], [503, "UPSTREAM_UNAVAILABLE"]);
  assertEquals(await payer.standing(), NOTHING);
  isDown = false;
  assertEquals((await payer.claim(quoteId, hash)).status, 200);
});
