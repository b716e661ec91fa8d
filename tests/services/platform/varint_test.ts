/** Whole numbers as bytes. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  putVarint,
  readVarint,
  readVarints,
} from "../../../services/platform/bytes.ts";
import { fc } from "../../support/properties.ts";

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
