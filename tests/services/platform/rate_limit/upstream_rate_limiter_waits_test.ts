/** What a caller of an upstream waits for, how it is refused, and what it asks of the database. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  changeRequester,
  freeRequester,
} from "../../../../services/platform/rate_limit/requesters.ts";
import { UNSHARED } from "../../../../services/platform/rate_limit/shared_budget.ts";
import { upstreamRateLimiter } from "../../../../services/platform/rate_limit/upstream_rate_limiter.ts";
import { testDeps } from "../../../support/deps.ts";

const LIMITS = [{ calls: 12, perMs: 60_000 }];
const BUDGET = { name: "up.test", limits: LIMITS, shares: UNSHARED };
const signal = new AbortController().signal;
const asReader = { priority: "reader", signal } as const;
const asJob = { priority: "job", signal } as const;

/** A limiter of one call a second whose sleeps end together, and how often it asked for a call. */
async function newSleeper() {
  const deps = await testDeps();
  const woken = Promise.withResolvers<void>();
  let asked = 0;
  const budgets: typeof deps.store.budgets = {
    ...deps.store.budgets,
    takeShared: (...call) => {
      asked++;
      return deps.store.budgets.takeShared(...call);
    },
  };
  const sleeping: number[] = [];
  const rateLimiter = upstreamRateLimiter({
    now: deps.now,
    sleep: (ms) => {
      sleeping.push(ms);
      return woken.promise;
    },
    store: { budgets },
  }, {
    name: "up.test",
    limits: [{ calls: 1, perMs: 1_000 }],
    shares: { ...UNSHARED, free: { reserved: 0, asking: 0, max: 1 } },
  });
  return { deps, woken, rateLimiter, sleeping, asked: () => asked };
}

/** Lets everything run that waits for no timer. */
async function settle(deps: { kv: Deno.Kv }): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await deps.kv.get(["turn"]);
}

Deno.test("acquire() waits as long as its priority may, and is refused above that at once", async () => {
  const waits = [
    [asReader, 5_000, true],
    [asReader, 5_001, false],
    [asJob, 90_000, true],
    [asJob, 90_001, false],
  ] as const;
  for (const [options, pauseMs, isAllowed] of waits) {
    using deps = await testDeps();
    const rateLimiter = upstreamRateLimiter(deps, BUDGET);
    await rateLimiter.pause(pauseMs);
    const start = deps.now().getTime();
    const outcome = await rateLimiter.acquire(options)
      .catch((error: unknown) => error);
    if (isAllowed) {
      assertEquals(outcome, undefined);
      assertEquals(deps.now().getTime() - start, pauseMs);
      continue;
    }
    assert(outcome instanceof Fault);
    assertEquals(outcome.failure, {
      kind: "upstreamDown",
      upstream: "up.test",
      retryAfterMs: pauseMs,
      isPaused: true,
    });
    assertMatch(
      outcome.message,
      /^Cannot read up\.test now: it asks all callers for a pause; try again in/,
    );
    assertEquals(
      String(outcome.cause),
      "Error: up.test refuses calls until its pause has ended",
    );
    assertEquals(deps.now().getTime(), start);
  }
});

Deno.test("a client's share is refused at once with its limit, also for a short wait; used up calls of all are waited for", async () => {
  using deps = await testDeps();
  const limits = [{ calls: 4, perMs: 1_000 }];
  const rateLimiter = upstreamRateLimiter(deps, { ...BUDGET, limits });
  const asClient = { ...asReader, client: "192.0.2.1" };
  const start = deps.now().getTime();
  await rateLimiter.acquire(asClient);
  await rateLimiter.acquire(asClient);
  const { failure, message } = await assertRejects(
    () => rateLimiter.acquire(asClient),
    Fault,
  );
  assertEquals(deps.now().getTime(), start);
  assert(failure.kind === "ipRateLimit");
  assertEquals(failure, {
    kind: "ipRateLimit",
    of: "fetches",
    network: "192.0.2.1",
    most: 2,
    perSeconds: 1,
    retryAfterMs: failure.retryAfterMs,
  });
  assertEquals(
    message,
    "Rate limit of this network exceeded: expected at most 2 calls to up.test a second; try again in 2 seconds, or accept stored data with Cache-Control: max-stale",
  );
  await rateLimiter.acquire(asReader);
  await rateLimiter.acquire(asReader);
  await rateLimiter.acquire({ ...asReader, client: "192.0.2.2" });
  const waited = deps.now().getTime() - start;
  assert(waited > 0 && waited <= 1_017, `${waited} ms`);
});

