/** Quotes, claims and payments over HTTP: validation, sign-in and lists. */
import { assertEquals, assertMatch } from "@std/assert";
import {
  PaymentsAnswer,
  QuoteAnswer,
} from "../../../services/payments/payments_schema.ts";
import { USDC } from "../../../services/payments/plans_schema.ts";
import { START, testDeps } from "../../support/deps.ts";
import { newOwner } from "../../support/owners.ts";
import { TREASURY } from "../../support/evm/paid_chain.ts";
import { after, newPayer, paidDeps } from "../../support/evm/payers.ts";

const MINUTE_MS = 60_000;

Deno.test("POST /quotes answers amount, receiver, chain and expiry", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { status, headers, body } = await payer.call("POST", "/quotes", {
    body: { product: "growth" },
  });
  assertEquals(status, 200);
  assertEquals(headers.get("Cache-Control"), "no-store");
  assertEquals(QuoteAnswer.parse(body), body);
  const { quoteId, ...quote } = body;
  assertMatch(quoteId, /^[0-9a-f-]{36}$/);
  assertEquals(quote, {
    product: "growth",
    periods: 1,
    payTo: TREASURY,
    token: USDC,
    chainId: 43_114,
    amount: "249000000",
    amountDisplay: "249.00",
    credit: "0",
    creditDisplay: "0.00",
    startsAt: START,
    endsAt: after(30),
    expiresAt: "2026-11-21T08:30:00.000Z",
    uri:
      `ethereum:${USDC}@43114/transfer?address=${TREASURY}&uint256=249000000`,
    transaction: {
      to: USDC,
      // transfer(address,uint256), the treasury, 249,000,000.
      data: `0xa9059cbb${TREASURY.slice(2).padStart(64, "0")}` +
        "ed77040".padStart(64, "0"),
      value: "0x0",
    },
  });
});

Deno.test("POST /quotes rejects invalid input with what is expected", async (t) => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const cases: [body: unknown, error: RegExp][] = [
    [{}, /product.*builder, growth, scale, premium, slug/],
    [{ product: "free" }, /builder, growth, scale, premium, slug/],
    [{ product: "growth", periods: 0 }, /periods.*from 1 to 12/],
    [{ product: "growth", periods: 13 }, /periods.*from 1 to 12/],
    [{ product: "growth", periods: 1.5 }, /periods.*from 1 to 12/],
    [{ product: "growth", periods: "1" }, /periods.*from 1 to 12/],
    [{ product: "growth", amount: "1" }, /amount/],
    [
      { product: "growth", slug: "firn" },
      /^Invalid slug "firn": expected no slug for the product growth$/,
    ],
    ...["ab", "a".repeat(33)].map((slug): [unknown, RegExp] => [
      { product: "slug", slug },
      /^Invalid slug "(ab|a{33})": expected the profile name to buy: 3 to 32 characters$/,
    ]),
    [{ product: "slug" }, /^Missing slug: expected your profile name$/],
    [
      { product: "slug", slug: "firn", periods: 2 },
      /^Invalid periods "2": expected 1 for the product slug$/,
    ],
    [[], /body|object/i],
    ["{", /expected JSON/],
    ['{"product":"growth","product":"scale"}', /duplicate name "product"/],
  ];
  for (const [body, error] of cases) {
    await t.step(JSON.stringify(body), async () => {
      const answer = await payer.call("POST", "/quotes", { body });
      assertEquals(
        [answer.status, answer.body.code],
        [400, "BAD_REQUEST"],
        answer.text,
      );
      assertMatch(answer.body.error, error);
    });
  }
});

Deno.test("POST /claims rejects invalid input with what is expected", async (t) => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { quoteId } = await payer.quote("growth");
  const txHash = `0x${"12".repeat(32)}`;
  const cases: [body: unknown, error: RegExp][] = [
    [{ txHash }, /quoteId.*the id of a quote/],
    [{ quoteId: "1", txHash }, /quoteId.*the id of a quote/],
    [{ quoteId, txHash: txHash.slice(0, -1) }, /txHash.*64 hexadecimal/],
    [{ quoteId, txHash: `${txHash}0` }, /txHash.*64 hexadecimal/],
    [{ quoteId, txHash, amount: "1" }, /amount/],
    [
      { quoteId },
      /^Missing txHash: expected the hash of a payment of 249.00 USDC$/,
    ],
  ];
  for (const [body, error] of cases) {
    await t.step(JSON.stringify(body), async () => {
      const answer = await payer.call("POST", "/claims", { body });
      assertEquals(
        [answer.status, answer.body.code],
        [400, "BAD_REQUEST"],
        answer.text,
      );
      assertMatch(answer.body.error, error);
    });
  }
});

Deno.test("without a treasury, quotes and claims answer 501", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const quoteId = crypto.randomUUID();
  for (
    const [path, body] of [["/quotes", { product: "growth" }], ["/claims", {
      quoteId,
    }]] as const
  ) {
    const answer = await owner.call("POST", path, { body });
    assertEquals([answer.status, answer.body.code], [501, "NOT_ENABLED"]);
  }
  const { status, body } = await owner.call("GET", "/payments");
  assertEquals([status, body.payments], [200, []]);
});

Deno.test("payments require a session and this origin", async () => {
  using deps = await paidDeps();
  const owner = newOwner(deps);
  const calls: [string, string, unknown][] = [
    ["GET", "/payments", undefined],
    ["POST", "/quotes", { product: "growth" }],
    ["POST", "/claims", { quoteId: crypto.randomUUID() }],
  ];
  for (const [method, path, body] of calls) {
    const answer = await owner.call(method, path, { body });
    assertEquals([answer.status, answer.body.code], [401, "SIGNED_OUT"], path);
  }
  await owner.signIn();
  const headers = { Origin: "https://elsewhere.test" };
  for (const [method, path, body] of calls.slice(1)) {
    const answer = await owner.call(method, path, { body, headers });
    assertEquals([answer.status, answer.body.code], [403, "CROSS_SITE"], path);
  }
});

Deno.test("POST /quotes allows twenty quotes a minute per wallet", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  for (let nth = 0; nth < 20; nth++) await payer.quote("growth");
  const body = { product: "growth" };
  const { status, headers } = await payer.call("POST", "/quotes", { body });
  assertEquals([status, Number(headers.get("Retry-After")) > 0], [429, true]);
});

Deno.test("GET /payments lists newest first, and each payment is in the audit trail", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("builder");
  deps.advance(MINUTE_MS);
  const { quoteId } = await payer.quote("scale");
  const short = payer.pay(1_000_000n);
  const { headers } = await payer.claim(quoteId, short);
  const body = await payer.payments();
  assertEquals(PaymentsAnswer.parse(body), body);
  assertEquals(body.payments[0], {
    at: "2026-11-21T08:01:00.000Z",
    amount: "1000000",
    amountDisplay: "1.00",
    product: "scale",
    periods: 1,
    quoteId,
    txHash: short,
    blockNumber: 10_004,
    revokedAt: null,
  });
  assertEquals(body.payments[1].product, "builder");
  const { body: { audit } } = await payer.call("GET", "");
  const [last, first] = audit.filter(({ event }: { event: string }) =>
    event === "pay"
  );
  assertEquals(last, {
    at: "2026-11-21T08:01:00.000Z",
    event: "pay",
    requestId: headers.get("X-Request-Id"),
    amount: "1000000",
    txHash: short,
    product: "scale",
    missing: last.missing,
  });
  assertEquals([first.amount, first.missing], ["49000000", "0"]);
});
