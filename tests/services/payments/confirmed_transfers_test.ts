/** How many transactions are read a minute, for all callers together. */
import { assertEquals, assertRejects } from "@std/assert";
import { countRead } from "../../../services/payments/confirmed_transfers.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { testDeps } from "../../support/deps.ts";
import { walletOf } from "../../support/evm/payers.ts";

Deno.test("countRead() allows 40 checks a minute of any callers, and says when the next fits", async () => {
  using deps = await testDeps();
  const txHash = "0x12";
  const count = (nth: number) => {
    const reader = { wallet: walletOf(nth), hostname: `203.0.113.${nth}` };
    return countRead(deps, { txHash, reader });
  };
  for (let nth = 0; nth < 40; nth++) await count(nth);
  const refused = () => assertRejects(() => count(40), Fault);
  const { message, failure } = await refused();
  assertEquals(
    message,
    "Cannot check 0x12 now: all callers share 40 checks a minute, and they are used up; try again in 61 seconds",
  );
  assertEquals(failure, { kind: "tooManyChanges", retryAfterMs: 61_000 });
  deps.advance(60_999);
  await refused();
  deps.advance(1);
  await count(40);
});
