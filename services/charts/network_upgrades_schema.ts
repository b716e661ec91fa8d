/** The network upgrades of Avalanche Mainnet, each with the source of its date. */
import {
  endOfBucket,
  formatDay,
  type Interval,
  parseDay,
} from "../platform/days.ts";

/** An upgrade that changed the rules of the C-Chain or of the Primary Network. */
export interface NetworkUpgrade {
  readonly name: string;
  /** The UTC day on which it activated. */
  readonly day: string;
  /** What changed; null if the source names only the date. */
  readonly change: string | null;
  /** A page that states the date. */
  readonly source: string;
}

/** The activation times in the node's source. */
const NODE =
  "https://github.com/ava-labs/avalanchego/blob/004839401eaa4f77c8ff2d1b5f1f86d3585b5755/upgrade/upgrade.go";
const RELEASE = "https://github.com/ava-labs/avalanchego/releases/tag";

/** The upgrades, the oldest first. */
export const NETWORK_UPGRADES: readonly NetworkUpgrade[] = [
  {
    name: "Apricot Phase 1",
    day: "2021-03-31",
    change: null,
    source: NODE,
  },
  {
    name: "Apricot Phase 2",
    day: "2021-05-10",
    change: "the Berlin upgrade of Ethereum on the C-Chain",
    source: `${RELEASE}/v1.4.0`,
  },
  {
    name: "Apricot Phase 3",
    day: "2021-08-24",
    change: "dynamic fees on the C-Chain",
    source: `${RELEASE}/v1.5.0`,
  },
  {
    name: "Apricot Phase 4",
    day: "2021-09-22",
    change: "block-based fees, and gas prices from 25 to 1,000 nAVAX",
    source: `${RELEASE}/v1.6.0`,
  },
  {
    name: "Apricot Phase 5",
    day: "2021-12-02",
    change: "several atomic transactions in a block",
    source: `${RELEASE}/v1.7.0`,
  },
  {
    name: "Apricot Phase 6",
    day: "2022-09-06",
    change: null,
    source: NODE,
  },
  { name: "Banff", day: "2022-10-18", change: null, source: NODE },
  { name: "Cortina", day: "2023-04-25", change: null, source: NODE },
  {
    name: "Durango",
    day: "2024-03-06",
    change: "warp messages in the EVM, and Ethereum's Shanghai",
    source: `${RELEASE}/v1.11.0`,
  },
  { name: "Etna", day: "2024-12-16", change: null, source: NODE },
  { name: "Fortuna", day: "2025-04-08", change: null, source: NODE },
  {
    name: "Granite",
    day: "2025-11-19",
    change: "dynamic minimum block times",
    source: "https://build.avax.network/blog/granite-upgrade",
  },
  {
    name: "Helicon",
    day: "2026-09-22",
    change: "asynchronous execution, and a dynamic minimum gas price",
    source: `${RELEASE}/v1.15.0`,
  },
];

/** Lists the upgrades in the buckets of an axis, the oldest first. */
export function upgradesWithin(
  axis: readonly string[],
  interval: Interval,
): readonly NetworkUpgrade[] {
  const [first] = axis;
  if (first === undefined) return [];
  const last = formatDay(endOfBucket(parseDay(axis.at(-1)!), interval));
  return NETWORK_UPGRADES.filter(({ day }) => first <= day && day <= last);
}
