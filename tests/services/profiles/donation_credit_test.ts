/** The counted part of donations. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  countDonation,
  type CountedDonation,
} from "../../../services/profiles/donation_credit.ts";

/** A donation between two profiles: day, dollars and giver. */
type Gift = readonly [day: number, usdc: number, giver: "A" | "B"];

/** Counts donations in recording order. */
function countAll(gifts: readonly Gift[]) {
  const counted: CountedDonation[] = [];
  const total = { A: 0n, B: 0n };
  for (const [day, usdc, giver] of gifts) {
    const at = day * DAY_MS;
    const amount = countDonation({ at, amount: BigInt(usdc) }, counted);
    if (amount > 0n) counted.push({ at, amount });
    total[giver] += amount;
  }
  return { counted, A: Number(total.A), B: Number(total.B) };
}

Deno.test("countDonation() counts money between two profiles once in 30 days", async (t) => {
  const cases: [name: string, gifts: Gift[], A: number, B: number][] = [
    ["one donation", [[0, 100, "A"]], 100, 0],
    ["there and back", [[0, 100, "A"], [1, 100, "B"]], 100, 0],
    [
      "to and fro all month",
      [[0, 50, "A"], [1, 50, "B"], [2, 50, "A"], [29, 50, "B"]],
      50,
      0,
    ],
    ["more comes back", [[0, 100, "A"], [1, 150, "B"]], 100, 50],
    ["less comes back", [[0, 100, "A"], [1, 60, "B"]], 100, 0],
    ["cut in parts", [[0, 10, "A"], [1, 10, "A"], [2, 10, "A"]], 10, 0],
    ["a larger one later", [[0, 10, "A"], [9, 25, "A"]], 25, 0],
    ["a month apart", [[0, 100, "A"], [30, 100, "A"]], 200, 0],
    ["back a month later", [[0, 100, "A"], [30, 100, "B"]], 100, 100],
    [
      "just within a month",
      [[0, 100, "A"], [29.999, 100, "B"]],
      100,
      0,
    ],
    [
      "every ten days",
      [[0, 9, "A"], [10, 9, "A"], [20, 9, "A"], [30, 9, "A"], [40, 9, "A"]],
      18,
      0,
    ],
    ["recorded late", [[20, 100, "A"], [0, 100, "B"]], 100, 0],
    ["nothing", [[0, 0, "A"]], 0, 0],
  ];
  for (const [name, gifts, a, b] of cases) {
    await t.step(name, () => {
      const { A, B } = countAll(gifts);
      assertEquals([A, B], [a, b]);
    });
  }
});

Deno.test("30 days never count more than their largest donation, in any order and direction", () => {
  const gift = fc.tuple(
    fc.double({ min: 0, max: 200, noNaN: true }),
    fc.nat(1000),
    fc.constantFrom("A" as const, "B" as const),
  );
  fc.assert(fc.property(fc.array(gift, { maxLength: 40 }), (gifts) => {
    const { counted } = countAll(gifts);
    for (const { at: start } of counted) {
      const isWithin = ({ at }: { at: number }) =>
        at >= start && at - start < 30 * DAY_MS;
      const sum = counted.filter(isWithin)
        .reduce((sum, { amount }) => sum + Number(amount), 0);
      const given = gifts
        .map(([day, usdc]) => ({ at: day * DAY_MS, usdc })).filter(isWithin);
      assert(sum <= Math.max(...given.map(({ usdc }) => usdc)), String(sum));
    }
  }));
});
