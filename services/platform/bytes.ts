/** Bytes: hashes, compression, and numbers of variable length. */
import { createHash } from "node:crypto";

/** A hash of several parts, fed one after the other. */
interface Sha256 {
  update(part: string | Uint8Array): void;
  /** Returns the hash of all parts so far. */
  hex(): string;
}

/** Starts a hash. */
export function sha256(): Sha256 {
  const hash = createHash("sha256");
  return {
    update: (part) => void hash.update(part),
    hex: () => hash.copy().digest("hex"),
  };
}

/** Returns the hash of a text or of bytes. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

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

/** A byte of this or more is followed by another one. */
const MORE = 128;

/** Appends a number. */
export function putVarint(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= MORE; rest = Math.floor(rest / MORE)) {
    bytes.push(rest % MORE + MORE);
  }
  bytes.push(rest);
}

/** Where the next number begins. */
interface Cursor {
  offset: number;
}

/** Reads a number, and moves the cursor behind it. Throws if the bytes end before. */
export function readVarint(bytes: Uint8Array, cursor: Cursor): number {
  let number = 0;
  for (let unit = 1;; unit *= MORE) {
    const byte = bytes[cursor.offset++];
    if (byte === undefined) throw new RangeError("The bytes end in a number");
    if (byte < MORE) return number + byte * unit;
    number += (byte - MORE) * unit;
  }
}

/** Reads bytes that are numbers only. */
export function readVarints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  const cursor = { offset: 0 };
  while (cursor.offset < bytes.length) numbers.push(readVarint(bytes, cursor));
  return numbers;
}

/** Packs timestamps of whole seconds, in epoch ms, as differences, and keeps their order. */
export function packTimestamps(
  instants: readonly number[],
): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let last = 0;
  for (const instant of instants) {
    const second = Math.floor(instant / 1000);
    const step = last - second;
    last = second;
    // Odd numbers are steps forward in time, even numbers steps back.
    putVarint(bytes, step >= 0 ? 2 * step : -2 * step - 1);
  }
  return Uint8Array.from(bytes);
}

/** Returns the packed timestamps. */
export function unpackTimestamps(bytes: Uint8Array): number[] {
  let second = 0;
  return readVarints(bytes).map((number) => {
    second -= number % 2 === 0 ? number / 2 : -(number + 1) / 2;
    return second * 1000;
  });
}
