/** Each assumption about the sources: where it stops to hold. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  ADDRESSES,
  BATCH,
  block,
  C_CHAIN,
  CHAINS,
  CODE,
  DAY_SECONDS,
  days,
  DECIMALS,
  examine,
  FIRST_BLOCK,
  FORMS,
  GOOD,
  LATEST,
  listed,
  node,
  OLDER,
  Other,
  PAGE,
  page,
  pairs,
  points,
  recent,
  record,
  records,
  result,
  rows,
  settled,
  STAKE,
  stats,
  TODAY,
  TOKEN,
  UNKNOWN,
  UNUSED,
  VALIDATORS,
  validators,
} from "../../../support/doctor/exact_sources.ts";
import { SUBJECT } from "../../../support/doctor/simulated_sources.ts";

const OTHER = "the answer has another shape than this check needs";

/** The points of a day and of the days before, with one value for each. */
const since = (newest: number, ...values: number[]) =>
  page(points(newest, values));
const total = (grown: number) =>
  page(points(TODAY - 1, [5e6, 2e6 + grown, 2e6]));
const stake = (value: number) => page(points(TODAY - 1, value));
const limited = (headers: Record<string, string>) =>
  new Other({ body: GOOD[PAGE], headers: new Headers(headers) });

/** An assumption, a question, and replies to it: whether it then holds, and what was seen, as far as it is said. */
const BOUNDS: readonly [
  text: string,
  question: string,
  replies: readonly (readonly [unknown, boolean | null, seen?: string])[],
][] = [
  ["daily totals of an L1", FORMS[0]!, [
    [pairs(TODAY, Array(399).fill(1)), false, "all, on its own host: 399 days"],
    [
      null,
      false,
      "all, on its own host: no URL; all, on the API's host: 3 days",
    ],
    [{ error: "key" }, false, "all, on its own host: status 200; all"],
    [[], false, "all, on its own host: status 200; all"],
  ]],
  ["active addresses", ADDRESSES, [
    [pairs(TODAY, [1, 2, "211", 100]), false, "5.50 %, 0.00 %"],
    [pairs(TODAY, [1, 2]), false, "no day in both"],
    [null, null, "no URL"],
  ]],
  ["the chain list", CHAINS, [
    [{ chains: [{ ...C_CHAIN, evmChainId: 1 }] }, false, "1 chains"],
    [{ chains: [] }, false, "chains: "],
    [null, false, "the answer: "],
    [
      { chains: [{ ...C_CHAIN, evmChainId: "x" }] },
      false,
      "chains.0.evmChainId: ",
    ],
    [new Other({ status: 500, body: GOOD[CHAINS] }), false, "status 500"],
    [
      new Other({ status: 200, error: "no answer in time" }),
      false,
      "no answer in time",
    ],
  ]],
  ["a series is", PAGE, [
    [
      page([{ timestamp: DAY_SECONDS + 1, value: 1 }]),
      false,
      "results.0.timestamp: not the start of a UTC day",
    ],
    [page([...days(5, 1), ...days(5, 1)]), false, "results: not newest first"],
    [
      page([{ timestamp: TODAY * DAY_SECONDS * 1e3, value: 1 }]),
      false,
      "results.0.timestamp: not the start of a UTC day",
    ],
    [page([]), false, "results: "],
    [{ results: days(5, 2) }, true, "2 days"],
  ]],
  ["a page holds", PAGE, [
    [page(days(9_000, 2159)), true, "2159 days and no token"],
    [page(days(9_000, 2160)), false, "2160 days and no token"],
  ]],
  ["a page holds", OLDER, [
    [{}, false, "results: "],
  ]],
  ["a page holds", PAGE, [
    [new Other({ status: 404, body: GOOD[PAGE] }), null, "status 404"],
    [{}, null, OTHER],
  ]],
  ["the history", OLDER, [
    [since(TODAY - 2161, 1), false, "2020-12-21"],
  ]],
  ["the history", PAGE, [
    [page(days(TODAY - 1, 2249)), true, "2020-09-24"],
  ]],
  ["the newest day", PAGE, [
    [since(TODAY, 1), true, "2026-11-21, 0 days old"],
    [since(TODAY + 1, 1), false, "2026-11-22, -1 days old"],
    [since(TODAY - 3, 1), true, "2026-11-18, 3 days old"],
    [since(TODAY - 4, 1), false, "2026-11-17, 4 days old"],
  ]],
  ["startTimestamp", recent("txCount"), [
    [page(days(TODAY - 1, 3)), false, "3 of 4 days"],
    [page(days(TODAY - 1, 5)), false, "5 of 4 days"],
    [page(days(TODAY, 4)), false, "4 of 4 days"],
  ]],
  ["fees are", recent("feesPaid"), [
    [since(TODAY - 1, 0.11, 999_999), true],
    [since(TODAY - 1, 1, 0.1), false],
    [since(TODAY - 1, 1e6, 1), false, "1000000 on 2026-11-20"],
  ]],
  ["gas prices", recent("avgGasPrice"), [
    [since(TODAY - 1, 1e6), true],
    [since(TODAY - 1, 999_999), false],
    [since(TODAY - 1, 3e9), true],
    [since(TODAY - 1, 3e9 + 1), false],
  ]],
  ["gas prices", recent("maxGasPrice"), [
    [since(TODAY - 1, 1.9e9), false, "2000000000, at most 1900000000"],
  ]],
  ["a running total", recent("cumulativeTxCount"), [
    [total(872_640), true],
    [total(872_641), false, "+872641 where 864000 were counted"],
    [total(855_360), true],
    [total(855_359), false],
    [since(TODAY - 1, 9, 8), null, OTHER],
    [since(TODAY + 9, 9, 8, 7), null, "txCount lacks the day"],
  ]],
  ["avgTps", recent("avgTps"), [
    [since(TODAY - 1, 0, 10.5), true, "10.5, by count 10.00"],
    [since(TODAY - 1, 0, 10.51), false],
    [since(TODAY - 1, 0, 9.49), false],
    [since(TODAY - 1, 10), null, "avgTps has one day"],
  ]],
  ["an unknown chain", UNKNOWN, [
    [new Other({ status: 400 }), true, "status 400"],
    [new Other({ status: 200 }), false, "status 200"],
    [new Other({ status: 0 }), null, "no connection"],
  ]],
  ["stake is", STAKE, [
    [stake(1e16), false, "10000000 AVAX"],
    [stake(1e16 + 1e9), true, "10000001 AVAX"],
    [stake(1e16 + 16e8), true, "10000002 AVAX"],
    [stake(1e18), false, "1000000000 AVAX"],
    [stake(1e18 - 1e9), true, "999999999 AVAX"],
  ]],
  ["no header", PAGE, [
    [
      limited({ "X-A-Limit": "60", "X-B-LIMIT": "99", "Limit-C": "1" }),
      true,
      "x-a-limit: 60, x-b-limit: 99",
    ],
    [limited({ "X-A-Limit": "90", "X-B-Limit": "59" }), false],
    [limited({ "X-A-Limit": "none" }), true],
    [new Other({ error: "no connection" }), null, "no connection"],
  ]],
  ["daily transactions need", stats("dailytx"), [
    [rows("transactionCount", 0, 1, 1e9), true],
    [rows("transactionCount", 1, 1, 1e9 + 1), false],
    [rows("transactionCount", 1, 1), false],
    [rows("transactionCount", 1, 1, 1, 1), false],
    [{}, false, "the answer: not status, message and result"],
    [
      { status: "0", result: "Missing API Key" },
      false,
      "it refuses our access",
    ],
  ]],
  ["daily fees", stats("dailytxnfee"), [
    [rows("transactionFee_Eth", 0.1, 1, 1e6), true, "0.1 on 2026-11-12"],
    [rows("transactionFee_Eth", 1, 1, 0.099), false],
    [rows("transactionFee_Eth", 1, 1, 1e6 + 1), false],
  ]],
  ["daily block", stats("dailyblkcount"), [
    [rows("blockCount", 1, 2, 864_000), true],
    [rows("blockCount", 1, 2, 864_001), false],
    [rows("blockCount", 1, 2, 0), false],
  ]],
  ["daily transactions differ", stats("dailytx"), [
    [
      rows("transactionCount", 868_320, 864_000, 859_680),
      true,
      "0.50 %, 0.00 %, -0.50 %",
    ],
    [rows("transactionCount", 868_321, 864_000, 864_000), false],
    [rows("transactionCount", 864_000, 864_000, 859_679), false],
  ]],
  ["daily transactions differ", PAGE, [
    [since(TODAY - 7, 864_000, 864_000), false, "NaN %, 0.00 %, 0.00 %"],
  ]],
  ["daily transactions differ", stats("dailytx"), [
    [{}, null, OTHER],
  ]],
  ["a transaction list", records(TOKEN), [
    [listed(record(4), record(5)), false, "not newest first"],
    [listed(record(5)), true, "1 records"],
    [GOOD[records(UNUSED)], false],
  ]],
  ["an address without", records(UNUSED), [
    [listed({}), false, "1 records"],
  ]],
  ["the node serves", node(0, "eth_chainId"), [
    [result("0xa869"), false, "chain 43113"],
    [result("43114"), false, "the answer: not hexadecimal"],
    [
      { error: { message: "boom" }, result: "0xa86a" },
      false,
      "the answer: boom",
    ],
    [5, false, "the answer: neither a result nor an error"],
  ]],
  ["the newest block", LATEST, [
    [block(300), true, "block 1000000, 300 s old"],
    [block(301), false, "block 1000000, 301 s old"],
    [block(-300), true, "block 1000000, 300 s ahead of this clock"],
    [block(-301), false, "block 1000000, 301 s ahead of this clock"],
  ]],
  ["the node has old", FIRST_BLOCK, [
    [block(60), false, "2026-11-21T07:59:00.000Z"],
  ]],
  ["a batch", BATCH, [
    [Array(39).fill(result("0x5")), false, "39 answers"],
  ]],
  ["the code", CODE, [
    [result("0x"), false, "0 bytes"],
    [result("6001"), false, "the answer: "],
  ]],
  ["the token", DECIMALS, [
    [result("0x7"), false, "7"],
  ]],
  ["logs of", LATEST, [
    [{ error: { message: "boom" } }, null, OTHER],
    [new Other({ status: 0, error: "no connection" }), null, "no connection"],
  ]],
  ["two nodes", settled(1), [
    [block(60, "0x1234567890"), false, "0x12345678… and 0xabcdef01…"],
  ]],
  ["two nodes", settled(0), [
    [result(null), null, OTHER],
  ]],
  ["two nodes", settled(1), [
    [result(null), false, "the answer: "],
  ]],
  ["validators have", VALIDATORS, [
    [validators(), false, "validators: "],
  ]],
  ["the stake", VALIDATORS, [
    [validators(`${22e16}`), true, "10.0 %"],
    [validators(`${22e16}`, `${1e9}`), false, "10.0 %"],
    [validators(`${18e16}`), true, "-10.0 %"],
    [validators(`${18e16 - 1e9}`), false, "-10.0 %"],
  ]],
  ["the stake", STAKE, [
    [stake(5e16), false, "300.0 %"],
    [stake(2e8), null, "the stake that it needs has another unit"],
  ]],
];

