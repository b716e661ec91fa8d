/** The parts of the measures of both models. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { analyzeFollowers } from "../../../services/model/follower_analysis.ts";
import { S4_2026_1 } from "../../../services/model/s4_2026_1.ts";
import { S4_2026_2 } from "../../../services/model/s4_2026_2.ts";
import {
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "../../../services/model/signals.ts";
import { behaviorOf, ledShare } from "../../../services/model/behavior.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { fc } from "../../support/properties.ts";
import { chainOf, lives, NOW } from "../../support/scores/random_signals.ts";

const SOCIALS = [
  { kind: "x", verifiedAt: NOW - 400 * DAY_MS },
  { kind: "email", verifiedAt: NOW - 400 * DAY_MS },
] as const;

const RICH: ProfileSignals = {
  ...NO_PROFILE,
  claimed: true,
  socials: SOCIALS,
  premiumMonths: 1e9,
  paidSlug: true,
  donatedUsdc: 1e12,
};

for (const model of [S4_2026_1, S4_2026_2]) {
  const measure = (
    chain: ReturnType<typeof chainOf>,
    profile: ProfileSignals,
    now = NOW,
  ) => {
    const followers = analyzeFollowers(NO_GRAPH, profile);
    const own = { profile, graph: NO_GRAPH };
    return model.summarize(chain, now).measure(own, followers);
  };

  Deno.test(`${model.id}: a part of humanity is what would be lost without it`, () => {
    fc.assert(
      fc.property(lives, (own) => {
        const chain = chainOf(own);
        const { humanity } = measure(chain, RICH);
        const withoutSocials = measure(chain, NO_PROFILE).humanity.all;
        const withoutAge = measure(chainOf([]), RICH).humanity.all;
        assertAlmostEquals(
          humanity.socials,
          humanity.all - withoutSocials,
          1e-9,
        );
        assertAlmostEquals(humanity.age, humanity.all - withoutAge, 1e-9);
      }),
      { numRuns: 50 },
    );
  });

  Deno.test(`${model.id}: each part of economic is bounded, and all of them give 100 points`, () => {
    const spent = chainOf(Array.from({ length: 900 }, (_, nth) => ({
      at: NOW - nth * DAY_MS / 2,
      to: `${nth}`,
      method: `${nth}`,
      paidAvax: 1e6,
      movesValue: true,
      failed: false,
    })));
    const { economic } = measure(spent, RICH);
    const { gas, premium, slug, donations, all } = economic;
    assertAlmostEquals(all, 100, 1e-9);
    assertAlmostEquals(gas + premium + slug + donations, 100, 1e-9);
    assert(gas > premium && premium > 0 && slug > 0 && donations > 0);
    const poor = measure(chainOf([]), NO_PROFILE).economic;
    assertEquals(poor, { gas: 0, premium: 0, slug: 0, donations: 0, all: 0 });
  });
}

Deno.test("ledShare() is the share of uses that another address had on the day or before", () => {
  const use = (from: number, days: number[]) =>
    behaviorOf(days.map((day, nth) => ({
      at: (from + day) * DAY_MS,
      to: `to ${nth}`,
      method: `method ${nth}`,
    })));
  const window = 20_000 - 20_000 % 28;
  const uses = Array.from({ length: 40 }, () => 5);
  const own = use(window, uses);
  assertEquals(ledShare(own, own), 1);
  assertEquals(ledShare(own, use(window, uses.map(() => 4))), 1);
  assertEquals(ledShare(own, use(window, uses.map(() => 6))), 0);
  assertEquals(ledShare(own, use(window, [5])), null, "too few to compare");
});
