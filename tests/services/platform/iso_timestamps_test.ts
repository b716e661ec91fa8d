/** Memoised ISO timestamps. */
import { assertEquals } from "@std/assert";
import { isoTimestamps } from "../../../services/platform/instants.ts";

Deno.test("isoTimestamps() returns the same text as toISOString(), in any order", () => {
  const iso = isoTimestamps();
  for (const at of [0, 0, 1_000, 0, -1, 1_795_219_200_000]) {
    assertEquals(iso(at), new Date(at).toISOString());
  }
});