Deno.test("assumptions: each holds up to its bounds and not beyond, and says what it needs", async () => {
  for (const [text, question, replies] of BOUNDS) {
    for (const [reply, holds, seen = ""] of replies) {
      const found = await examine(text, { [question]: reply });
      const row = `${text}: ${found}, ${JSON.stringify(reply).slice(0, 200)}`;
      assertEquals(found[0], holds, row);
      assertStringIncludes(found[1], seen, row);
    }
  }
});

Deno.test("assumptions: a full page leads to the day before its last one", async () => {
  const rows = [[2160, 6_840, true], [2160, 6_839, false], [
    2159,
    6_841,
    false,
  ]] as const;
  for (const [count, next, holds] of rows) {
    const found = await examine("a page holds", {
      [PAGE]: page(days(9_000, count), "older"),
      [OLDER]: since(next, 1),
    });
    assertEquals(found[0], holds, `${count} days, then ${next}`);
  }
});

Deno.test("assumptions: block 1 is known for the C-Chain only, ages are rounded, and agreement needs two nodes", async () => {
  const other = { [node(0, "eth_chainId")]: result("0x1") };
  assertEquals(await examine("the node serves", other, { chainId: 1 }), [
    true,
    "chain 1",
  ]);
  assertEquals(await examine("the node has old", {}, { chainId: 1 }), [
    null,
    "another chain",
  ]);
  assertEquals(await examine("two nodes", {}, { nodes: ["one"] }), [
    null,
    "one node is set",
  ]);
  const now = SUBJECT.now + 500;
  assertEquals(await examine("the newest block", {}, { now }), [
    true,
    "block 1000000, 3 s old",
  ]);
});
