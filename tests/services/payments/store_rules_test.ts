/** Store rules of payments: each record that breaks one, and its neighbours that do not. */
import { NO_ENTITLEMENTS } from "../../../services/payments/billing.ts";
import { RULES } from "../../../services/stores.ts";
import { assertRules } from "../../support/kv/rule_cases.ts";

const WALLET = "0xa";
const transaction = {
  txHash: "0x1",
  logIndexes: [0],
  blockNumber: 7,
  blockHash: "0xb7",
  paidAt: 1,
};
const paid = {
  kind: "payment",
  at: 1,
  amount: 5n,
  order: null,
  quoteId: null,
  transaction,
  revokedAt: null,
};
const fromCredit = { ...paid, transaction: null };
const taken = { ...paid, revokedAt: 2 };
const grant = { kind: "grant", at: 1, plan: "builder", paidUntil: 9 };
const credited = { ...NO_ENTITLEMENTS, credit: 5n, changedAt: 1 };
const plan = {
  entitlements: credited,
  entries: 1,
  used: { value: 0n, until: 0 },
};

const times = [{ plan: "builder", paidUntil: 9, price: 0n }];
const timed = { ...plan, entitlements: { ...credited, times } };

const end = ["plan_ends", 9, WALLET];
const entry = ["ledgers", WALLET, 0];
const index = ["paid_transactions", "0x1", WALLET];
const block = ["paid_blocks", 7, "0x1", WALLET];
const quote = { id: "one", createdAt: 1, expiresAt: 2 };
const quotes = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ ...quote, id: `q${nth}` }));
const disputedTo = (last: number) =>
  Array.from({ length: last }, (_, nth) => ({ block: nth + 1, foundAt: 1 }));

