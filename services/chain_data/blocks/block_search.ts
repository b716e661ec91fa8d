/** The search for the first block at or after an instant, one probe at a time. */

/** A block's height, and its timestamp in seconds since 1970. */
export interface BlockTime {
  readonly height: number;
  readonly timestamp: number;
}

/** Where an instant falls among the blocks; block 0 has no previous one. Times are seconds since 1970. */
export interface FirstBlock {
  readonly firstBlock: number;
  readonly firstBlockTimestamp: number;
  readonly previousBlock: number | null;
  readonly previousBlockTimestamp: number | null;
}

/** A block on one side of the instant; `isRead` once this search has probed it. */
interface Bound extends BlockTime {
  readonly isRead: boolean;
}

/** What a search knows: the nearest block on either side of the instant. */
export interface BlockSearch {
  /** Seconds since 1970. */
  readonly instant: number;
  /** The highest known block before the instant, or null. */
  readonly below: Bound | null;
  /** The lowest known block at or after the instant, or null. */
  readonly above: Bound | null;
  /** False once two blocks contradict each other. */
  readonly isOrdered: boolean;
  /** The bound that the last probe moved. */
  readonly moved: "below" | "above" | null;
  /** Weight of the bound that stays, halved while it keeps staying. */
  readonly weight: number;
  /** Most heights that may lie between the bounds, halved with each probe. */
  readonly widest: number;
}

/** What comes next: a height to probe, or how the search ended. */
export type Step =
  | { readonly kind: "probe"; readonly height: number }
  | { readonly kind: "found"; readonly found: FirstBlock }
  /** No known block is as young as the instant. */
  | { readonly kind: "notYet" }
  /** Known blocks contradict each other: times fall, or an anchor is wrong. */
  | { readonly kind: "disorder" };

/** Probes that interpolation may take beyond those of bisection. */
const SPARE_PROBES = 6;

/**
 * Starts a search between the nearest of the known blocks. Anchors narrow it
 * down, but the answer is made of blocks probed by the search itself.
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
    weight: 1,
    widest: 2 ** (Math.ceil(Math.log2(gap)) + SPARE_PROBES),
  };
}

/** Returns the next height to probe, or how the search ended. */
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

/** Takes in a probed block. */
export function narrow(search: BlockSearch, block: BlockTime): BlockSearch {
  const { instant, below, above, moved } = search;
  const side = block.timestamp < instant ? "below" : "above";
  return {
    ...search,
    [side]: { ...block, isRead: true },
    isOrdered: search.isOrdered &&
      [below, above].every((bound) => !bound || agree(bound, block)),
    moved: side,
    weight: side === moved ? search.weight / 2 : 1,
    widest: search.widest / 2,
  };
}

function pickHeight(
  search: BlockSearch,
  below: Bound | null,
  above: Bound,
): number {
  if (!below) return 0;
  // Block 0 may claim to be of 1970, decades before block 1: no line to follow.
  if (below.height === 0) return 1;
  return interpolate(search, below, above);
}

/**
 * Picks a height by the Illinois method: on the straight line between the
 * bounds, drawn towards one that stays put. It keeps so far from the ends that
 * the bounds are never further apart after a probe than `widest` allows.
 */
function interpolate(
  { instant, moved, weight, widest }: BlockSearch,
  below: Bound,
  above: Bound,
): number {
  // Between two seconds, so that no bound is ever right on the target.
  const target = instant - 0.5;
  const before = (target - below.timestamp) * (moved === "above" ? weight : 1);
  const after = (above.timestamp - target) * (moved === "below" ? weight : 1);
  const gap = gapOf(below, above);
  const height = below.height + Math.round(gap * before / (before + after));
  const lowest = Math.max(below.height + 1, above.height - widest / 2);
  const highest = Math.min(above.height - 1, below.height + widest / 2);
  return Math.min(Math.max(height, lowest), highest);
}

/** Heights from one bound to the other; with none below, from one under block 0. */
function gapOf(below: BlockTime | null, above: BlockTime | null): number {
  return (above?.height ?? Infinity) - (below?.height ?? -1);
}

/** Returns whether two blocks can be of one chain, whose times never fall. */
function agree(a: BlockTime, b: BlockTime): boolean {
  return a.height === b.height
    ? a.timestamp === b.timestamp
    : (a.height - b.height) * (a.timestamp - b.timestamp) >= 0;
}
