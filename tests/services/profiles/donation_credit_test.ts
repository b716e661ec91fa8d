/** The counted part of donations. */
import { serialize } from "node:v8";
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  type DonationFlows,
  give,
  MAX_REMEMBERED,
  NO_FLOWS,
  receive,
} from "../../../services/profiles/donation_credit.ts";
import { fc } from "../../support/properties.ts";

/** A donation: day, dollars, giver and receiver. */
type Gift = readonly [day: number, usdc: number, from: string, to: string];

/** Counts donations in recording order; returns what counts for each wallet. */
function countAll(gifts: readonly Gift[]): Record<string, number> {
  const flows = new Map<string, DonationFlows>();
  const counted: Record<string, number> = {};
  const put = (wallet: string, credit: ReturnType<typeof give>) => {
    flows.set(wallet, credit.flows);
    counted[wallet] = (counted[wallet] ?? 0) + Number(credit.counted);
  };
  for (const [day, usdc, from, to] of gifts) {
    const moved = { at: day * DAY_MS, amount: BigInt(usdc) };
    put(from, give(flows.get(from) ?? NO_FLOWS, { ...moved, to }));
    put(to, receive(flows.get(to) ?? NO_FLOWS, moved));
  }
  return counted;
}

Deno.test("give() and receive() count what a wallet gave and did not get back within 30 days", async (t) => {
  const cases: [name: string, gifts: Gift[], counted: object][] = [
    ["one donation", [[0, 100, "A", "B"]], { A: 100, B: 0 }],
    ["there and back", [[0, 9, "A", "B"], [1, 9, "B", "A"]], { A: 0, B: 0 }],
    [
      "to and fro",
      [[0, 5, "A", "B"], [1, 5, "B", "A"], [2, 5, "A", "B"]],
      { A: 5, B: 0 },
    ],
    ["more back", [[0, 10, "A", "B"], [1, 15, "B", "A"]], { A: 0, B: 5 }],
    ["less back", [[0, 10, "A", "B"], [1, 6, "B", "A"]], { A: 4, B: 0 }],
    [
      "in a ring",
      [[0, 9, "A", "B"], [1, 9, "B", "C"], [2, 9, "C", "A"]],
      { A: 0, B: 0, C: 0 },
    ],
    [
      "in a ring, recorded backwards",
      [[2, 9, "C", "A"], [1, 9, "B", "C"], [0, 9, "A", "B"]],
      { A: 0, B: 0, C: 0 },
    ],
    [
      "in parts to one",
      [[0, 10, "A", "B"], [1, 10, "A", "B"], [2, 25, "A", "B"]],
      { A: 25, B: 0 },
    ],
    [
      "to several",
      [[0, 10, "A", "B"], [1, 10, "A", "C"]],
      { A: 20, B: 0, C: 0 },
    ],
    ["a month apart", [[0, 9, "A", "B"], [30, 9, "A", "B"]], { A: 18, B: 0 }],
    ["back later", [[0, 9, "A", "B"], [30, 9, "B", "A"]], { A: 9, B: 9 }],
    [
      "one receipt is deducted once",
      [[0, 9, "C", "A"], [1, 9, "A", "B"], [2, 9, "A", "D"]],
      { A: 9, B: 0, C: 9, D: 0 },
    ],
    ["nothing", [[0, 0, "A", "B"]], { A: 0, B: 0 }],
  ];
  for (const [name, gifts, counted] of cases) {
    await t.step(name, () => assertEquals(countAll(gifts), counted));
  }
});

Deno.test("within 30 days no wallet counts more than its net outflow, in any order", () => {
  const wallet = fc.constantFrom("A", "B", "C", "D", "E");
  const gift = fc.tuple(
    fc.double({ min: 0, max: 29, noNaN: true }),
    fc.nat(1000),
    wallet,
    wallet,
  ).filter(([, , from, to]) => from !== to);
  fc.assert(fc.property(fc.array(gift, { maxLength: 40 }), (gifts) => {
    const net = (wallet: string) =>
      gifts.reduce(
        (sum, [, usdc, from, to]) =>
          sum + (from === wallet ? usdc : 0) - (to === wallet ? usdc : 0),
        0,
      );
    for (const [wallet, counted] of Object.entries(countAll(gifts))) {
      assert(counted >= 0);
      assert(counted <= Math.max(0, net(wallet)), wallet);
    }
  }));
});

