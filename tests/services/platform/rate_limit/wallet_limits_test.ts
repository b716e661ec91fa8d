import { assert, assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import { limitWallet } from "../../../../services/platform/rate_limit/wallet_limits.ts";
import { testDeps } from "../../../support/deps.ts";

const WALLET = `0x${"aa".repeat(20)}`;

/** The changes that a wallet may make in a minute. */
const PER_MINUTE = {
  profile: 20,
  social: 10,
  donation: 20,
  follow: 100,
  quote: 20,
  claim: 20,
} as const;

for (const [kind, calls] of Object.entries(PER_MINUTE)) {
  Deno.test(`limitWallet() allows ${calls} changes of kind "${kind}" a minute, of each wallet`, async () => {
    using deps = await testDeps();
    const change = (wallet = WALLET) =>
      limitWallet(deps, kind as keyof typeof PER_MINUTE, wallet);
    for (let nth = 0; nth < calls; nth++) await change();
    const { failure, message } = await assertRejects(() => change(), Fault);
    assertEquals(failure.kind, "tooManyChanges");
    assert(message.includes(`at most ${calls} `), message);
    const { retryAfterMs } = failure as { retryAfterMs?: number };
    // Calls are counted by the second.
    assert(retryAfterMs! > 0 && retryAfterMs! <= 61_000, String(retryAfterMs));
    await change(`0x${"bb".repeat(20)}`);
    deps.advance(retryAfterMs!);
    await change();
  });
}