Deno.test("a refusal names the budget for the service and its changes, and the class for a score without a wallet", async () => {
  using deps = await testDeps();
  const budget = {
    ...BUDGET,
    limits: [{ calls: 1, perMs: 3_600_000 }],
    shares: { ...UNSHARED, free: { reserved: 0, asking: 0, max: 1 } },
  };
  const rateLimiter = upstreamRateLimiter(deps, budget);
  await rateLimiter.acquire(asReader);
  const change = changeRequester({ wallet: "0xc1", hostname: null });
  for (const asked of [{}, { client: "192.0.2.1" }, { requester: change }]) {
    const { failure, message } = await assertRejects(
      () => rateLimiter.acquire({ ...asReader, ...asked }),
      Fault,
    );
    assertEquals(failure.kind, "upstreamDown");
    assertEquals(
      message,
      "Cannot read up.test: the budget of calls is used up",
    );
  }
  const other = upstreamRateLimiter(deps, {
    ...BUDGET,
    name: "b.test",
    limits: [{ calls: 2, perMs: 3_600_000 }],
  });
  await other.acquire({ ...asReader, requester: change });
  const share = await assertRejects(
    () => other.acquire({ ...asReader, requester: change }),
    Fault,
  );
  assertEquals(
    share.message,
    "Cannot read b.test: the budget of calls is used up",
  );
  const { failure } = await assertRejects(
    () => rateLimiter.acquire({ ...asReader, requester: freeRequester({}) }),
    Fault,
  );
  assert(failure.kind === "callsUsedUp");
  assertEquals([failure.requester, failure.usedBy], ["free", "everyone"]);
});

Deno.test("calls that name no requester count for the default one", async () => {
  using deps = await testDeps();
  const payments = { reserved: 0, asking: 0, max: 1 };
  const budget = { ...BUDGET, shares: { payments } };
  const rateLimiter = upstreamRateLimiter(deps, budget, {
    defaultOf: { of: "payments", parties: [] },
  });
  await rateLimiter.acquire(asReader);
  const { value } = await deps.kv.get<{ classes: Record<string, unknown> }>([
    "budgets",
    "up.test",
  ]);
  assertEquals(Object.keys(value?.classes ?? {}), ["payments"]);
});

Deno.test("acquire() asks for one call of a queue at a time, and an aborted one leaves it at once", async () => {
  const { deps, woken, rateLimiter, sleeping, asked } = await newSleeper();
  using _ = deps;
  await rateLimiter.acquire(asReader);
  const { signal } = new AbortController();
  const listeners: string[] = [];
  signal.addEventListener = () => void listeners.push("added");
  signal.removeEventListener = () => void listeners.push("removed");
  const first = rateLimiter.acquire(asReader);
  await settle(deps);
  assertEquals([asked(), sleeping.length], [3, 1]);
  const second = rateLimiter.acquire({ ...asReader, signal });
  await settle(deps);
  assertEquals([asked(), sleeping.length], [3, 1], "the second has not asked");
  assertEquals(listeners, ["added"]);
  await assertRejects(
    () => rateLimiter.acquire({ ...asReader, signal: AbortSignal.abort() }),
    Fault,
    "answer took too long",
  );
  assertEquals(await rateLimiter.reserve(asReader, 2), asReader);
  assertEquals(asked(), 3);
  deps.advance(2_000);
  woken.resolve();
  await first;
  assertEquals(asked(), 4);
  deps.advance(2_000);
  await second;
  assertEquals([asked(), sleeping.length], [5, 1]);
  assertEquals(listeners, ["added", "removed"]);
});

Deno.test("acquire() takes a free call at once, however many others wait", async () => {
  const { deps, woken, rateLimiter, sleeping } = await newSleeper();
  using _ = deps;
  const ended = new AbortController();
  const asWallet = (nth: number) => ({
    ...asReader,
    signal: ended.signal,
    requester: freeRequester({ wallet: `0x${nth}` }),
  });
  await rateLimiter.acquire(asWallet(99));
  const waiting = Promise.allSettled(
    Array.from({ length: 32 }, (_, nth) => rateLimiter.acquire(asWallet(nth))),
  );
  while (sleeping.length < 32) await settle(deps);
  await assertRejects(() => rateLimiter.acquire(asWallet(98)), Fault);
  deps.advance(2_000);
  await rateLimiter.acquire(asWallet(98));
  ended.abort();
  woken.resolve();
  await waiting;
});

Deno.test("reserve() counts nothing for an aborted request", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(deps, BUDGET);
  const aborted = { ...asReader, signal: AbortSignal.abort() };
  assertEquals(await rateLimiter.reserve(aborted, 2), aborted);
  assertEquals((await deps.kv.get(["budgets", "up.test"])).value, null);
});
