/** Deterministic noise: the value depends only on the seed and the number. */

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Hashes a seed and a number to 32 bits. */
export function hash32(seed: string, number: number): number {
  return mix(fold(FNV_OFFSET, seed), number);
}

/** Continues an FNV-1a hash with a text. */
function fold(hash: number, text: string): number {
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return hash;
}

function mix(hash: number, number: number): number {
  hash = Math.imul(hash ^ number, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Returns a number from 0 (inclusive) to 1 (exclusive). */
export function unit(seed: string, number: number): number {
  return hash32(seed, number) / 2 ** 32;
}

/** Returns a factor between `1 - spread` and `1 + spread`. */
export function vary(seed: string, number: number, spread: number): number {
  return 1 + spread * (2 * unit(seed, number) - 1);
}

/** Returns bytes as lower-case hex without a prefix. */
export function hexBytes(seed: string, number: number, count: number): string {
  const folded = fold(FNV_OFFSET, `${seed}/`);
  let hex = "";
  for (let word = 0; hex.length < count * 2; word++) {
    hex += mix(fold(folded, String(word)), number).toString(16)
      .padStart(8, "0");
  }
  return hex.slice(0, count * 2);
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Returns a string that looks like a CB58 id. */
export function base58(seed: string, number: number, length: number): string {
  const folded = fold(FNV_OFFSET, `${seed}/`);
  return Array.from(
    { length },
    (_, index) =>
      BASE58[mix(fold(folded, String(index)), number) % BASE58.length],
  ).join("");
}
