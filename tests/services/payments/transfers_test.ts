import type {
  TransactionReport,
  Transfer,
  TransferNode,
} from "../../../services/payments/c_chain_transfers_client.ts";
import { assertEquals, assertRejects } from "@std/assert";
import {
  compareReports,
  compareTransferLists,
  listTreasuryTransfers,
  prepareRead,
  readTransfers,
  refusalReason,
} from "../../../services/payments/transfers.ts";
import type { CallOptions } from "../../../services/platform/rate_limit/call_budget.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { testDeps } from "../../support/deps.ts";
import { walletOf } from "../../support/evm/payers.ts";
import { formatUsdc } from "../../../services/payments/plans_schema.ts";

const TREASURY = `0x${"71".repeat(20)}`;
const PAYER = `0x${"aa".repeat(20)}`;
const OTHER = `0x${"bb".repeat(20)}`;

/** A transfer of 5 base units to the treasury, with changes. */
function transfer(facts: Partial<Transfer> = {}): Transfer {
  return {
    token: "0xusdc",
    txHash: "0x1",
    logIndex: 0,
    from: PAYER,
    to: TREASURY,
    amount: 5n,
    blockNumber: 100,
    blockHash: "0xb100",
    at: 1_000,
    ...facts,
  };
}

type Mined = Extract<TransactionReport, { kind: "mined" }>;

function mined(facts: Partial<Mined> = {}): Mined {
  return {
    kind: "mined",
    succeeded: true,
    blockHash: "0xb100",
    confirmations: 2,
    transfers: [transfer()],
    ...facts,
  };
}

const UNKNOWN: TransactionReport = { kind: "unknown" };
const WAITING: TransactionReport = { kind: "waiting" };
const pending = (confirmations: number) => ({
  kind: "pending",
  confirmations,
  required: 2,
});

Deno.test("compareReports() is final when all nodes agree on success and two confirmations", async (t) => {
  const { transfers } = mined();
  const cases: [
    name: string,
    sightings: TransactionReport[],
    settled: unknown,
  ][] = [
    ["unknown", [UNKNOWN], { kind: "missing" }],
    ["unknown to both", [UNKNOWN, UNKNOWN], { kind: "missing" }],
    ["in no block yet", [WAITING], pending(0)],
    ["two blocks on top", [mined()], { kind: "final", transfers }],
    ["one block on top", [mined({ confirmations: 1 })], pending(1)],
    ["a head behind its block", [mined({ confirmations: -3 })], pending(0)],
    ["failed", [mined({ succeeded: false, transfers: [] })], {
      kind: "failed",
    }],
    [
      "failed, not final",
      [mined({ succeeded: false, confirmations: 0 })],
      pending(0),
    ],
    ["both agree", [mined(), mined({ confirmations: 9 })], {
      kind: "final",
      transfers,
    }],
    ["the second behind", [
      mined({ confirmations: 9 }),
      mined({ confirmations: 1 }),
    ], pending(1)],
    ["the second without it", [mined(), UNKNOWN], pending(0)],
    ["the first without it", [UNKNOWN, mined()], pending(0)],
    ["the second waiting", [mined(), WAITING], pending(0)],
    ["another block", [mined(), mined({ blockHash: "0xb101" })], pending(0)],
    ["another status", [mined(), mined({ succeeded: false })], pending(0)],
    ["another amount", [
      mined(),
      mined({ transfers: [transfer({ amount: 6n })] }),
    ], pending(0)],
    ["another sender", [
      mined(),
      mined({ transfers: [transfer({ from: OTHER })] }),
    ], pending(0)],
    ["one transfer less", [mined(), mined({ transfers: [] })], pending(0)],
  ];
  for (const [name, sightings, settled] of cases) {
    await t.step(
      name,
      () => assertEquals(compareReports(sightings) as unknown, settled),
    );
  }
});

Deno.test("compareTransferLists() agrees on common transfers, and excludes disputed transactions", () => {
  const [a, b] = [transfer(), transfer({ txHash: "0x2", blockNumber: 103 })];
  const more = transfer({ txHash: "0x2", logIndex: 1, blockNumber: 103 });
  assertEquals(compareTransferLists([[a, b]]), {
    agreed: [a, b],
    disputedBlocks: [],
  });
  assertEquals(compareTransferLists([[a, b], [a, b]]), {
    agreed: [a, b],
    disputedBlocks: [],
  });
  assertEquals(compareTransferLists([[a, b], [a]]), {
    agreed: [a],
    disputedBlocks: [103],
  });
  assertEquals(compareTransferLists([[a], [a, b]]), {
    agreed: [a],
    disputedBlocks: [103],
  });
  assertEquals(compareTransferLists([[a, b, more], [a, b]]), {
    agreed: [a],
    disputedBlocks: [103],
  });
  const moved = { ...a, blockHash: "0xb101" };
  assertEquals(compareTransferLists([[a], [moved]]), {
    agreed: [],
    disputedBlocks: [100],
  });
  assertEquals(compareTransferLists([[], []]), {
    agreed: [],
    disputedBlocks: [],
  });
});