Deno.test("more donations in a month than are remembered count for nothing", () => {
  let flows = NO_FLOWS;
  for (let nth = 0; nth < MAX_REMEMBERED; nth++) {
    flows = give(flows, { at: 0, to: `${nth}`, amount: 1n }).flows;
  }
  const more = give(flows, { at: 1, to: "more", amount: 1n });
  assertEquals([more.counted, more.flows], [0n, flows]);
  const later = give(flows, { at: 30 * DAY_MS, to: "more", amount: 1n });
  assertEquals(later.counted, 1n);
  assertEquals(later.flows.given.length, MAX_REMEMBERED);
});

Deno.test("the flows of a wallet with as many donations as are remembered fit into a record of 64 KiB", () => {
  const amount = 2n ** 63n - 1n;
  const at = Date.parse("2026-11-21T08:00:00Z");
  const received = Array.from(
    { length: MAX_REMEMBERED },
    () => ({ at, amount }),
  );
  const given = received.map((one) => ({ ...one, to: `0x${"aa".repeat(20)}` }));
  const bytes = serialize({ given, received }).byteLength;
  assert(bytes < 64 * 1024, `${bytes} bytes`);
});

Deno.test("a donation that a full list cannot remember counts for nothing, however old it is", () => {
  let flows = NO_FLOWS;
  for (let nth = 0; nth < MAX_REMEMBERED; nth++) {
    flows = give(flows, { at: 60 * DAY_MS, to: `${nth}`, amount: 1n }).flows;
  }
  const old = give(flows, { at: 0, to: "old", amount: 1n });
  assertEquals([old.counted, old.flows], [0n, flows]);
});

const USDC = 1_000_000n;
const given = (day: number, usdc: bigint, to = "B") => ({
  at: day * DAY_MS,
  amount: usdc * USDC,
  to,
});

Deno.test("give() and receive() keep one entry a day, and net donations that are less than 30 days apart", () => {
  const first = give(NO_FLOWS, given(0, 5n));
  assertEquals(first, {
    counted: 5n * USDC,
    flows: { ...NO_FLOWS, given: [given(0, 5n)] },
  });
  const more = give(first.flows, given(0.5, 7n));
  assertEquals(more.counted, 2n * USDC, "only more than the same receiver got");
  assertEquals(more.flows.given, [given(0.5, 7n)], "one entry a day");
  assertEquals(give(first.flows, given(0.5, 5n)).flows.given, [given(0, 5n)]);
  const other = give(first.flows, given(0.5, 7n, "C"));
  assertEquals(other.counted, 7n * USDC);
  assertEquals(other.flows.given.length, 2);
  const last = 30 - 1 / DAY_MS;
  assertEquals(give(first.flows, given(last, 5n)).counted, 0n);
  assertEquals(give(first.flows, given(30, 5n)).counted, 5n * USDC);
  assertEquals(give(first.flows, given(-30, 5n)).counted, 5n * USDC);
  assertEquals(give(first.flows, given(-last, 5n)).counted, 0n);

  const back = receive(first.flows, { at: DAY_MS, amount: 2n * USDC });
  assertEquals(back.counted, -2n * USDC);
  assertEquals(back.flows.given, [given(0, 3n)]);
  assertEquals(back.flows.received, []);
  const all = receive(first.flows, { at: DAY_MS, amount: 9n * USDC });
  assertEquals(all.flows.given, []);
  assertEquals(all.flows.received, [{ at: DAY_MS, amount: 4n * USDC }]);
  const taken = give(all.flows, given(2, 3n));
  assertEquals([taken.counted, taken.flows.given], [0n, []]);
  const again = receive(all.flows, { at: 1.5 * DAY_MS, amount: USDC });
  assertEquals(again.flows.received, [{ at: 1.5 * DAY_MS, amount: 5n * USDC }]);
  const earlier = receive(all.flows, { at: 0, amount: USDC });
  assertEquals(earlier.flows.received.map(({ at }) => at), [0, DAY_MS]);
});
