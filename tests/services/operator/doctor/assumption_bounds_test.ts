/** Each assumption about the sources: where it stops to hold. */
import { assertEquals } from "@std/assert";
import {
  ADDRESSES,
  BATCH,
  block,
  days,
  examine,
  LATEST,
  listed,
  node,
  OLDER,
  PAGE,
  page,
  pairs,
  points,
  recent,
  record,
  records,
  result,
  TODAY,
  TOKEN,
} from "../../../support/doctor/exact_sources.ts";
import { SUBJECT } from "../../../support/doctor/simulated_sources.ts";

/** The points of a day and of the days before, with one value for each. */
const since = (newest: number, ...values: number[]) =>
  page(points(newest, values));

Deno.test("assumptions: another unit, order or number, an error, a future day and a lacking one do not hold", async () => {
  const rows: [text: string, question: string, reply: unknown][] = [
    ["fees are", recent("feesPaid"), since(TODAY - 1, 1e18)],
    ["gas prices", recent("maxGasPrice"), since(TODAY - 1, 1.9e9)],
    ["the newest block", LATEST, block(-301)],
    ["the newest day", PAGE, since(TODAY + 1, 1)],
    ["active addresses", ADDRESSES, pairs(TODAY, [1, 2])],
    ["a batch", BATCH, Array(39).fill(result("0x5"))],
    ["the node serves", node(0, "eth_chainId"), {
      ...{ error: { message: "boom" }, result: "0xa86a" },
    }],
    ["a transaction list", records(TOKEN), listed(record(4), record(5))],
    ["daily transactions differ", PAGE, since(TODAY - 7, 864_000, 864_000)],
  ];
  for (const [text, question, reply] of rows) {
    assertEquals((await examine(text, { [question]: reply }))[0], false, text);
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
