/** What an attacker pays for, in US dollars. Every estimate says so. */
import { PRODUCTS } from "../../services/payments/plans_schema.ts";

/** A price and where it comes from. */
interface Price {
  readonly usd: number;
  readonly source: string;
  readonly date: string;
}

const COTSI =
  "Cambridge Online Trust and Safety Index (Dek et al., Science, 2025), mean price of one verification";
const ESTIMATE = "estimate; no public price series was found";
const OWN = "services/payments/plans_schema.ts";

/** The price sheet. */
export const PRICES = {
  avax: { usd: 20, source: "assumption of this bench", date: "2026-11" },
  x: { usd: 0.10, source: COTSI, date: "2025-12" },
  telegram: { usd: 0.89, source: COTSI, date: "2025-12" },
  discord: { usd: 0.10, source: ESTIMATE, date: "2026-11" },
  email: { usd: 0.01, source: ESTIMATE, date: "2026-11" },
  farcaster: { usd: 0.50, source: ESTIMATE, date: "2026-11" },
  gitHubNew: { usd: 0.30, source: ESTIMATE, date: "2026-11" },
  /**
   * A star from an aged account sold for $0.80 to $0.90; the account itself is
   * worth several of them.
   */
  gitHub2Years: {
    usd: 2,
    source: "estimate from prices of stars from aged accounts",
    date: "2026-04",
  },
  gitHub6Years: {
    usd: 8,
    source: "estimate from prices of stars from aged accounts",
    date: "2026-04",
  },
  /** Thirty forks are free; thirty followers cost as much as cheap stars, $0.03 each. */
  gitHubWork: {
    usd: 1,
    source: "estimate from prices of stars",
    date: "2026-04",
  },
  /** Under a public suffix: the first year of a promoted domain. */
  domain: {
    usd: 1,
    source: "promotions of new top-level domains in their first year",
    date: "2026-11",
  },
  /** A name under a private suffix that its owner gives away. */
  freeDomain: { usd: 0, source: "dynamic DNS and page hosts", date: "2026-11" },
  /** Funding one wallet by a withdrawal from an exchange. */
  withdrawal: {
    usd: 0.10,
    source: "estimate: withdrawal fees to the C-Chain of about 0.005 AVAX",
    date: "2026-11",
  },
  /** A wallet of three years with a transaction in each of 24 months, and 0.05 AVAX of gas. */
  agedWallet: { usd: 5, source: ESTIMATE, date: "2026-11" },
  /** A dormant wallet of four years with 36 months of use and 2 AVAX of gas. */
  spentWallet: { usd: 40, source: ESTIMATE, date: "2026-11" },
  /** Of locked capital, a month. */
  capital: { usd: 0.01, source: "assumption: 12 % a year", date: "2026-11" },
  premiumMonth: {
    usd: Number(PRODUCTS.premium.price) / 1e6,
    source: OWN,
    date: "2026-11",
  },
  name: {
    usd: Number(PRODUCTS.slug.price) / 1e6,
    source: OWN,
    date: "2026-11",
  },
} as const satisfies Record<string, Price>;
