/** A simulated population of honest wallets: low and high spenders of both fee eras. */
import type { SocialKind } from "../../services/model/score_terms_schema.ts";
import { randomFrom } from "../../tests/support/random.ts";
import type { Phase } from "./honest_life.ts";
import { type Honest, type Life, signalsOf } from "./personas.ts";

/** Wallets of the population. */
const POPULATION = 3_000;

/** How likely an owner links an account: one with a profile, and a committed one. */
const LINK_CHANCE: Readonly<Record<SocialKind, readonly [number, number]>> = {
  x: [0.5, 0.9],
  github: [0.2, 0.7],
  farcaster: [0.1, 0.5],
  domain: [0.08, 0.6],
  discord: [0.3, 0.6],
  telegram: [0.2, 0.4],
  email: [0.5, 0.8],
};

/** Share of wallets whose owner is committed: builds, governs, or spends much. */
const COMMITTED = 0.16;

/** Returns the signals of the population; the same ones for the same seed. */
export function population(count = POPULATION, seed = 2026): Honest[] {
  return Array.from({ length: count }, (_, nth) => {
    const random = randomFrom(seed * 100_000 + nth);
    return signalsOf(lifeOf(random), random);
  });
}

function lifeOf(random: () => number): Life {
  const isCommitted = random() < COMMITTED;
  const age = Math.ceil(
    isCommitted ? 200 + 1_600 * random() : 10 + 1_790 * random() ** 1.4,
  );
  // How much it uses the chain, from a few times a year to daily.
  const zeal = (isCommitted ? 2 : 0.3) * lognormal(random, 0.9);
  const phases = [phaseOf(random, age, zeal)];
  // One in three stopped at some time.
  if (!isCommitted && random() < 0.33) {
    phases[0] = { ...phases[0]!, until: Math.floor(age * random()) };
  }
  if (random() > (isCommitted ? 0.7 : 0.2)) return { phases };
  const years = (isCommitted ? 10 : 6) * random();
  const standing = (isCommitted ? 6 : 0.5) * lognormal(random, 1.2);
  const followers = Math.round(10 * standing);
  const mass = followers * (0.2 + 0.6 * random());
  const linked = Object.fromEntries(
    (Object.entries(LINK_CHANCE) as [SocialKind, [number, number]][])
      .filter(([, chances]) => random() < chances[Number(isCommitted)]!)
      .map(([kind]) => [kind, Math.ceil(30 + 600 * random())]),
  );
  const isMember = random() < (isCommitted ? 0.5 : 0.05);
  const donates = random() < (isCommitted ? 0.35 : 0.05);
  return {
    phases,
    socials: linked,
    gitHub: {
      years,
      work: Math.round((isCommitted ? 40 : 5) * lognormal(random, 1.2)),
    },
    followers: [followers, mass, mass * (0.2 + 0.3 * random())],
    profile: {
      premiumMonths: isMember ? Math.ceil(14 * random()) : 0,
      paidSlug: random() < (isMember ? 0.6 : 0.05),
      donatedUsdc: donates ? Math.round(60 * lognormal(random, 1.3)) : 0,
    },
  };
}

function phaseOf(random: () => number, from: number, zeal: number): Phase {
  const daysAWeek = Math.min(6, 0.8 * zeal);
  const start = Math.floor(10 * random());
  return {
    from,
    daysAWeek,
    txsADay: Math.min(6, 0.7 + zeal * random()),
    gas: 40_000 + 220_000 * random() ** 1.5,
    targets: Math.ceil(2 + 20 * zeal * random()),
    methods: Math.ceil(2 + 8 * random()),
    hours: [start, start + 8 + Math.floor(7 * random())],
    hurry: 0.6 + 2 * random() ** 3,
  };
}

/** Returns a lognormal number with median 1. */
function lognormal(random: () => number, sigma: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return Math.exp(sigma * radius * Math.cos(2 * Math.PI * random()));
}
