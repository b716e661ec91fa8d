import { tapKv } from "../../../support/kv/tapped_kv.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import { freeRequester } from "../../../../services/platform/rate_limit/requesters.ts";
import { UNSHARED } from "../../../../services/platform/rate_limit/shared_budget.ts";
import { upstreamRateLimiter } from "../../../../services/platform/rate_limit/upstream_rate_limiter.ts";
import { testDeps } from "../../../support/deps.ts";

const LIMITS = [{ calls: 12, perMs: 60_000 }];
const BUDGET = { name: "up.test", limits: LIMITS, shares: UNSHARED };
const signal = new AbortController().signal;
const asReader = { priority: "reader", signal } as const;
const asJob = { priority: "job", signal } as const;

Deno.test("acquire() makes a job wait, and reserves a part of the budget for readers", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(deps, BUDGET);
  const start = deps.now().getTime();
  for (let call = 0; call < 10; call++) await rateLimiter.acquire(asJob);
  assertEquals(deps.now().getTime(), start);
  await rateLimiter.acquire(asReader);
  await rateLimiter.acquire(asReader);
  await rateLimiter.acquire(asJob);
  const waited = deps.now().getTime() - start;
  assert(waited >= 60_000 && waited <= 62_000, `${waited} ms`);
});

Deno.test("acquire() rejects a reader with retryAfterMs instead of a long wait", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(deps, BUDGET);
  for (let call = 0; call < 12; call++) await rateLimiter.acquire(asReader);
  const start = deps.now().getTime();
  const fault = await assertRejects(
    () => rateLimiter.acquire(asReader),
    Fault,
    "budget",
  );
  assertEquals(deps.now().getTime(), start);
  assert(
    "retryAfterMs" in fault.failure && fault.failure.retryAfterMs > 50_000,
  );
});

Deno.test("pause() stops every process until the pause ends", async () => {
  using deps = await testDeps();
  await upstreamRateLimiter(deps, BUDGET).pause(30_000);
  const elsewhere = upstreamRateLimiter(deps, BUDGET);
  await assertRejects(() => elsewhere.acquire(asReader), Fault);
  deps.advance(30_000);
  await elsewhere.acquire(asReader);
});

Deno.test("acquire() counts readers and jobs separately if jobs have limits of their own", async () => {
  using deps = await testDeps();
  const limits = [{ calls: 2, perMs: 60_000 }];
  const jobLimits = [{ calls: 5, perMs: 60_000 }];
  const rateLimiter = upstreamRateLimiter(
    deps,
    { ...BUDGET, limits },
    { jobLimits },
  );
  const start = deps.now().getTime();
  for (let call = 0; call < 5; call++) await rateLimiter.acquire(asJob);
  await rateLimiter.acquire(asReader);
  await rateLimiter.acquire(asReader);
  assertEquals(deps.now().getTime(), start);
  await assertRejects(() => rateLimiter.acquire(asReader), Fault, "budget");
  await rateLimiter.acquire(asJob);
  assert(deps.now().getTime() - start >= 60_000);
  await rateLimiter.pause(30_000);
  await assertRejects(() => rateLimiter.acquire(asReader), Fault);
  const paused = deps.now().getTime();
  await rateLimiter.acquire(asJob);
  assertEquals(deps.now().getTime() - paused, 30_000);
});

Deno.test("acquire() ends the wait for a free call at the abort of its signal", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(
    { ...deps, sleep: () => new Promise<void>(() => {}) },
    BUDGET,
  );
  for (let call = 0; call < 10; call++) await rateLimiter.acquire(asJob);
  const aborted = new AbortController();
  const first = rateLimiter.acquire({ ...asJob, signal: aborted.signal });
  // Time in which it finds that no call is free, and sleeps.
  await new Promise((resolve) => setTimeout(resolve, 20));
  aborted.abort();
  await assertRejects(() => first, Fault, "answer took too long");
});

Deno.test("acquire() counts two upstreams of one host separately, each by its own limits", async () => {
  using deps = await testDeps();
  const limiterOf = (upstream: string, calls: number, perMs: number) => {
    const limits = [{ calls, perMs }, { calls: 500, perMs: 86_400_000 }];
    return upstreamRateLimiter(deps, { ...BUDGET, limits }, { upstream });
  };
  const wide = limiterOf("wide", 60, 60_000);
  const narrow = limiterOf("narrow", 2, 1_000);
  const start = deps.now().getTime();
  for (let call = 0; call < 50; call++) {
    await wide.acquire(asReader);
    await narrow.acquire(asReader);
  }
  const waited = deps.now().getTime() - start;
  assert(waited >= 24_000, `50 calls of the narrow one took ${waited} ms`);
});

