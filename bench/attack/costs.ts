/** The cost table: the cheapest wallet of each tier, by size of the farm and gas price. */
import type { TierId } from "../../services/model/score_terms_schema.ts";
import { type Attack, attackerOf } from "./search.ts";
import { type Conditions } from "./strategy.ts";
import { PARAMETERS, type Strategy, strategyOf, valueOf } from "./choices.ts";
import type { Target } from "./targets.ts";

/** The tiers with a price. */
export const PRICED_TIERS = [
  "rising",
  "established",
  "elite",
  "legendary",
] as const satisfies readonly TierId[];

/** Sizes of farms. */
const FARMS = [1, 10, 100, 1_000] as const;

/** Gas prices in nAVAX. */
export const GAS_PRICES = [1, 25] as const;

/** A row of the table: cost of one wallet in US dollars, and the days it takes. */
export interface CostRow {
  readonly gasPrice: number;
  readonly farm: number;
  readonly tier: string;
  /** Null if no strategy reaches the tier. */
  readonly usd: number | null;
  readonly days: number | null;
  readonly strategy: string;
}

const NOTHING = strategyOf({});

/** A strategy of each kind that was seen: a start of every search. */
const KNOWN: readonly Strategy[] = [
  // A bot that sends four transactions a day.
  strategyOf({ wait: 180, days: 180, txsADay: 4, gitHub: 1, domain: 1 }),
  // A bought identity beside some gas.
  strategyOf({
    wait: 1_095,
    days: 180,
    txsADay: 3,
    burn: 0.15,
    x: 1,
    gitHub: 2,
    domain: 1,
    ring: 1,
  }),
  // A dormant wallet of somebody else, used again.
  strategyOf({ wait: 60, days: 60, txsADay: 3, x: 1, domain: 1, bought: 2 }),
  // All that money buys.
  strategyOf({
    wait: 1_095,
    days: 365,
    txsADay: 9,
    burn: 4,
    x: 1,
    gitHub: 4,
    domain: 1,
    farcaster: 1,
    discord: 1,
    telegram: 1,
    email: 1,
    premium: 12,
    name: 1,
    donated: 250,
    fleet: 10_000,
    ring: 1,
  }),
];

/** Finds the cheapest wallet for each composite, in rising order. */
export function cheapestFor(
  target: Target,
  conditions: Conditions,
  composites: readonly number[],
): (Attack | null)[] {
  const attacker = attackerOf(target, conditions);
  const found: (Attack | null)[] = [];
  for (const [nth, least] of composites.entries()) {
    const before = found.at(-1)?.strategy ?? NOTHING;
    const starts = [before, ...KNOWN]
      .filter(({ bought }) => bought === 0 || conditions.wallets !== "none");
    found.push(attacker.cheapest(least, { seed: nth + 1, starts }));
  }
  // What reaches a higher score reaches a lower one, too.
  for (let nth = found.length - 2; nth >= 0; nth--) {
    const [lower, higher] = [found[nth], found[nth + 1]];
    if (higher && (!lower || higher.usd < lower.usd)) found[nth] = higher;
  }
  return found;
}

/** Computes the cost table of a model. */
export function costTable(
  target: Target,
  { farms = FARMS, gasPrices = GAS_PRICES, wallets = "none" }: {
    readonly farms?: readonly number[];
    readonly gasPrices?: readonly number[];
    readonly wallets?: Conditions["wallets"];
  } = {},
): CostRow[] {
  // The headline is the rounded composite.
  const composites = PRICED_TIERS.map((tier) => target.floors[tier] - 0.5);
  return gasPrices.flatMap((gasPrice) =>
    farms.flatMap((farm) => {
      const found = cheapestFor(
        target,
        { farm, gasPrice, wallets },
        composites,
      );
      return PRICED_TIERS.map((tier, nth) => ({
        gasPrice,
        farm,
        tier,
        ...describe(found[nth] ?? null),
      }));
    })
  );
}

function describe(
  attack: Attack | null,
): Pick<CostRow, "usd" | "days" | "strategy"> {
  if (attack === null) return { usd: null, days: null, strategy: "" };
  const { strategy, usd } = attack;
  return {
    usd: Math.round(usd * 100) / 100,
    days: valueOf(strategy, "wait"),
    strategy: PARAMETERS.filter((name) => valueOf(strategy, name) > 0)
      .map((name) => `${name} ${valueOf(strategy, name)}`).join(", "),
  };
}
