/** Keyed calls: who is charged, what is asked of the store in which order, and what a request shows afterwards. */
import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import type { Caller } from "../../../services/accounts/access.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { CommitOutcomeUnknown } from "../../../services/platform/kv/commit.ts";
import {
  type KeyedRequest,
  meter,
  requesterOf,
  verifyCaller,
} from "../../../services/scores/charge_and_refund.ts";
import { testDeps } from "../../support/deps.ts";

const WALLET = `0x${"ee".repeat(20)}`;
const CALLER: Caller = {
  keyId: "k1",
  originId: "k1",
  kind: "live",
  wallet: WALLET,
  owner: WALLET,
  plan: "free",
  paidUntil: null,
  limits: NO_LIMITS,
  networks: null,
};

/** Answers to a cached caller's `spendIf`. */
type Answer = "counted" | "changed" | "refused" | "failed" | "lost";

/** A keyed request of a cached caller, and what is asked of the store, in order. */
async function newRequest(
  { answer = "counted", stored = CALLER, cached = CALLER }: {
    answer?: Answer;
    stored?: Caller;
    cached?: Caller | null;
  } = {},
) {
  const deps = await testDeps();
  const events: string[] = [];
  const { usage } = deps.store;
  const counted: typeof usage = {
    ...usage,
    spendIf(versions, payer, { charge, now }) {
      events.push(`count ${charge.units} of ${versions.length} versions`);
      if (answer === "changed") return Promise.resolve(null);
      if (answer === "failed") return Promise.reject(new Error("no database"));
      if (answer === "lost") {
        return Promise.reject(new CommitOutcomeUnknown(null));
      }
      if (answer === "refused") {
        return Promise.resolve({ allowed: false, which: "contended" } as const);
      }
      return usage.spendIf([], payer, { charge, now });
    },
    spend(payer, charge, now) {
      events.push(`spend ${charge.units}`);
      return usage.spend(payer, charge, now);
    },
    refund(payer, charge, spentAt) {
      events.push(`refund ${charge.units} of ${charge.endpoint}`);
      return usage.refund(payer, charge, spentAt);
    },
  };
  const request: KeyedRequest = {
    key: "key",
    hostname: null,
    caller: cached ?? stored,
    unverified: cached && {
      caller: cached,
      versions: [{} as never, {} as never],
      markVerified: () => events.push("verified"),
    },
    endpoint: "score",
    quotaStatus: null,
    units: 0,
    callers: {
      find: () => null,
      authorize() {
        events.push("authorize");
        return Promise.resolve(stored);
      },
      remove: (key) => events.push(`remove ${key}`),
    } as KeyedRequest["callers"],
  };
  const work = () => {
    events.push("work");
    return Promise.resolve("answer");
  };
  const fixture = () => {
    events.push("fixture");
    return "fixed";
  };
  const call = { endpoint: "score", units: 2, work, fixture } as const;
  const asked = { ...deps, store: { ...deps.store, usage: counted } };
  return {
    request,
    events,
    call,
    deps: asked,
    [Symbol.dispose]: () => deps[Symbol.dispose](),
  };
}

Deno.test("requesterOf() charges a paid wallet, and a free one with its networks too", () => {
  const of = (plan: Caller["plan"], hostname: string | null) =>
    requesterOf(
      { caller: { ...CALLER, plan }, hostname } as unknown as KeyedRequest,
    );
  const weights = { builder: 4, growth: 16, scale: 16 } as const;
  for (const [plan, weight] of Object.entries(weights)) {
    const { parties, ...rest } = of(plan as Caller["plan"], "192.0.2.1");
    assertEquals(rest, { of: "plans", weight });
    assertEquals(parties.map(({ name }) => name), [WALLET]);
  }
  const wallet = { name: WALLET, cap: 1 / 20 };
  assertEquals(of("free", null), { of: "free", parties: [wallet], weight: 1 });
  assertEquals(of("free", "192.0.2.1").parties, [
    wallet,
    { name: "192.0.2.1", cap: 1 / 5 },
  ]);
});

Deno.test("verifyCaller() reads a caller once, and only a cached one", async () => {
  const stored = { ...CALLER, plan: "scale" } as const;
  using made = await newRequest({ stored });
  const { request, events } = made;
  await verifyCaller(request);
  await verifyCaller(request);
  assertEquals([request.caller, request.unverified], [stored, null]);
  assertEquals(events, ["authorize"]);
});

