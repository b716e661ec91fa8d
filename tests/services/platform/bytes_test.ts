/** Hashes, numbers of variable length, and timestamps packed into bytes. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  packTimestamps,
  putVarint,
  readVarint,
  readVarints,
  sha256,
  sha256Hex,
  unpackTimestamps,
} from "../../../services/platform/bytes.ts";
import { fc } from "../../support/properties.ts";

/** The example of FIPS 180-4 for one block. */
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Deno.test("sha256Hex() is the same for a text, its bytes and its parts", () => {
  const hash = sha256();
  hash.update("a");
  hash.update(new TextEncoder().encode("bc"));
  const hashes = [
    sha256Hex("abc"),
    sha256Hex(new TextEncoder().encode("abc")),
    hash.hex(),
  ];
  assertEquals(hashes, [ABC, ABC, ABC]);
});

function bytesOf(...numbers: number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) putVarint(bytes, number);
  return Uint8Array.from(bytes);
}

Deno.test("putVarint() writes the example of the Protocol Buffers documentation", () => {
  assertEquals(bytesOf(150), Uint8Array.of(0x96, 0x01));
});

Deno.test("readVarints() returns what putVarint() wrote, up to 2^53 - 1", () => {
  const whole = fc.oneof(fc.nat(300), fc.maxSafeNat());
  fc.assert(fc.property(fc.array(whole), (numbers) => {
    assertEquals(readVarints(bytesOf(...numbers)), numbers);
  }));
});

Deno.test("readVarint() moves the cursor behind the number, and refuses bytes that end in one", () => {
  const bytes = bytesOf(7, 300);
  const cursor = { offset: 1 };
  assertEquals(readVarint(bytes, cursor), 300);
  assertEquals(cursor.offset, bytes.length);
  assertThrows(() => readVarint(bytes, cursor), RangeError);
  assertThrows(() => readVarints(bytes.slice(0, -1)), RangeError);
});

const instants = fc.array(
  fc.oneof(fc.nat(2 ** 32 - 1), fc.nat(1_000), fc.constant(0))
    .map((second) => second * 1000),
);

Deno.test("unpackTimestamps() is the inverse of packTimestamps(), sorted or not", () => {
  fc.assert(fc.property(instants, (given) => {
    assertEquals(unpackTimestamps(packTimestamps(given)), given);
    const newestFirst = given.toSorted((a, b) => b - a);
    assertEquals(unpackTimestamps(packTimestamps(newestFirst)), newestFirst);
  }));
});

Deno.test("packTimestamps() needs two to three bytes for transactions a few hours apart", () => {
  const hourly = Array.from(
    { length: 1000 },
    (_, nth) => 1_795_248_000_000 - nth * 3_600_000,
  );
  const { length } = packTimestamps(hourly);
  assert(length < 2_050, `${length} bytes`);
});