Deno.test("rules of payments hold for sound records, and for no others", () =>
  assertRules(RULES, [
    {
      rule: "entitlements",
      key: ["plans", WALLET],
      cases: [
        ["counted from the ledger", true, plan, [[entry, paid]]],
        ["used time", true, { ...plan, used: { value: 1n, until: 1 } }, [
          [entry, paid],
        ]],
        ["another sum", false, { ...plan, entitlements: NO_ENTITLEMENTS }, [
          [entry, paid],
        ]],
        ["no ledger", false, plan],
        ["more entries than counted", false, { ...plan, entries: 2 }, [
          [entry, paid],
        ]],
        ["a gap in the ledger", false, plan, [
          [["ledgers", WALLET, 1], paid],
        ]],
        ["a negative use", false, { ...plan, used: { value: -1n, until: 0 } }, [
          [entry, paid],
        ]],
        ["a revoked entry counts nothing", true, { ...plan, entries: 2 }, [
          [entry, taken],
          [["ledgers", WALLET, 1], paid],
        ]],
      ],
    },
    {
      rule: "plan-ends",
      key: ["plans", WALLET],
      cases: [
        ["nothing paid for", true, plan],
        ["listed", true, timed, [[end, times]]],
        ["not listed", false, timed],
        ["listed with other times", false, timed, [[end, [
          ...times,
          ...times,
        ]]]],
      ],
    },
    {
      rule: "plan-end",
      key: end,
      cases: [
        ["of the record", true, times, [[["plans", WALLET], timed]]],
        ["without a record", false, times],
        ["of time that is gone", false, times, [[["plans", WALLET], plan]]],
        ["at another end", false, [{ ...times[0], paidUntil: 8 }], [
          [["plans", WALLET], timed],
        ]],
      ],
    },
    {
      rule: "ledger-entry",
      key: entry,
      cases: [
        ["counted", true, paid, [[["plans", WALLET], plan]]],
        ["not counted", false, paid, [
          [["plans", WALLET], { ...plan, entries: 0 }],
        ]],
        ["without a record", false, paid],
      ],
    },
    {
      rule: "payment",
      key: entry,
      cases: [
        ["a grant", true, grant],
        ["from credit", true, fromCredit],
        ["indexed", true, paid, [[index, 0], [block, "0xb7"]]],
        ["without an index", false, paid, [[block, "0xb7"]]],
        ["indexed as another entry", false, paid, [
          [index, 1],
          [block, "0xb7"],
        ]],
        ["without a block", false, paid, [[index, 0]]],
        ["in another block", false, paid, [[index, 0], [block, "0xb8"]]],
        ["revoked", true, taken],
        ["revoked and credited again", true, taken, [[index, 1]]],
        ["revoked and indexed", false, taken, [[index, 0], [block, "0xb7"]]],
      ],
    },
    {
      rule: "paid-transaction",
      key: index,
      cases: [
        ["in the ledger", true, 0, [[entry, paid]]],
        ["of another payment", false, 0, [
          [entry, { ...paid, transaction: { ...transaction, txHash: "0x2" } }],
        ]],
        ["without an entry", false, 0],
        ["of a grant", false, 0, [[entry, { ...grant, transaction }]]],
        ["revoked", false, 0, [[entry, taken]]],
        ["from credit", false, 0, [[entry, fromCredit]]],
      ],
    },
    {
      rule: "paid-block",
      key: block,
      cases: [
        ["of the entry", true, "0xb7", [[index, 0], [entry, paid]]],
        ["of another hash", false, "0xb8", [[index, 0], [entry, paid]]],
        ["of another number", false, "0xb7", [[index, 0], [entry, {
          ...paid,
          transaction: { ...transaction, blockNumber: 8 },
        }]]],
        ["without an index", false, "0xb7", [[entry, paid]]],
        // An entry without an index must not be taken for another one.
        ["without an index, of a later entry", false, "0xb7", [
          [["ledgers", WALLET, 1], paid],
          [["ledgers", WALLET, -2], paid],
        ]],
        ["from credit", false, "0xb7", [[index, 0], [entry, fromCredit]]],
      ],
    },
    {
      rule: "quotes",
      key: ["quotes", WALLET],
      cases: [
        ["none", true, []],
        ["as many as fit", true, quotes(20)],
        ["one more", false, quotes(21)],
        ["twice the same", false, [quote, quote]],
        ["without time to pay", false, [{ ...quote, expiresAt: 1 }]],
        ["one of two without time", false, [
          quote,
          { ...quote, id: "two", expiresAt: 1 },
        ]],
      ],
    },
    {
      rule: "revoked-payment",
      key: ["revoked_payments", "0x1", WALLET],
      cases: [
        ["in the ledger", true, 0, [[entry, taken]]],
        ["credited again", false, 0, [[entry, taken], [index, 1]]],
        ["without an entry", false, 0],
        ["of a grant", false, 0, [[entry, grant]]],
        ["of a deduction", false, 0, [
          [entry, { ...taken, kind: "deduction" }],
        ]],
        ["that counts", false, 0, [[entry, paid]]],
        ["of another transaction", false, 0, [
          [entry, { ...taken, transaction: { ...transaction, txHash: "0x2" } }],
        ]],
      ],
    },
    {
      rule: "payment-scan",
      key: ["payment_scan"],
      cases: [
        ["none disputed", true, { block: 0, disputed: [] }],
        ["a negative block scanned", false, { block: -1, disputed: [] }],
        ["a fraction scanned", false, { block: 1.5, disputed: [] }],
        ["a checkpoint", true, {
          block: 9,
          disputed: [],
          checkpoints: [{ block: 8, hash: "0x1" }, { block: 9, hash: "0x2" }],
        }],
        ["a checkpoint not scanned", false, {
          block: 9,
          disputed: [],
          checkpoints: [{ block: 10, hash: "0x1" }],
        }],
        ["unlisted ranges", true, {
          block: 9,
          disputed: [],
          unlisted: [{ first: 1, last: 2 }, { first: 4, last: 9 }],
        }],
        ["unlisted ranges that overlap", false, {
          block: 9,
          disputed: [],
          unlisted: [{ first: 1, last: 4 }, { first: 4, last: 9 }],
        }],
        ["an unlisted block not scanned", false, {
          block: 9,
          disputed: [],
          unlisted: [{ first: 1, last: 10 }],
        }],
        ["as many as fit", true, { block: 50, disputed: disputedTo(50) }],
        ["one more", false, { block: 51, disputed: disputedTo(51) }],
        ["not scanned", false, { block: 1, disputed: disputedTo(2) }],
        ["twice the same", false, {
          block: 1,
          disputed: [...disputedTo(1), ...disputedTo(1)],
        }],
        ["a fraction disputed", false, {
          block: 2,
          disputed: [{ block: 1.5, foundAt: 1 }],
        }],
        ["a negative block disputed", false, {
          block: 2,
          disputed: [{ block: -1, foundAt: 1 }],
        }],
        ["found before 1970", false, {
          block: 2,
          disputed: [{ block: 1, foundAt: -1 }],
        }],
      ],
    },
    {
      rule: "payment-watch",
      key: ["payment_watch", "0x1", "0x2"],
      cases: [
        ["the first block", true, 0],
        ["a block", true, 7],
        ["a negative number", false, -1],
        ["a fraction", false, 1.5],
      ],
    },
  ]));
