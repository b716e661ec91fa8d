/** Limits of the changes that one wallet makes: how many, in which time, and what a refusal says. */
import { assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import { limitWallet } from "../../../../services/platform/rate_limit/change_limits.ts";
import { testDeps } from "../../../support/deps.ts";

const WALLET = `0x${"aa".repeat(20)}`;

/** The changes that a wallet may make in a minute, and their name in messages. */
const PER_MINUTE = {
  profile: [20, "profile changes"],
  export: [5, "exports"],
  social: [
    10,
    "social account changes",
    " and 30 social account changes an hour",
  ],
  donation: [20, "donations"],
  follow: [100, "follow changes"],
  quote: [20, "quotes"],
} as const;

for (const [name, [calls, noun, more = ""]] of Object.entries(PER_MINUTE)) {
  const kind = name as keyof typeof PER_MINUTE;
  Deno.test(`limitWallet() allows ${calls} changes of kind "${kind}" a minute, of each wallet`, async () => {
    using deps = await testDeps();
    const change = (wallet = WALLET) => limitWallet(deps, kind, wallet);
    for (let nth = 0; nth < calls; nth++) await change();
    const { failure, message } = await assertRejects(() => change(), Fault);
    // Calls are counted by the second.
    assertEquals(failure, { kind: "tooManyChanges", retryAfterMs: 61_000 });
    assertEquals(
      message,
      `Rate limit of this wallet exceeded: expected at most ${calls} ${noun} a minute${more}; try again in 61 seconds`,
    );
    await change(`0x${"bb".repeat(20)}`);
    deps.advance(61_000);
    await change();
  });
}
