/** Progress of the payment scan, and the blocks that it has to scan again. */
import { HOUR_MS } from "../platform/days.ts";

/** A block whose transfers the nodes list differently. */
interface DisputedBlock {
  readonly block: number;
  /** When a scan first found it, epoch ms. */
  readonly foundAt: number;
}

/** A block range, both ends included. */
interface Blocks {
  readonly first: number;
  readonly last: number;
}

/** Blocks whose transfers a node does not list. */
interface UnlistedBlocks extends Blocks {
  /** When a scan first found them, epoch ms. */
  readonly foundAt: number;
  /** When a scan last tried to list them, epoch ms. */
  readonly triedAt: number;
}

/** A scanned block. Its hash is the same only if all blocks before it are the same. */
interface Checkpoint {
  readonly block: number;
  readonly hash: string;
}

/** How far the chain is scanned. */
export interface ScanProgress {
  /** The last scanned block. */
  readonly block: number;
  /** The disputed blocks up to it, ascending. Every run scans them again. */
  readonly disputed: readonly DisputedBlock[];
  /** The unlisted blocks up to it, ascending and apart. Runs try them again. */
  readonly unlisted: readonly UnlistedBlocks[];
  /** Blocks up to it by which a reorganisation is noticed, ascending. */
  readonly checkpoints: readonly Checkpoint[];
}

/** A scanned block range. */
export interface ScannedRange {
  readonly first: number;
  /** The last block before the first unfinished one. */
  readonly doneTo: number;
  readonly disputedBlocks: readonly number[];
  /** Blocks of the range that were set aside, as a node does not list them. */
  readonly unlisted: readonly Blocks[];
}

/** Maximum number of disputed blocks: listing each again is one call per node. */
export const MAX_DISPUTED = 50;

/** Maximum number of unlisted ranges. Above it the nearest ones become one, with the blocks between. */
export const MAX_UNLISTED = 50;

/** Maximum number of checkpoints: one is added by each run that scans new blocks. */
export const MAX_CHECKPOINTS = 50;

/**
 * Adds a range that was scanned at an instant, epoch ms. Every block up to the last
 * scanned one is finished or in a list. So a range that follows an unfinished block
 * does not advance the progress. If the list of disputed blocks is full, the scan
 * waits before the first block that does not fit.
 */
export function withRange(
  { block: scanned, disputed, unlisted, checkpoints }: ScanProgress,
  { first, doneTo, disputedBlocks, unlisted: added }: ScannedRange,
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
  const block = excess === undefined ? reached : excess - 1;
  const aside = [
    ...unlisted.flatMap((held) => without(held, { first, last: doneTo })),
    ...added.map((range) => ({
      ...range,
      foundAt: unlisted.find((held) => overlap(held, range))?.foundAt ?? at,
      triedAt: at,
    })),
  ];
  return {
    block,
    disputed: blocks.slice(0, MAX_DISPUTED)
      .map((block) => ({ block, foundAt: foundAt.get(block) ?? at })),
    unlisted: joinNear(
      aside.filter(({ first }) => first <= block)
        .map((range) => ({ ...range, last: Math.min(range.last, block) })),
    ),
    checkpoints: checkpoints.filter((one) => one.block <= block),
  };
}

/** Adds the block that ends a scanned range, unless the progress ends before it. */
export function withCheckpoint(
  progress: ScanProgress,
  checkpoint: Checkpoint,
): ScanProgress {
  if (checkpoint.block > progress.block) return progress;
  const before = progress.checkpoints.filter(({ block }) =>
    block < checkpoint.block
  );
  const checkpoints = [...before, checkpoint].slice(-MAX_CHECKPOINTS);
  return { ...progress, checkpoints };
}

/**
 * Returns whether unlisted blocks should be tried again: after as long as they have
 * failed before, and at least hourly. A listing that fails can last many seconds.
 */
export function isDue(
  { foundAt, triedAt }: UnlistedBlocks,
  now: number,
): boolean {
  return now - triedAt >= Math.min(HOUR_MS, triedAt - foundAt);
}

function overlap(a: Blocks, b: Blocks): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** Returns what is left of unlisted blocks without a range. */
function without(held: UnlistedBlocks, range: Blocks): UnlistedBlocks[] {
  if (range.last < range.first || !overlap(held, range)) return [held];
  return [
    { ...held, last: range.first - 1 },
    { ...held, first: range.last + 1 },
  ].filter(({ first, last }) => first <= last);
}

/** Joins ranges that touch, and the nearest ones while there are too many. */
function joinNear(ranges: readonly UnlistedBlocks[]): UnlistedBlocks[] {
  const joined = ranges.toSorted((a, b) => a.first - b.first);
  for (;;) {
    const gaps = joined.slice(1)
      .map(({ first }, nth) => first - joined[nth]!.last);
    const least = gaps.reduce((a, b) => Math.min(a, b), Infinity);
    if (least > 1 && joined.length <= MAX_UNLISTED) return joined;
    const at = gaps.indexOf(least);
    const [a, b] = [joined[at]!, joined[at + 1]!];
    joined.splice(at, 2, {
      first: a.first,
      last: Math.max(a.last, b.last),
      foundAt: Math.min(a.foundAt, b.foundAt),
      triedAt: Math.max(a.triedAt, b.triedAt),
    });
  }
}
