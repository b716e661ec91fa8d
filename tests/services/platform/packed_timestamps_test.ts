/** Timestamps packed into bytes. */
import { assert, assertEquals } from "@std/assert";
import {
  packTimestamps,
  unpackTimestamps,
} from "../../../services/platform/bytes.ts";
import { fc } from "../../support/properties.ts";

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
