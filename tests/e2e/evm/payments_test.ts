/** Payments on a real EVM node, with a real ERC-20 in place of USDC. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Hex } from "viem";
import { onNode, startAnvil } from "../../support/evm/anvil.ts";
import { succeed } from "../../support/jobs.ts";
import { logged } from "../../support/logged.ts";
import { TREASURY } from "../../support/evm/paid_chain.ts";
import { after, newBuyer } from "../../support/evm/payers.ts";
import {
  depsOn,
  finalise,
  FUNDS,
  reorganise,
  startPayingNode,
} from "../../support/evm/paying_node.ts";
import { deployUsdc } from "../../support/evm/usdc.ts";

const JOB = "find-payments";
const GROWTH = 249_000_000n;
const TO = TREASURY as Hex;
const NOTHING = ["free", null, "0"];

onNode.test("on a real node, each kind of invalid payment is refused with its own code and credits nothing", async (t) => {
  await using node = await startPayingNode();
  const { anvil, usdc, settings } = node;
  using deps = await depsOn(settings);
  await succeed(deps, JOB);
  const [payer, stranger] = anvil.accounts;
  assert(payer && stranger);
  const buyer = await newBuyer(deps, payer);
  const { quoteId } = await buyer.quote("growth");
  const other = await deployUsdc(anvil);
  await other.mint(payer.address, FUNDS);
  const cases: [code: string, hash: Hex][] = [
    ["WRONG_TOKEN", await other.transfer(payer, TO, GROWTH)],
    ["WRONG_RECIPIENT", await usdc.transfer(payer, stranger.address, GROWTH)],
    ["WRONG_SENDER", await usdc.transfer(stranger, TO, GROWTH)],
    ["TX_FAILED", await usdc.transfer(payer, TO, 2n * FUNDS)],
    ["TX_NOT_FOUND", `0x${"12".repeat(32)}`],
  ];
  await anvil.mine(3);
  for (const [code, hash] of cases) {
    await t.step(code, async () => {
      const { status, body, text } = await buyer.claim(quoteId, hash);
      assertEquals([status, body.code], [422, code], text);
      assertEquals(await buyer.standing(), NOTHING);
    });
  }
  await t.step(
    "the job credits a transfer to its own sender",
    async () => {
      assertMatch(
        await succeed(deps, JOB),
        /^1 payments credited, 0 revoked/,
      );
      assertEquals(await buyer.standing(), NOTHING);
      const held = await deps.store.plans.find(
        stranger.address.toLowerCase(),
      );
      assertEquals(held!.credit, GROWTH);
    },
  );
});

onNode.test("on a real node, a payment counts once, after two blocks, to the base unit", async (t) => {
  await using node = await startPayingNode();
  const { anvil, usdc, settings } = node;
  using deps = await depsOn(settings);
  const [payer] = anvil.accounts;
  assert(payer);
  const buyer = await newBuyer(deps, payer);

  await t.step(
    "a claim waits for the block and for two blocks on top of it",
    async () => {
      const { quoteId } = await buyer.quote("builder");
      const hash = await usdc.transfer(payer, TO, 49_000_000n);
      for (const confirmations of [0, 0, 1]) {
        const { status, body } = await buyer.claim(quoteId, hash);
        assertEquals([status, body.confirmations], [202, confirmations]);
        await anvil.mine(1);
      }
      const answers = await Promise.all(
        [1, 2, 3].map(() => buyer.claim(quoteId, hash)),
      );
      assertEquals(answers.map(({ status }) => status).sort(), [
        200,
        409,
        409,
      ]);
      assertEquals(await buyer.standing(), ["builder", after(30), "0"]);
    },
  );

  await t.step("two transfers in one transaction both count", async () => {
    const { quoteId } = await buyer.quote("builder");
    const hash = await usdc.transferAll(payer, TO, [40_000_000n, 9_000_000n]);
    const { body } = await buyer.claim(quoteId, await finalise(anvil, hash));
    assertEquals([body.status, body.paidUntil, body.credit], [
      "active",
      after(60),
      "0",
    ]);
  });

  await t.step(
    "a payment that lacks a base unit becomes credit, and the shortfall is named",
    async () => {
      const { quoteId } = await buyer.quote("builder");
      const short = await usdc.transfer(payer, TO, 48_999_999n);
      const { body } = await buyer.claim(
        quoteId,
        await finalise(anvil, short),
      );
      assertEquals([body.status, body.missing, body.missingDisplay], [
        "short",
        "1",
        "0.000001",
      ]);
      assertEquals([body.paidUntil, body.credit], [after(60), "48999999"]);
      const rest = await usdc.transfer(payer, TO, 1n);
      const full = await buyer.claim(quoteId, await finalise(anvil, rest));
      assertEquals(
        [full.body.status, full.body.paidUntil, full.body.credit],
        ["active", after(90), "0"],
      );
    },
  );

  await t.step(
    "a claim and the job at the same time credit it once",
    async () => {
      const { quoteId } = await buyer.quote("builder");
      const hash = await finalise(
        anvil,
        await usdc.transfer(payer, TO, 49_000_000n),
      );
      const [{ status }] = await Promise.all([
        buyer.claim(quoteId, hash),
        succeed(deps, JOB),
      ]);
      assert(status === 200 || status === 409, String(status));
      assertEquals(await buyer.standing(), ["builder", after(120), "0"]);
      assertEquals((await buyer.payments()).payments.length, 5);
    },
  );
});

onNode.test("on a real node, a reorganisation revokes the plan, and the payment in a new block restores it", async () => {
  await using node = await startPayingNode();
  const { anvil, usdc, settings } = node;
  using deps = await depsOn(settings);
  const [payer] = anvil.accounts;
  assert(payer);
  const buyer = await newBuyer(deps, payer);
  const { quoteId } = await buyer.quote("growth");
  const hash = await finalise(anvil, await usdc.transfer(payer, TO, GROWTH));
  assertEquals((await buyer.claim(quoteId, hash)).status, 200);
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 0 revoked/);

  await reorganise(anvil, 3);
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 1 revoked/);
  assertEquals(await buyer.standing(), NOTHING);
  const [line] = logged(deps.lines, "payment.revoked");
  assertEquals([line!.txHash, line!.wallet], [hash, buyer.wallet]);
  const { body: { audit } } = await buyer.call("GET", "");
  assertEquals([audit[0].event, audit[0].txHash], ["plan.revoke", hash]);

  const again = await finalise(anvil, await usdc.transfer(payer, TO, GROWTH));
  assertMatch(await succeed(deps, JOB), /^1 payments credited, 0 revoked/);
  assertEquals((await buyer.claim(quoteId, again)).body.code, "TX_USED");
  assertEquals(await buyer.standing(), ["growth", after(30), "0"]);
});

onNode.test("if a second node disagrees, neither claim nor job credits a payment", async () => {
  await using node = await startPayingNode();
  const { anvil, usdc } = node;
  await using second = await startAnvil({ automine: false });
  await second.mine(20);
  const urls = `${anvil.url},${second.url}`;
  using deps = await depsOn({ ...node.settings, C_CHAIN_RPC_URL: urls });
  const [payer] = anvil.accounts;
  assert(payer);
  const buyer = await newBuyer(deps, payer);
  const { quoteId } = await buyer.quote("growth");
  const hash = await finalise(anvil, await usdc.transfer(payer, TO, GROWTH));
  const { status, body } = await buyer.claim(quoteId, hash);
  assertEquals([status, body.confirmations], [202, 0]);
  assertMatch(
    await succeed(deps, JOB),
    /^0 payments credited.*, 1 blocks disputed since \S+Z$/,
  );
  assertEquals(await buyer.standing(), NOTHING);
});
