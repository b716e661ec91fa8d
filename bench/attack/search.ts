/** Searches for the cheapest strategy that reaches a score: seeded simulated annealing, then descent. */
import { randomFrom } from "../../tests/support/random.ts";
import { NOW } from "./honest_life.ts";
import {
  chainKeyOf,
  type Conditions,
  costOf,
  graphOf,
  pastOf,
  profileOf,
} from "./strategy.ts";
import type { Target } from "./targets.ts";
import {
  CHOICES,
  type Parameter,
  PARAMETERS,
  type Strategy,
} from "./choices.ts";

/** A found attack: cost of one wallet in US dollars, and its composite. */
export interface Attack {
  readonly strategy: Strategy;
  readonly usd: number;
  readonly composite: number;
}

/** Steps of a search. */
const STEPS = 2_500;

/** Dollars that a missing point costs in the search, at the start. */
const HOTTEST = 2;

/** Creates the search for attacks on a model. */
export function attackerOf(target: Target, conditions: Conditions) {
  const summaries = new Map<
    string,
    { standing: number; composite: ReturnType<Target["summarize"]> }
  >();

  /** Returns the composite of a wallet with this strategy. */
  function compositeOf(strategy: Strategy): number {
    const key = chainKeyOf(strategy);
    let found = summaries.get(key);
    if (found === undefined) {
      const past = pastOf(strategy, conditions, target);
      found = {
        standing: target.standingOf(past),
        composite: target.summarize(past, NOW),
      };
      summaries.set(key, found);
    }
    return found.composite({
      profile: profileOf(strategy),
      graph: graphOf(strategy, conditions, found.standing),
    });
  }

  function attack(strategy: Strategy): Attack {
    return {
      strategy,
      usd: costOf(strategy, conditions, target),
      composite: compositeOf(strategy),
    };
  }

  /** Finds the cheapest attack that reaches a composite; null if none was found. */
  function cheapest(
    least: number,
    { seed, starts }: { seed: number; starts: readonly Strategy[] },
  ): Attack | null {
    const random = randomFrom(seed);
    let best: Attack | null = null;
    const note = (found: Attack) => {
      if (found.composite < least) return;
      if (best === null || found.usd < best.usd) best = found;
    };
    for (const start of starts) {
      let current = attack(start);
      note(current);
      for (let step = 0; step < STEPS; step++) {
        const heat = HOTTEST * (1 - step / STEPS) ** 2;
        const next = attack(neighbour(current.strategy, random, conditions));
        note(next);
        const change = lossOf(next, least) - lossOf(current, least);
        if (change <= 0 || random() < Math.exp(-change / (heat + 1e-9))) {
          current = next;
        }
      }
    }
    return best === null ? null : descend(best, least);
  }

  /** Improves an attack by single and double changes until none helps. */
  function descend(from: Attack, least: number): Attack {
    let best = from;
    for (let improved = true; improved;) {
      improved = false;
      for (const next of changesOf(best.strategy, conditions)) {
        if (costOf(next, conditions, target) >= best.usd) continue;
        const found = attack(next);
        if (found.composite < least) continue;
        best = found;
        improved = true;
      }
    }
    return best;
  }

  return { attack, cheapest };
}

/** Relative cost, plus a penalty for missing points. */
function lossOf({ usd, composite }: Attack, least: number): number {
  return 4 * Math.log(usd + 0.01) + 0.8 * Math.max(0, least - composite);
}

function neighbour(
  strategy: Strategy,
  random: () => number,
  { wallets }: Conditions,
): Strategy {
  const next: Record<Parameter, number> = { ...strategy };
  const changes = random() < 0.5 ? 1 : 2;
  for (let nth = 0; nth < changes; nth++) {
    const parameter = PARAMETERS[Math.floor(random() * PARAMETERS.length)]!;
    const most = CHOICES[parameter].length - 1;
    const step = random() < 0.7
      ? (random() < 0.5 ? -1 : 1)
      : Math.floor(random() * (most + 1)) - next[parameter];
    next[parameter] = Math.min(most, Math.max(0, next[parameter] + step));
  }
  if (wallets === "none") next.bought = 0;
  return next;
}

function* changesOf(
  strategy: Strategy,
  { wallets }: Conditions,
): Generator<Strategy> {
  for (const parameter of PARAMETERS) {
    if (parameter === "bought" && wallets === "none") continue;
    for (let choice = 0; choice < CHOICES[parameter].length; choice++) {
      const changed = { ...strategy, [parameter]: choice };
      yield changed;
      if (choice >= strategy[parameter]) continue;
      for (const other of PARAMETERS) {
        const raised = strategy[other] + 1;
        if (other === parameter || raised >= CHOICES[other].length) continue;
        if (other === "bought" && wallets === "none") continue;
        yield { ...changed, [other]: raised };
      }
    }
  }
}
