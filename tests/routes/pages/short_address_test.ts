import { assertEquals } from "@std/assert";
import { shortAddress } from "../../../routes/pages/dates.ts";

Deno.test("shortAddress() has the first and last four digits", () => {
  const address = "0x52908400098527886e0f7030069857d2e4169ee7";
  assertEquals(shortAddress(address), "0x5290…9ee7");
});
