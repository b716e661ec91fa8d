import { assertEquals } from "@std/assert";
import { formatUsdc as formatAsTheService } from "../../services/payments/money.ts";
import { formatUsdc } from "../../static/dashboard/money.js";
import { fc } from "../support/properties.ts";

Deno.test("formatUsdc() of the page formats every amount like the service", () => {
  const amounts = fc.oneof(
    fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fc.bigInt({ min: 0n, max: 10n ** 12n }).map((cents) => cents * 10_000n),
    fc.bigInt({ min: 0n, max: 2_000_000n }),
  );
  fc.assert(fc.property(amounts, (amount) => {
    assertEquals(formatUsdc(String(amount)), formatAsTheService(amount));
  }));
});
