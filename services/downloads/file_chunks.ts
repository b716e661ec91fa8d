/** The chunks of a stored file. */

/** Bytes of a chunk, below the 64 KiB of a value. */
export const CHUNK_BYTES = 60_000;

/** Returns the number of chunks of a file. */
export function countChunks(bytes: number): number {
  return Math.ceil(bytes / CHUNK_BYTES);
}