Deno.test("meter() counts a cached caller in one step, and others once their caller is read", async () => {
  const counted = "count 2 of 2 versions";
  const fromStore = ["authorize", "spend 2"];
  const cases: [answer: Answer, events: string[]][] = [
    ["counted", [counted, "verified", "work"]],
    ["changed", [counted, "remove key", ...fromStore, "work"]],
    ["refused", [counted, ...fromStore, "work"]],
    ["failed", [counted, "remove key", ...fromStore, "work"]],
  ];
  for (const [answer, expected] of cases) {
    using made = await newRequest({ answer });
    const { deps, request, call, events } = made;
    assertEquals(await meter(deps, request, call), "answer");
    assertEquals(events, expected, answer);
    assertEquals([request.units, request.unverified], [2, null]);
    const { quotaStatus } = request;
    assertEquals(quotaStatus!.limit - quotaStatus!.remaining, 2);
  }
});

Deno.test("meter() neither works nor counts again if a count may have been written", async () => {
  using made = await newRequest({ answer: "lost" });
  const { deps, request, call, events } = made;
  await assertRejects(() => meter(deps, request, call), CommitOutcomeUnknown);
  assertEquals(events, ["count 2 of 2 versions"]);
  assertEquals([request.units, request.quotaStatus], [0, null]);
});

Deno.test("meter() asks nothing of a cached caller that may not use an endpoint, and refuses the stored one uncounted", async () => {
  const scoped = {
    ...CALLER,
    limits: { ...CALLER.limits, scopes: ["usage"] },
  } as const satisfies Caller;
  using made = await newRequest({ cached: scoped, stored: scoped });
  const { deps, request, call, events } = made;
  const { failure } = await assertRejects(
    () => meter(deps, request, call),
    Fault,
  );
  assertEquals(failure.kind, "scopeRequired");
  assertEquals(events, ["authorize"]);
});

Deno.test("meter() throws the refusal of a used up quota with its status, and costs nothing", async () => {
  using made = await newRequest({ cached: null });
  const { deps, request, call, events } = made;
  const { failure } = await assertRejects(
    () => meter(deps, request, { ...call, units: 2_501 }),
    Fault,
  );
  assertEquals(failure.kind, "quotaExceeded");
  assertEquals(events, ["spend 2501"]);
  assertEquals([request.units, request.quotaStatus?.remaining], [0, 2_500]);
});

Deno.test("meter() refunds work that fails, and shows no status", async () => {
  using made = await newRequest();
  const { deps, request, call, events } = made;
  const bug = new Error("a bug");
  const work = () => Promise.reject(bug);
  const error = await assertRejects(() =>
    meter(deps, request, { ...call, work })
  );
  assertStrictEquals(error, bug);
  assertEquals(events, [
    "count 2 of 2 versions",
    "verified",
    "refund 2 of score",
  ]);
  assertEquals([request.units, request.quotaStatus], [0, null]);
  const { period } = await deps.store.usage.readWallet(WALLET);
  assertEquals(period.hours.units.reduce((sum, units) => sum + units, 0), 0);
});

Deno.test("meter() answers a test key without counting, with the status of a simulated refusal", async () => {
  const test = { ...CALLER, kind: "test", wallet: "test" } as const;
  const answer = async (fixture?: () => never) => {
    using made = await newRequest({ cached: null, stored: test });
    const { deps, request, call, events } = made;
    const given = await meter(deps, request, {
      ...call,
      ...fixture && { fixture },
    }).catch((error) => error);
    const { quotaStatus, units } = request;
    return { given, events, units, status: quotaStatus! };
  };
  const fixed = await answer();
  assertEquals([fixed.given, fixed.units], ["fixed", 0]);
  assertEquals(fixed.events, ["fixture"]);
  assertEquals(fixed.status.burst.remaining, fixed.status.burst.limit);
  const limited = new Fault("too many", {
    kind: "rateLimited",
    limitedBy: "burst",
    retryAfterMs: 7_000,
    needed: 1,
    remaining: 0,
  });
  const refused = await answer(() => {
    throw limited;
  });
  assertStrictEquals(refused.given, limited);
  assertEquals([refused.status.burst.remaining, refused.units], [0, 0]);
  const bug = new Error("a bug");
  const broken = await answer(() => {
    throw bug;
  });
  assertStrictEquals(broken.given, bug);
  assertEquals(broken.status.burst.remaining, broken.status.burst.limit);
});