Deno.test("acquire() lets a reader pass a job that waits, and gives up at the abort of its signal", async () => {
  using deps = await testDeps();
  const woken = Promise.withResolvers<void>();
  const rateLimiter = upstreamRateLimiter(
    { ...deps, sleep: () => woken.promise },
    BUDGET,
  );
  for (let call = 0; call < 10; call++) await rateLimiter.acquire(asJob);
  const job = rateLimiter.acquire(asJob);
  await rateLimiter.acquire(asReader);
  const aborted = new AbortController();
  const late = rateLimiter.acquire({ ...asJob, signal: aborted.signal });
  aborted.abort();
  await assertRejects(() => late, Fault, "answer took too long");
  deps.advance(61_001);
  woken.resolve();
  await job;
});

Deno.test("acquire() lets one call of a wallet ask, and refuses scores that would wait too long", async () => {
  using deps = await testDeps();
  const woken = Promise.withResolvers<void>();
  const rateLimiter = upstreamRateLimiter(
    { ...deps, sleep: () => woken.promise },
    {
      name: "up.test",
      limits: [{ calls: 1, perMs: 1_000 }],
      shares: { free: { reserved: 0, asking: 0, max: 1 } },
    },
  );
  const requester = freeRequester({ wallet: "0xf1" });
  const ended = new AbortController();
  const asFree = { ...asReader, signal: ended.signal, requester };
  await rateLimiter.acquire(asFree);
  const waiting = Array.from({ length: 6 }, () => rateLimiter.acquire(asFree));
  const outcomes = Promise.allSettled(waiting);
  for (let turn = 0; turn < 20; turn++) await deps.kv.get(["turn"]);
  const { failure } = await assertRejects(
    () => rateLimiter.acquire(asFree),
    Fault,
  );
  assertEquals(failure, {
    kind: "callsUsedUp",
    upstream: "up.test",
    requester: "0xf1",
    usedBy: "wallet",
    retryAfterMs: 6_000,
  });
  ended.abort();
  woken.resolve();
  for (const outcome of await outcomes) {
    assert(outcome.status === "rejected");
    assertEquals(outcome.reason.failure, {
      ...failure,
      usedBy: "everyone",
      retryAfterMs: 5_000,
    });
  }
});

Deno.test("reserve() counts calls that follow each other in one commit; further and late ones are counted by themselves", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(deps, BUDGET);
  const counted = async (work: () => Promise<unknown>) => {
    const calls = tapKv(deps.kv);
    await work();
    return calls.commits;
  };
  let options = asReader as Awaited<ReturnType<typeof rateLimiter.reserve>>;
  const acquire = () => rateLimiter.acquire(options);
  assertEquals(
    await counted(async () => options = await rateLimiter.reserve(asReader, 3)),
    1,
  );
  assertEquals(await counted(acquire), 0);
  assertEquals(await counted(acquire), 0);
  assertEquals(await counted(acquire), 0);
  assertEquals(await counted(acquire), 1, "the fourth");
  options = await rateLimiter.reserve(asReader, 2);
  assertEquals(await counted(acquire), 0);
  deps.advance(10_001);
  assertEquals(await counted(acquire), 1, "too late");
  const other = upstreamRateLimiter(deps, { ...BUDGET, name: "other.test" });
  options = await rateLimiter.reserve(asReader, 2);
  assertEquals(await counted(() => other.acquire(options)), 1, "another one");
});

Deno.test("reserve() takes what is free, and nothing of a budget with a shorter window than a minute", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(deps, BUDGET);
  for (let call = 0; call < 10; call++) await rateLimiter.acquire(asReader);
  const options = await rateLimiter.reserve(asReader, 5);
  await rateLimiter.acquire(options);
  await rateLimiter.acquire(options);
  await assertRejects(() => rateLimiter.acquire(options), Fault, "budget");
  assertEquals(await rateLimiter.reserve(asReader, 2), asReader);
  const limits = [{ calls: 9, perMs: 1_000 }, ...LIMITS];
  const brief = upstreamRateLimiter(deps, { ...BUDGET, name: "b", limits });
  assertEquals(await brief.reserve(asReader, 2), asReader);
});

Deno.test("no minute has more calls than the limit, however late reserved calls are made", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(deps, BUDGET);
  // The end of a second, in which calls are counted together.
  deps.advance(999 - deps.now().getTime() % 1_000);
  const options = await rateLimiter.reserve(asReader, 12);
  await rateLimiter.acquire(options);
  deps.advance(10_000);
  for (let call = 1; call < 12; call++) await rateLimiter.acquire(options);
  const madeAt = deps.now().getTime();
  deps.advance(50_001);
  // The first call is more than a minute ago, and only that one.
  await rateLimiter.acquire(asReader);
  assertEquals(deps.now().getTime() - madeAt, 50_001);
  deps.advance(9_000);
  await rateLimiter.acquire(asReader);
  const waited = deps.now().getTime() - madeAt;
  assert(waited >= 60_000 && waited < 62_000, `${waited} ms`);
});
