/** Random figures of addresses, for the invariants of the models. */
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  type ChainSignals,
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
  type OwnTx,
  useOf,
} from "../../../services/model/signals.ts";
import { SOCIAL_KINDS } from "../../../services/model/score_terms_schema.ts";
import { fc } from "../properties.ts";

/** The Unix time at which random addresses are scored, in milliseconds. */
export const NOW = Date.UTC(2026, 10, 21, 12);

/** An amount up to a bound; often none. */
export const amount = (max: number) =>
  fc.oneof(fc.constant(0), fc.double({ min: 0, max, noNaN: true }));

/** A transaction so many hours ago. */
export const txs = fc.record({
  hours: fc.oneof(fc.nat(200), fc.nat(40_000)),
  to: fc.nat(30),
  gasUnits: fc.nat(2_000_000),
  failed: fc.boolean(),
}).map(({ hours, to, ...rest }): OwnTx => ({
  at: NOW - hours * 3_600_000 - to * 60_000,
  to: `${to}`,
  ...rest,
}));

/** What others did before the first use. */
type Before = Pick<ChainSignals, "origin" | "alike">;

/** The signals of an address with these transactions, and with what others did before. */
export function chainOf(
  own: readonly OwnTx[],
  before: Before = { origin: null, alike: 0 },
): ChainSignals {
  const times = own.map(({ at }) => at).toSorted((a, b) => b - a);
  return {
    ...NO_CHAIN,
    firstTxAt: times.at(-1) ?? null,
    recentTxAt: times.slice(0, 1_000),
    nonce: own.length,
    use: useOf(own),
    ...before,
    fetchedAt: NOW,
  };
}

/** The transactions of an address. */
export const lives = fc.array(txs, { maxLength: 80 });
/** What others did before the first use. */
export const origins = fc.record({
  origin: fc.option(fc.record({ payers: fc.nat(100), delayDays: amount(900) })),
  alike: fc.oneof(fc.constant(0), fc.nat(48)),
});
/** Linked accounts, one of a kind. */
const socials = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom(...SOCIAL_KINDS),
    verifiedAt: fc.nat(700).map((days) => NOW - days * DAY_MS),
    account: fc.option(fc.record({
      createdAt: fc.nat(4_000).map((days) => NOW - days * DAY_MS),
      publicWork: fc.nat(300),
    })),
  }),
  { selector: ({ kind }) => kind },
);
/** What a profile adds. */
export const profiles = fc.record({
  claimed: fc.boolean(),
  socials,
  proofs: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom("worldId" as const, "passport" as const),
      strength: fc.double({ min: 0, max: 1, noNaN: true }),
      until: fc.integer({ min: -400, max: 400 })
        .map((days) => NOW + days * DAY_MS),
    }),
    { selector: ({ kind }) => kind },
  ),
  premiumMonths: fc.nat(20),
  paidSlug: fc.boolean(),
  donatedUsdc: amount(1_500),
  selfDonated: fc.boolean(),
  verifiedHuman: fc.option(fc.nat(9)),
}).map((profile) => ({ ...NO_PROFILE, ...profile }));
/** What followers add. */
export const graphs = fc.record({
  followers: fc.nat(300),
  paidMass: amount(300),
  sharedPaidMass: amount(300),
  freeMass: amount(50),
}).map((graph) => ({
  ...NO_GRAPH,
  analyzed: true,
  ...graph,
  sharedPaidMass: Math.min(graph.paidMass, graph.sharedPaidMass),
}));
