/** Search for the first block at or after an instant: interpolation with a bisection bound. */
import type { FirstBlock } from "../checks/measurements.ts";

/** A block's height, and its timestamp in seconds since 1970. */
export interface BlockTime {
  readonly height: number;
  readonly timestamp: number;
}

/** The nearest known block on one side of the instant. `isRead` is true if this search has probed it. */
interface Bound extends BlockTime {
  readonly isRead: boolean;
}

/** A move of a bound. */
interface Moved {
  readonly side: "below" | "above";
  /** Weight of the bound that did not move. It is halved each time the same bound moves again. */
  readonly weight: number;
}

/** The state of a search. */
export interface BlockSearch {
  /** Seconds since 1970. */
  readonly instant: number;
  /** The highest known block before the instant, or null. */
  readonly below: Bound | null;
  /** The lowest known block at or after the instant, or null. */
  readonly above: Bound | null;
  /** False if two known blocks contradict each other. */
  readonly isOrdered: boolean;
  /** The bound that the last probe moved; null before the first. */
  readonly moved: Moved | null;
  /** Upper limit of the gap between the bounds. It is halved with each probe. */
  readonly widest: number;
}

/** The next step: a height to probe, or the result of the search. */
export type Step =
  | { readonly kind: "probe"; readonly height: number }
  | { readonly kind: "found"; readonly found: FirstBlock }
  /** All known blocks are older than the instant. */
  | { readonly kind: "notYet" }
  /** Known blocks contradict each other: timestamps decrease, or an anchor is wrong. */
  | { readonly kind: "disorder" };

/** Probes that interpolation may need in addition to those of bisection. */
const SPARE_PROBES = 6;

/**
 * Starts a search between the nearest anchors. Anchors only narrow the search:
 * the result consists of blocks that the search itself has probed.
 */
export function startSearch(
  instant: number,
  anchors: readonly BlockTime[],
): BlockSearch {
  let below: Bound | null = null;
  let above: Bound | null = null;
  for (const anchor of anchors) {
    const bound = { ...anchor, isRead: false };
    if (anchor.timestamp < instant) {
      if (!below || anchor.height > below.height) below = bound;
    } else if (!above || anchor.height < above.height) above = bound;
  }
  const gap = gapOf(below, above);
  return {
    instant,
    below,
    above,
    isOrdered: gap > 0,
    moved: null,
    widest: 2 ** (Math.ceil(Math.log2(gap)) + SPARE_PROBES),
  };
}

/** Returns the next height to probe, or the result of the search. */
export function nextStep(search: BlockSearch): Step {
  const { below, above, isOrdered } = search;
  if (!isOrdered) return { kind: "disorder" };
  if (!above) return { kind: "notYet" };
  if (gapOf(below, above) > 1) {
    return { kind: "probe", height: pickHeight(search, below, above) };
  }
  const unread = [above, below].find((bound) => bound && !bound.isRead);
  if (unread) return { kind: "probe", height: unread.height };
  const found = {
    firstBlock: above.height,
    firstBlockTimestamp: above.timestamp,
    previousBlock: below?.height ?? null,
    previousBlockTimestamp: below?.timestamp ?? null,
  };
  return { kind: "found", found };
}

/** Returns the search with a probed block as the new bound on its side. */
export function narrow(search: BlockSearch, block: BlockTime): BlockSearch {
  const { instant, below, above, moved } = search;
  const side = block.timestamp < instant ? "below" : "above";
  return {
    ...search,
    [side]: { ...block, isRead: true },
    isOrdered: search.isOrdered &&
      [below, above].every((bound) => !bound || agree(bound, block)),
    moved: { side, weight: side === moved?.side ? moved.weight / 2 : 1 },
    widest: search.widest / 2,
  };
}

function pickHeight(
  search: BlockSearch,
  below: Bound | null,
  above: Bound,
): number {
  if (!below) return 0;
  // The timestamp of block 0 may be 1970, so it is useless for interpolation.
  if (below.height === 0) return 1;
  return interpolate(search, below, above);
}

/**
 * Picks a height by the Illinois method: linear interpolation between the bounds,
 * where the weight of a bound that does not move is halved. The height is clamped
 * so that the gap after the probe is at most half of `widest`.
 */
function interpolate(
  { instant, moved, widest }: BlockSearch,
  below: Bound,
  above: Bound,
): number {
  // Between two seconds, so that no bound has exactly the target time.
  const target = instant - 0.5;
  const weightOf = (side: Moved["side"]) =>
    moved === null || moved.side === side ? 1 : moved.weight;
  const before = (target - below.timestamp) * weightOf("below");
  const after = (above.timestamp - target) * weightOf("above");
  const gap = gapOf(below, above);
  const height = below.height + Math.round(gap * before / (before + after));
  const lowest = Math.max(below.height + 1, above.height - widest / 2);
  const highest = Math.min(above.height - 1, below.height + widest / 2);
  return Math.min(Math.max(height, lowest), highest);
}

/** Returns the gap between the bounds in blocks. Without a lower bound it counts from height -1. */
function gapOf(below: BlockTime | null, above: BlockTime | null): number {
  return (above?.height ?? Infinity) - (below?.height ?? -1);
}

/** Returns whether two blocks can belong to one chain, where timestamps never decrease. */
function agree(a: BlockTime, b: BlockTime): boolean {
  return a.height === b.height
    ? a.timestamp === b.timestamp
    : (a.height - b.height) * (a.timestamp - b.timestamp) >= 0;
}
