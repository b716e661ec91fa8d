/** The payment scan after a reorganisation. */
import { assertEquals, assertMatch } from "@std/assert";
import { newScanRun, scanBlocks } from "../../jobs/find_payments.ts";
import { START } from "../support/deps.ts";
import { succeed } from "../support/jobs.ts";
import { logged } from "../support/logged.ts";
import { TREASURY } from "../support/evm/paid_chain.ts";
import {
  after,
  newPayer,
  paidDeps,
  standingOf,
  walletOf,
} from "../support/evm/payers.ts";

const JOB = "find-payments";

Deno.test("find-payments credits a payment that any listing of the node has", async () => {
  const hidden: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [chain.node({ without: hidden })],
  });
  await succeed(deps, JOB);
  const hash = deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine();
  hidden.push(hash);
  assertMatch(await succeed(deps, JOB), /^0 payments credited.*block 10001$/);
  hidden.length = 0;
  deps.chain.mine(900);
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
  hidden.push(hash);
  assertMatch(
    await succeed(deps, JOB),
    /, 0 revoked/,
    "its block is still there",
  );
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
});

Deno.test("find-payments revokes the plan of a block that left the chain, with a log event and an audit entry", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { body } = await payer.buy("growth");
  assertEquals(body.status, "active");
  const { payments: [{ txHash }] } = await payer.payments();
  await succeed(deps, JOB);
  deps.chain.reorganise(3);
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 1 revoked/);
  assertEquals(await standingOf(deps, payer.wallet), ["free", 0n]);
  const { payments } = await payer.payments();
  assertEquals([payments.length, payments[0].txHash, payments[0].revokedAt], [
    1,
    txHash,
    START,
  ]);
  const [line] = logged(deps.lines, "payment.revoked");
  assertEquals([line!.txHash, line!.wallet], [txHash, payer.wallet]);
  const { body: { audit } } = await payer.call("GET", "");
  assertEquals(audit[0], {
    at: START,
    event: "plan.revoke",
    requestId: null,
    amount: "249000000",
    txHash,
  });
  assertMatch(await succeed(deps, JOB), /, 0 revoked/, "once");
});

Deno.test("find-payments credits a transaction once when it is mined again in another block", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const { body } = await payer.buy("growth");
  const { payments: [{ txHash }] } = await payer.payments();
  deps.chain.reorganise(3, txHash);
  const outcome = await succeed(deps, JOB);
  assertMatch(outcome, /^1 payments credited, 1 revoked/);
  const { plan, paidUntil, credit, payments } = await payer.payments();
  assertEquals([plan, paidUntil, credit], ["growth", body.paidUntil, "0"]);
  assertEquals(
    payments.map(({ revokedAt }: { revokedAt: string | null }) => revokedAt),
    [null],
  );
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 0 revoked/);
});

Deno.test("find-payments also revokes what the credit of a revoked payment bought, and keeps the rest", async () => {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  await payer.buy("builder");
  deps.chain.mine(10);
  const { quoteId } = await payer.quote("scale");
  await payer.claim(quoteId, payer.pay(500_000_000n));
  const growth = await payer.quote("growth");
  assertEquals([growth.amount, (await payer.claim(growth.quoteId)).body.plan], [
    "0",
    "growth",
  ]);
  deps.chain.reorganise(3);
  assertMatch(await succeed(deps, JOB), /, 1 revoked/);
  const { plan, paidUntil, credit } = await payer.payments();
  assertEquals(
    [plan, paidUntil, credit],
    ["builder", after(30), "0"],
    "as without the 500",
  );
});

Deno.test("find-payments revokes nothing if a node lags or lacks a block", async () => {
  let behind = 0;
  const lost: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [
      async (request) => {
        const { method } = await request.clone().json();
        const isBlind = lost.length > 0 && method === "eth_getBlockByNumber";
        return isBlind
          ? Response.json({ jsonrpc: "2.0", id: 1, result: null })
          : await chain.node({ behind, without: lost })(request);
      },
    ],
  });
  const payer = await newPayer(deps);
  const { body } = await payer.buy("growth");
  assertEquals(body.status, "active");
  behind = 3;
  assertMatch(await succeed(deps, JOB), /, 0 revoked/);
  behind = 0;
  const { payments: [{ txHash }] } = await payer.payments();
  lost.push(txHash);
  assertMatch(await succeed(deps, JOB), /, 0 revoked/);
  assertEquals(await standingOf(deps, payer.wallet), ["growth", 0n]);
});

Deno.test("find-payments leaves payments of a reorganisation during a scan to the next run", async () => {
  let reorganises = false;
  using deps = await paidDeps({
    nodes: (chain) => [
      async (request) => {
        const { method } = await request.clone().json();
        const response = await chain.node()(request);
        if (reorganises && method === "eth_getLogs") {
          reorganises = false;
          chain.reorganise(5, moved);
        }
        return response;
      },
    ],
  });
  await succeed(deps, JOB);
  const moved = deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.send({ from: walletOf(2), amount: 6n });
  deps.chain.mine(3);
  reorganises = true;
  assertMatch(
    await succeed(deps, JOB),
    /^0 payments credited.*block 10000, later payments wait$/,
  );
  assertMatch(await succeed(deps, JOB), /^1 payments credited.*block 10003$/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 0n]);
});

Deno.test("scanBlocks() finishes no block of a range if time runs out between two revocations", async () => {
  using deps = await paidDeps();
  await succeed(deps, JOB);
  for (const nth of [1, 2]) {
    deps.chain.send({ from: walletOf(nth), amount: 5n });
  }
  deps.chain.mine(3);
  assertMatch(await succeed(deps, JOB), /^2 payments credited/);
  deps.chain.reorganise(5);
  let left = 1;
  const run = newScanRun({ proceed: () => Promise.resolve(left-- > 0) });
  const range = { treasury: TREASURY, first: 10_000, last: 10_003 };
  const parts = await Array.fromAsync(scanBlocks(deps, range, run));
  assertEquals([run.credited, run.revoked, parts], [0, 1, [{
    first: 10_000,
    doneTo: 9_999,
    disputedBlocks: [],
    unlisted: [],
  }]]);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 5n]);
  assertMatch(await succeed(deps, JOB), /^0 payments credited, 1 revoked/);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 0n]);
});
