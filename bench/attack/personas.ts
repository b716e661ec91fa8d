/** Kinds of honest wallets. */
import { DAY_MS } from "../../services/platform/days.ts";
import type { SocialKind } from "../../services/model/score_terms_schema.ts";
import {
  type GraphSignals,
  NO_GRAPH,
  NO_PROFILE,
  type ProfileSignals,
} from "../../services/model/signals.ts";
import { randomFrom } from "../../tests/support/random.ts";
import { NOW, pastOf, type Phase } from "./honest_life.ts";
import type { Past } from "./targets.ts";

/** A short description of a wallet. */
export interface Life {
  readonly phases: readonly Phase[];
  /** Linked accounts, with the days since the link. */
  readonly socials?: Readonly<Partial<Record<SocialKind, number>>>;
  /** Age in years and public repositories plus followers of the GitHub account. */
  readonly gitHub?: { readonly years: number; readonly work: number };
  readonly profile?: Partial<ProfileSignals>;
  /** Followers: their number, their mass, and the mass divided among those they follow. */
  readonly followers?: readonly [count: number, mass: number, shared: number];
}

/** The signals of an honest wallet. */
export interface Honest {
  readonly past: Past;
  readonly profile: ProfileSignals;
  readonly graph: GraphSignals;
}

/** Returns the signals of a life. */
export function signalsOf(life: Life, random: () => number): Honest {
  const { socials = {}, gitHub, profile, followers } = life;
  const kinds = Object.entries(socials) as [SocialKind, number][];
  const hasProfile = kinds.length > 0 || profile !== undefined;
  const [count, mass, shared] = followers ?? [0, 0, 0];
  const graph: GraphSignals = {
    ...NO_GRAPH,
    analyzed: count > 0,
    followers: count,
    paidMass: mass,
    sharedPaidMass: shared,
    mutual: Math.floor(count / 5),
    mutualPaidMass: mass / 5,
    burst: Math.ceil(count / 12),
    burstPaidMass: mass / 12,
  };
  return {
    past: pastOf(life.phases, random),
    profile: {
      ...NO_PROFILE,
      claimed: hasProfile,
      socials: kinds.map(([kind, days]) => ({
        kind,
        verifiedAt: NOW - days * DAY_MS,
        account: kind === "github" && gitHub
          ? {
            createdAt: NOW - gitHub.years * 365 * DAY_MS,
            publicWork: gitHub.work,
          }
          : null,
      })),
      ...profile,
    },
    graph,
  };
}

const SWAPS = { gas: 180_000, targets: 40, methods: 15 };
const MINTS = { gas: 140_000, targets: 30, methods: 8 };
const BUILDS = { gas: 320_000, targets: 25, methods: 14 };
const PAYS = { gas: 30_000, targets: 12, methods: 3 };
const PLAYS = { gas: 60_000, targets: 2, methods: 5 };

/** The kinds, by name. */
const PERSONAS: Readonly<Record<string, Life>> = {
  "daily DeFi user": {
    phases: [{ from: 1_280, daysAWeek: 4, txsADay: 4, ...SWAPS }],
  },
  "builder with GitHub and domain": {
    phases: [{ from: 900, daysAWeek: 3, txsADay: 2, ...BUILDS }],
    socials: { github: 400, domain: 380 },
    gitHub: { years: 7, work: 90 },
    followers: [18, 7, 2],
  },
  "collector": {
    phases: [{ from: 1_100, daysAWeek: 1.3, txsADay: 2, ...MINTS }],
    socials: { x: 300 },
  },
  "early user, now dormant": {
    phases: [{ from: 1_750, until: 1_050, daysAWeek: 3, txsADay: 3, ...SWAPS }],
  },
  "newcomer of 30 days": {
    phases: [{ from: 30, daysAWeek: 3, txsADay: 2, ...SWAPS, targets: 12 }],
  },
  "treasury contract": {
    phases: [],
    socials: { domain: 300 },
    profile: { premiumMonths: 6, paidSlug: true },
  },
  "hardware-wallet saver": {
    phases: [{ from: 1_400, daysAWeek: 0.2, txsADay: 1, ...PAYS }],
  },
  "exchange hot wallet": {
    phases: [{
      from: 1_500,
      until: 0,
      daysAWeek: 7,
      txsADay: 6,
      hours: [0, 24],
      gas: 60_000,
      targets: 400,
      methods: 3,
    }],
  },
  "bridge relayer": {
    phases: [{
      from: 1_000,
      daysAWeek: 7,
      txsADay: 9,
      hours: [0, 24],
      gas: 200_000,
      targets: 3,
      methods: 3,
    }],
  },
  "game player": {
    phases: [{ from: 330, daysAWeek: 5, txsADay: 4, ...PLAYS }],
  },
  "donor": {
    phases: [{ from: 1_150, daysAWeek: 1.5, txsADay: 2, ...PAYS }],
    socials: { x: 300, email: 300 },
    profile: { donatedUsdc: 400, premiumMonths: 12, paidSlug: true },
    followers: [10, 5, 1.5],
  },
  "DAO delegate": {
    phases: [{ from: 1_100, daysAWeek: 2, txsADay: 2, ...SWAPS }],
    socials: { x: 500, github: 500, farcaster: 400, domain: 400 },
    gitHub: { years: 6, work: 60 },
    followers: [150, 60, 20],
    profile: { premiumMonths: 3 },
  },
  "DeFi user since 2025": {
    phases: [{ from: 450, daysAWeek: 4, txsADay: 4, ...SWAPS, hurry: 2 }],
  },
  "builder since 2025": {
    phases: [{ from: 380, daysAWeek: 2.5, txsADay: 3, ...BUILDS }],
    socials: { github: 300, domain: 300 },
    gitHub: { years: 4, work: 25 },
  },
  "guild player": {
    phases: [{ from: 500, daysAWeek: 6, txsADay: 12, ...PLAYS, targets: 4 }],
    socials: { discord: 300 },
  },
  "supporter": {
    phases: [{ from: 500, daysAWeek: 2, txsADay: 2, ...SWAPS }],
    socials: { x: 400, github: 300 },
    gitHub: { years: 5, work: 20 },
    profile: { premiumMonths: 12, paidSlug: true, donatedUsdc: 60 },
    followers: [12, 5, 1.5],
  },
  "pillar": {
    phases: [{ from: 1_700, daysAWeek: 5, txsADay: 6, ...SWAPS }],
    socials: {
      x: 900,
      github: 900,
      farcaster: 800,
      domain: 900,
      discord: 900,
    },
    gitHub: { years: 10, work: 400 },
    profile: { premiumMonths: 12, paidSlug: true, donatedUsdc: 500 },
    followers: [400, 180, 70],
  },
};

/** Returns the signals of every kind, by name. */
export function personas(): Map<string, Honest> {
  return new Map(
    Object.entries(PERSONAS).map(([name, life], nth) => [
      name,
      signalsOf(life, randomFrom(nth + 1)),
    ]),
  );
}
