/** Filters and sorts the table of chains. */
import { matchesSearch } from "../catalogue/chains.ts";
import {
  type ChainSummary,
  type OverviewQuery,
  type SortKey,
  STATE_NAMES,
} from "./overview_schema.ts";

/** Returns the chains that a query selects, in its order. */
export function selectChains(
  chains: readonly ChainSummary[],
  { sort, q, state }: OverviewQuery,
): ChainSummary[] {
  return chains
    .filter((chain) => state === undefined || chain.state === state)
    .filter((chain) => matchesSearch(chain, q))
    .toSorted(orderOf(sort));
}

/** What each key compares; null is last in both directions. */
const VALUES: Readonly<
  Record<SortKey, (chain: ChainSummary) => number | string | null>
> = {
  name: ({ chainName }) => chainName,
  // Of the same day for all: a chain's own newest day can be long ago.
  transactions: ({ recent }) => recent.at(-1) ?? null,
  change: ({ changePct }) => changePct,
  share: ({ sharePct }) => sharePct,
  age: ({ ageDays }) => ageDays,
  state: ({ state }) => STATE_NAMES.indexOf(state),
};

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Returns the comparison of a sort. Equal chains stay in the order of their names and ids. */
function orderOf(
  sort: OverviewQuery["sort"],
): (a: ChainSummary, b: ChainSummary) => number {
  const isDescending = sort.startsWith("-");
  const valueOf = VALUES[sort.replace("-", "") as SortKey];
  return (a, b) => {
    const [one, two] = [valueOf(a), valueOf(b)];
    const absent = Number(one === null) - Number(two === null);
    if (absent !== 0) return absent;
    const order = one === null ? 0 : compare(one, two!);
    return (isDescending ? -order : order) ||
      NAMES.compare(a.chainName, b.chainName) || a.chainId - b.chainId;
  };
}

function compare(one: number | string, two: number | string): number {
  return typeof one === "string"
    ? NAMES.compare(one, String(two))
    : one - Number(two);
}
