import { assertEquals } from "@std/assert";
import { alignColumns } from "../../../services/platform/text.ts";

Deno.test("Columns are as wide as their longest cell, two spaces apart, and lines end without spaces", () => {
  assertEquals(
    alignColumns([
      ["net", "a.example:443", "prices"],
      ["read", "./static", ""],
    ]),
    [
      "net   a.example:443  prices",
      "read  ./static",
    ],
  );
  assertEquals(alignColumns([]), []);
});
