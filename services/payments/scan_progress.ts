/** Progress of the payment scan, and the blocks that it has to scan again. */

/** A block whose transfers the nodes list differently. */
interface DisputedBlock {
  readonly block: number;
  /** When a scan first found it, epoch ms. */
  readonly foundAt: number;
}

/** How far the chain is scanned. */
export interface ScanProgress {
  /** The last scanned block. */
  readonly block: number;
  /** The disputed blocks up to it, ascending. Every run scans them again. */
  readonly disputed: readonly DisputedBlock[];
}

/** A scanned block range. */
export interface ScannedRange {
  readonly first: number;
  /** The last block before the first unfinished one. */
  readonly doneTo: number;
  readonly disputedBlocks: readonly number[];
}

/** Maximum number of disputed blocks: listing each again is one call per node. */
export const MAX_DISPUTED = 50;

/**
 * Adds a range that was scanned at an instant, epoch ms. Every block up to the last
 * scanned one is finished or in the list. So a range that follows an unfinished block
 * does not advance the progress. If the list is full, the scan waits before the first
 * block that does not fit.
 */
export function withRange(
  { block: scanned, disputed }: ScanProgress,
  { first, doneTo, disputedBlocks }: ScannedRange,
  at: number,
): ScanProgress {
  const reached = first > scanned + 1 ? scanned : Math.max(scanned, doneTo);
  const foundAt = new Map(disputed.map((held) => [held.block, held.foundAt]));
  const left = disputed.map(({ block }) => block)
    .filter((block) => block < first || block > doneTo);
  const blocks = [...new Set([...left, ...disputedBlocks])]
    .filter((block) => block <= reached)
    .sort((a, b) => a - b);
  const excess = blocks[MAX_DISPUTED];
  return {
    block: excess === undefined ? reached : excess - 1,
    disputed: blocks.slice(0, MAX_DISPUTED)
      .map((block) => ({ block, foundAt: foundAt.get(block) ?? at })),
  };
}
