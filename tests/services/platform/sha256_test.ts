import { assertEquals } from "@std/assert";
import { sha256, sha256Hex } from "../../../services/platform/bytes.ts";

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