Deno.test("listTreasuryTransfers() sums the payments of a wallet per transaction, without zero and other transfers", () => {
  const arrivals = listTreasuryTransfers([
    transfer(),
    transfer({ logIndex: 1, amount: 7n }),
    transfer({ logIndex: 2, amount: 0n }),
    transfer({ logIndex: 3, to: OTHER }),
    transfer({ logIndex: 4, from: OTHER }),
    transfer({
      txHash: "0x2",
      blockNumber: 101,
      blockHash: "0xb101",
      at: 2_000,
    }),
  ], TREASURY);
  assertEquals(
    arrivals.map((
      { wallet, amount, transaction },
    ) => [wallet, amount, transaction.txHash, transaction.logIndexes]),
    [[PAYER, 12n, "0x1", [0, 1]], [OTHER, 5n, "0x1", [4]], [PAYER, 5n, "0x2", [
      0,
    ]]],
  );
  assertEquals(arrivals[2]!.transaction, {
    txHash: "0x2",
    logIndexes: [0],
    blockNumber: 101,
    blockHash: "0xb101",
    paidAt: 2_000,
    treasury: TREASURY,
  });
});

Deno.test("refusalReason() returns why a transaction is not a payment", () => {
  const none = { transfers: [], otherTokens: [] };
  const cases: [Parameters<typeof refusalReason>[0], string][] = [
    [none, "noTransfer"],
    [{ ...none, transfers: [transfer({ amount: 0n })] }, "noTransfer"],
    [{ ...none, transfers: [transfer({ from: OTHER })] }, "wrongSender"],
    [{ ...none, transfers: [transfer({ to: OTHER })] }, "wrongRecipient"],
    [{ ...none, otherTokens: [transfer({ token: "0xusdc.e" })] }, "wrongToken"],
    [{ ...none, otherTokens: [transfer({ to: OTHER })] }, "noTransfer"],
  ];
  for (const [moved, why] of cases) {
    assertEquals(refusalReason(moved, TREASURY), why);
  }
});

Deno.test("formatUsdc() writes two decimals, or six if needed", () => {
  const cases: [bigint, string][] = [
    [0n, "0.00"],
    [1n, "0.000001"],
    [249_000_000n, "249.00"],
    [249_500_000n, "249.50"],
    [248_999_999n, "248.999999"],
    [10n ** 15n, "1000000000.00"],
  ];
  for (const [amount, text] of cases) assertEquals(formatUsdc(amount), text);
});

Deno.test("readTransfers() allows 40 checks a minute of any callers, and says when the next fits", async () => {
  using deps = await testDeps();
  const txHash = "0x12";
  let reserved = 0;
  const node = {
    prepare: () => Promise.resolve(),
    reserve: (options: CallOptions) => (reserved++, Promise.resolve(options)),
    readTransaction: () => Promise.resolve({ kind: "waiting" }),
  } as unknown as TransferNode;
  const refused = () => new Fault("unexpected", { kind: "badInput" });
  const reading = { ...deps, upstream: { transfers: [node] } };
  const count = async (nth: number) => {
    const reader = { wallet: walletOf(nth), hostname: `203.0.113.${nth}` };
    await prepareRead(reading, reader);
    return await readTransfers(reading, {
      txHash,
      to: TREASURY,
      reader,
      refused,
    });
  };
  for (let nth = 0; nth < 40; nth++) await count(nth);
  const refuse = () => assertRejects(() => count(40), Fault);
  const { message, failure } = await refuse();
  assertEquals(
    message,
    "Cannot check 0x12 now: all callers share 40 checks a minute, and they are used up; try again in 61 seconds",
  );
  assertEquals(failure, { kind: "tooManyChanges", retryAfterMs: 61_000 });
  deps.advance(60_999);
  await refuse();
  assertEquals(reserved, 40, "a refused one takes no call of a node");
  deps.advance(1);
  await count(40);
});
