import { assertEquals } from "@std/assert";
import { formatUsdc as formatAsTheService } from "../../services/payments/plans_schema.ts";
import { formatUsdc, showUsdc } from "../../static/dashboard/elements.js";
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

Deno.test("showUsdc() separates the thousands of an amount, not its decimals", () => {
  const cases: [string, string][] = [
    ["0.00", "0.00 USDC"],
    ["999.00", "999.00 USDC"],
    ["1000.00", "1,000.00 USDC"],
    ["11988.004321", "11,988.004321 USDC"],
    ["1000000000", "1,000,000,000 USDC"],
  ];
  for (const [amount, text] of cases) assertEquals(showUsdc(amount), text);
});
