/** Every parameter of an attack is priced by a script that performs it, or by a quoted price. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  type Parameter,
  PARAMETERS,
  type Strategy,
  strategyOf,
} from "../../../bench/attack/choices.ts";
import { NOW } from "../../../bench/attack/honest_life.ts";
import {
  type Conditions,
  costOf,
  graphOf,
  pastOf,
  profileOf,
} from "../../../bench/attack/strategy.ts";
import { CHOICES } from "../../../bench/attack/choices.ts";
import { AFTER } from "../../../bench/attack/targets.ts";
import { costToFake } from "../../../services/model/cost_to_fake.ts";
import { sharedMassOf } from "../../../services/model/follower_analysis.ts";
import { type OwnTx, useOf } from "../../../services/model/signals.ts";
import { COPY_PRICES, TABLES } from "../../../services/model/s4_2026_3.ts";
import { PRODUCTS } from "../../../services/payments/plans_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { give, NO_FLOWS } from "../../../services/profiles/donations_store.ts";
import { randomFrom } from "../../support/random.ts";

/** How each parameter is priced. */
const PRICED: Readonly<Record<"performed" | "sold" | "quoted", Parameter[]>> = {
  performed: ["wait", "days", "txsADay", "burn", "donated", "fleet", "ring"],
  sold: ["premium", "name"],
  quoted: [
    "x",
    "gitHub",
    "domain",
    "farcaster",
    "discord",
    "telegram",
    "email",
    "withdrawal",
    "bought",
  ],
};

const FARM: Conditions = { farm: 100, gasPrice: 1, wallets: "none" };
const NOTHING = strategyOf({});

/** What these parameters add to the cost of a wallet. */
function priceOf(
  values: Parameters<typeof strategyOf>[0],
  farm = FARM,
): number {
  return costOf(strategyOf(values), farm, AFTER) - costOf(NOTHING, farm, AFTER);
}

Deno.test("every parameter of an attack has a price of one kind", () => {
  const all = Object.values(PRICED).flat();
  assertEquals(all.toSorted(), PARAMETERS.toSorted());
});

Deno.test("sent transactions give the days and the cost that a strategy says", () => {
  const rows: [wait: number, days: number, txsADay: number, burn: number][] = [
    [7, 1, 1, 0],
    [365, 30, 3, 0.01],
    [1_095, 120, 12, 0.15],
  ];
  for (const [wait, days, txsADay, burn] of rows) {
    const strategy = strategyOf({ wait, days, txsADay, burn });
    const txs: OwnTx[] = [];
    let left = Math.round(burn / 1e-9);
    const send = (ago: number, count: number) => {
      for (let nth = 0; nth < count; nth++) {
        // What is burned beyond a transfer goes into the first transaction of a day.
        const burned = nth === 0 ? Math.min(left, TABLES.gas.mostADay) : 0;
        left -= burned;
        txs.push({
          at: NOW - ago * DAY_MS,
          to: `target${nth}`,
          gasUnits: TABLES.gas.transfer + burned,
          failed: false,
        });
      }
    };
    const newest = Math.max(days, Math.ceil(left / TABLES.gas.mostADay));
    for (let ago = 0; ago < newest; ago++) send(ago, ago < days ? txsADay : 1);
    for (let ago = newest + 30; ago < wait; ago += 30) send(ago, 1);
    send(wait, 1);
    assertEquals(left, 0);
    const { use } = pastOf(strategy, FARM, AFTER);
    const said = use.days.map(({ day, gasUnits, varied }) => ({
      day,
      gasUnits: Math.round(gasUnits),
      varied,
    }));
    assertEquals(useOf(txs).days, said);
    const units = txs.reduce((sum, { gasUnits }) => sum + gasUnits, 0);
    assertAlmostEquals(
      costOf(strategy, FARM, AFTER),
      units * 1e-9 * COPY_PRICES.avax,
      1e-9,
    );
  }
});

Deno.test("one sum of money is given by every wallet of a farm, and comes back: it costs two transfers each", () => {
  const sum = 1_000_000_000n;
  const balances = new Map([["wallet 0", sum]]);
  let transfers = 0;
  const move = (from: string, to: string) => {
    assertEquals(balances.get(from), sum);
    balances.delete(from);
    balances.set(to, sum);
    transfers++;
  };
  for (let nth = 0; nth < FARM.farm; nth++) {
    const at = NOW + nth * 4_000;
    const { counted } = give(NO_FLOWS, { at, to: "sink", amount: sum });
    assertEquals(counted, sum);
    move(`wallet ${nth}`, "sink");
    // An ordinary transfer, which the service does not see.
    move("sink", `wallet ${nth + 1}`);
  }
  assertEquals(balances, new Map([[`wallet ${FARM.farm}`, sum]]));
  const gasOfTransfer = 65_000;
  const usd = transfers * gasOfTransfer * 1e-9 * COPY_PRICES.avax / FARM.farm;
  assertAlmostEquals(priceOf({ donated: 1_000 }), usd, 1e-9);
});

Deno.test("followers that are made give no more than a strategy says", () => {
  const full = { claimed: true, hasHistory: true, gasAvax: 0.05 };
  const fleet = 50;
  const ofFleet = graphOf(strategyOf({ fleet }), FARM, 0).sharedPaidMass;
  const made = fleet * sharedMassOf(full, FARM.farm);
  assert(made > ofFleet / 2 && made <= ofFleet, `${made} of ${ofFleet}`);
  const units = fleet * COPY_PRICES.followerGas;
  assertAlmostEquals(
    priceOf({ fleet }),
    units * 1e-9 * COPY_PRICES.avax / FARM.farm,
    1e-9,
  );
  // Each member follows half of the others, with a part of a full standing.
  const standing = 0.4;
  const member = { ...full, gasAvax: 0.05 * standing };
  const members = Math.floor((FARM.farm - 1) / 2);
  const ofRing = graphOf(strategyOf({ ring: 1 }), FARM, standing);
  const inRing = members * sharedMassOf(member, members);
  assert(
    inRing > ofRing.sharedPaidMass / 2 && inRing <= ofRing.sharedPaidMass,
    `${inRing} of ${ofRing.sharedPaidMass}`,
  );
  assertEquals(priceOf({ ring: 1 }), 0);
});

Deno.test("what the service sells costs its price", () => {
  const usd = (amount: bigint) => Number(amount) / 1e6;
  assertEquals(priceOf({ premium: 1 }), usd(PRODUCTS.premium.price));
  assertEquals(priceOf({ name: 1 }), usd(PRODUCTS.slug.price));
});

Deno.test("the cost to fake of a wallet is never above what the script paid that made it", () => {
  const random = randomFrom(1);
  let exact = 0;
  for (let nth = 0; nth < 2_000; nth++) {
    const strategy = Object.fromEntries(
      PARAMETERS.map((name) => {
        const choices = name === "bought" ? 1 : CHOICES[name].length;
        return [name, Math.floor(choices * random())];
      }),
    ) as Strategy;
    const past = pastOf(strategy, FARM, AFTER);
    const { usd } = costToFake(
      {
        chain: past,
        profile: profileOf(strategy),
        graph: graphOf(strategy, FARM, AFTER.standingOf(past)),
      },
      NOW,
      FARM.farm,
    );
    const paid = costOf(strategy, FARM, AFTER);
    assert(
      usd <= paid + 0.01,
      `${usd} of ${paid}: ${JSON.stringify(strategy)}`,
    );
    if (usd > 0.5 * paid) exact++;
  }
  // It is a price, not a formality: most wallets can't be had for half.
  assert(exact > 1_000, `${exact}`);
});
