/**
 * Limits of the changes that one wallet makes, and of requests without a session by
 * network: how many, in which time, and what a refusal says.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  limitFreeAction,
  limitWallet,
} from "../../../../services/platform/rate_limit/change_limits.ts";
import { testDeps } from "../../../support/deps.ts";
import { NO_CALLS } from "../../../../services/platform/rate_limit/call_budget.ts";

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

Deno.test("limitFreeAction() counts the addresses of one network together", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < 12; nth++) {
    await limitFreeAction(deps, "challenge", `2001:db8:1:2::${nth}`);
  }
  await limitFreeAction(deps, "challenge", "2001:db8:1:3::1");
  await limitFreeAction(deps, "keyCreation", "2001:db8:1:2::1");
  const error = await assertRejects(
    () => limitFreeAction(deps, "challenge", "2001:db8:1:2::abcd"),
    Fault,
  );
  assertEquals(error.failure.kind, "tooManyChanges");
  assertEquals(
    error.message,
    "Rate limit of this network exceeded: expected at most 12 sign-in messages a minute and 120 sign-in messages an hour; try again in 61 seconds",
  );
});

/** What a network may do, as the refusal of its /64, /56 and /48 says it. */
const REFUSALS = {
  challenge: [
    "12 sign-in messages a minute and 120 sign-in messages an hour",
    "24 sign-in messages a minute and 240 sign-in messages an hour",
    "48 sign-in messages a minute and 480 sign-in messages an hour",
  ],
  keyCreation: ["20 new keys a day", "20 new keys a day", "40 new keys a day"],
  publicScore: [
    "12 new scores a minute and 60 new scores an hour and 200 new scores a day",
    "24 new scores a minute and 120 new scores an hour and 400 new scores a day",
    "48 new scores a minute and 240 new scores an hour and 800 new scores a day",
  ],
} as const;

Deno.test("limitFreeAction() counts an action by its networks, smallest first, and says which limit of them is exceeded", async () => {
  using deps = await testDeps();
  const sizes = [
    "2001:db8:1:102::/64",
    "2001:db8:1:100::/56",
    "2001:db8:1::/48",
  ];
  for (const [action, limits] of Object.entries(REFUSALS)) {
    const what = action as keyof typeof REFUSALS;
    for (const [full, limit] of limits.entries()) {
      const taken: string[] = [];
      const budgets = {
        ...deps.store.budgets,
        take: (name: string) => {
          taken.push(name);
          return Promise.resolve(
            taken.length > full
              ? {
                allowed: false,
                retryAfterMs: 7_000,
                party: undefined,
                limit: null,
              } as const
              : {
                allowed: true,
                counts: { all: NO_CALLS, parties: [] },
                calls: 1,
              } as const,
          );
        },
      };
      const { failure, message } = await assertRejects(
        () =>
          limitFreeAction(
            { now: deps.now, store: { budgets } },
            what,
            "2001:db8:1:102::7",
          ),
        Fault,
      );
      assertEquals(
        taken,
        sizes.slice(0, full + 1).map((size) => `${what} ${size}`),
      );
      assertEquals(failure, { kind: "tooManyChanges", retryAfterMs: 7_000 });
      assertEquals(
        message,
        `Rate limit of this network exceeded: expected at most ${limit}; try again in 7 seconds`,
      );
    }
  }
});
