/** Addresses as wallets write them: prefixes, and the checksum of EIP-55, without a dependency. */

/** The C-Chain's prefixes: EIP-3770, CAIP-10, and EIP-681 with an optional chain. */
const WRITTEN =
  /^(?:(?:avax:|eip155:43114:)?0x([0-9a-f]{40})|ethereum:0x([0-9a-f]{40})(?:@43114)?)$/i;

/**
 * Returns whether the service accepts an address: of the C-Chain, in one case or with a
 * valid checksum.
 */
export function isAddress(text: string): boolean {
  const [, bare, linked] = WRITTEN.exec(text) ?? [];
  const digits = bare ?? linked;
  if (digits === undefined) return false;
  const lower = digits.toLowerCase();
  // The prefixes and 0x have one case.
  if (!/^(?:avax:|eip155:43114:|ethereum:)?0x/.test(text)) return false;
  if (digits === lower || digits === digits.toUpperCase()) return true;
  const hash = keccak256(lower);
  return [...lower].every((digit, at) => {
    const nibble = hash[at >> 1]! >> (at % 2 === 0 ? 4 : 0) & 15;
    return digits[at] === (nibble >= 8 ? digit.toUpperCase() : digit);
  });
}

const ROUNDS = 24;
/** Bytes that one permutation absorbs. */
const RATE = 136;

/** Offsets of rho, positions of pi, and constants of iota (FIPS 202, 3.2), as low and high words. */
const ROTATIONS: number[] = [];
const POSITIONS: number[] = [];
const CONSTANTS: [low: number, high: number][] = [];

function prepare(): void {
  let [x, y, bits] = [1, 0, 1];
  for (let round = 0; round < ROUNDS; round++) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    POSITIONS.push(5 * y + x);
    ROTATIONS.push((round + 1) * (round + 2) / 2 % 64);
    const words: [number, number] = [0, 0];
    for (let j = 0; j < 7; j++) {
      const bit = (1 << j) - 1;
      if (bits & 1) words[bit >> 5]! |= 1 << (bit & 31);
      bits = (bits << 1) ^ ((bits >> 7) * 0x171);
    }
    CONSTANTS.push(words);
  }
}

/** Returns Keccak-256 of a short ASCII text. */
function keccak256(text: string): Uint8Array {
  if (CONSTANTS.length === 0) prepare();
  const bytes = new Uint8Array(200);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  bytes[text.length] = 1;
  bytes[RATE - 1]! |= 0x80;
  const view = new DataView(bytes.buffer);
  const state = Array.from(
    { length: 50 },
    (_, at) => view.getInt32(4 * at, true),
  );
  for (const [low, high] of CONSTANTS) permute(state, low, high);
  for (const [at, word] of state.entries()) view.setInt32(4 * at, word, true);
  return bytes.subarray(0, 32);
}

/** One round of Keccak-f[1600] on lanes of two words, the low one first. */
function permute(s: number[], low: number, high: number): void {
  const columns = Array.from(
    { length: 10 },
    (_, at) => s[at]! ^ s[at + 10]! ^ s[at + 20]! ^ s[at + 30]! ^ s[at + 40]!,
  );
  for (let x = 0; x < 10; x += 2) {
    const [l, h] = rotated(columns[(x + 2) % 10]!, columns[(x + 3) % 10]!, 1);
    for (let y = x; y < 50; y += 10) {
      s[y]! ^= columns[(x + 8) % 10]! ^ l;
      s[y + 1]! ^= columns[(x + 9) % 10]! ^ h;
    }
  }
  let [l, h] = [s[2]!, s[3]!];
  for (const [nth, position] of POSITIONS.entries()) {
    const at = 2 * position;
    const moved = rotated(l, h, ROTATIONS[nth]!);
    [l, h] = [s[at]!, s[at + 1]!];
    [s[at], s[at + 1]] = moved;
  }
  for (let y = 0; y < 50; y += 10) {
    const row = s.slice(y, y + 10);
    for (let x = 0; x < 10; x++) {
      s[y + x]! ^= ~row[(x + 2) % 10]! & row[(x + 4) % 10]!;
    }
  }
  s[0]! ^= low;
  s[1]! ^= high;
}

/** Rotates a lane to the left. */
function rotated(low: number, high: number, by: number): [number, number] {
  const [l, h] = by < 32 ? [low, high] : [high, low];
  const bits = by % 32;
  if (bits === 0) return [l, h];
  return [l << bits | h >>> 32 - bits, h << bits | l >>> 32 - bits];
}
