/** Compresses and decompresses bytes with gzip. */

/** Compresses bytes. */
export function zip(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  return pipe(bytes, new CompressionStream("gzip"));
}

/** Decompresses bytes. */
export function unzip(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  return pipe(bytes, new DecompressionStream("gzip"));
}

function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Response(new Blob([bytes]).stream().pipeThrough(through)).bytes();
}
