import { tapKv } from "../../../support/kv/tapped_kv.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  changeRequester,
  freeRequester,
  PAYMENTS,
  planRequester,
  type Requester,
  requesterOfClient,
  SERVICE,
  UNSHARED,
} from "../../../../services/platform/rate_limit/call_budget.ts";
import { EXPLORER_SHARES } from "../../../../services/platform/rate_limit/upstream_limits.ts";
import { PLANS } from "../../../../services/payments/plans_schema.ts";
import { upstreamRateLimiter } from "../../../../services/platform/rate_limit/upstream_rate_limiter.ts";
import { budgetStore } from "../../../../services/platform/rate_limit/call_budgets_store.ts";
import { testDeps } from "../../../support/deps.ts";
import { waitUntil } from "../../../support/wait_until.ts";
import { virtualClock } from "../../../support/virtual_service.ts";

const LIMITS = [{ calls: 12, perMs: 60_000 }];
const BUDGET = { name: "up.test", limits: LIMITS, shares: UNSHARED };
const signal = new AbortController().signal;
const asReader = { priority: "reader", signal, requester: SERVICE } as const;
const asJob = { ...asReader, priority: "job" } as const;

/** A limiter of two calls a second, on a virtual clock. */
async function newQueue() {
  const { now, sleep, pass, watched } = virtualClock();
  const kv = await Deno.openKv(":memory:");
  const store = { budgets: budgetStore(watched(kv)) };
  const rateLimiter = upstreamRateLimiter({ now, sleep, store }, {
    name: "up.test",
    limits: [{ calls: 2, perMs: 1_000 }, { calls: 1_000, perMs: 86_400_000 }],
    shares: EXPLORER_SHARES,
  });
  return {
    rateLimiter,
    pass,
    now: () => now().getTime(),
    read: (requester: Requester, subject: string) =>
      rateLimiter.start({ priority: "reader", signal, requester, subject }),
    [Symbol.dispose]: () => kv.close(),
  };
}

const freeWallet = (nth: number) =>
  freeRequester(`0xf${nth}`, PLANS.free.turns, undefined);

/** Returns what a fault says about a score that waited in vain. */
function busyOf(outcome: PromiseSettledResult<unknown>) {
  assert(outcome.status === "rejected");
  const { failure } = outcome.reason as Fault;
  assert(failure.kind === "scoringBusy" || failure.kind === "capacitySpent");
  return failure;
}

Deno.test("a score waits ten seconds for its turn; then it keeps a place, and is served at its time whoever else waits", async () => {
  using queue = await newQueue();
  const { pass, read, now } = queue;
  const start = now();
  const flooding: Promise<unknown>[] = [];
  let isOver = false;
  for (let nth = 0; nth < 40; nth++) {
    flooding.push((async () => {
      for (let call = 0; !isOver; call++) {
        await read(freeWallet(nth), `0x${nth} ${call}`).catch(() => {});
      }
    })());
  }
  await pass(5_000);
  const mine = Array.from({ length: 5 }, (_, nth) => `0xmine${nth}`);
  const outcomes = Promise.allSettled(
    mine.map((subject) => read(freeWallet(99), subject)),
  );
  await pass(10_001);
  const served = [];
  for (const [nth, outcome] of (await outcomes).entries()) {
    if (outcome.status === "fulfilled") continue;
    const { retryAfterMs, usedBy, kind } = busyOf(outcome);
    assertEquals([kind, usedBy], ["scoringBusy", "everyone"]);
    served.push({ at: now() + retryAfterMs, subject: mine[nth]! });
  }
  assert(served.length >= 3, "most have to wait");
  for (const { at, subject } of served.toSorted((a, b) => a.at - b.at)) {
    await pass(at + 3_000 - now());
    const retried = read(freeWallet(99), subject);
    await pass(7_000);
    await retried;
  }
  isOver = true;
  await pass(11_000);
  await Promise.all(flooding);
  assert(now() > start);
});

Deno.test("turns are given by weight, and every wallet is served at least once a minute", async () => {
  using queue = await newQueue();
  const { pass, read, now } = queue;
  const wallets = [
    ...Array.from({ length: 20 }, (_, nth) => freeWallet(nth)),
    planRequester("0xb1", PLANS.builder.turns),
    planRequester("0x51", PLANS.scale.turns),
  ];
  const start = now();
  const end = start + 120_000;
  const served = new Map<string, number[]>();
  const reading = wallets.flatMap((requester) => {
    const { name } = requester.parties[0]!;
    const own: number[] = [];
    served.set(name, own);
    return Array.from({ length: 3 }, async (_, reader) => {
      for (let nth = 0; now() < end; nth++) {
        await read(requester, `${name} ${reader} ${nth}`)
          .then(() => own.push(now()), () => {});
      }
    });
  });
  await pass(140_000);
  await Promise.all(reading);
  const count = (name: string) => served.get(name)!.length;
  assert(count("0x51") > 2 * count("0xb1"), "Scale more than Builder");
  assert(count("0xb1") > 1.5 * count("0xf1"), "Builder more than Free");
  for (const [name, times] of served) {
    const gaps = [start, ...times].map((at, nth, all) =>
      (all[nth + 1] ?? end) - at
    );
    assert(gaps.every((gap) => gap <= 60_000), `${name} waited ${gaps}`);
  }
});

Deno.test("a wallet whose part of the day is used up is refused with the time of its return", async () => {
  using queue = await newQueue();
  const { pass, read } = queue;
  for (let nth = 0; nth < 50; nth++) {
    const reading = read(freeWallet(1), `0x${nth}`);
    await pass(1_100);
    await reading;
  }
  const refused = Promise.allSettled([read(freeWallet(1), "0xmore")]);
  await pass(0);
  const failure = busyOf((await refused)[0]!);
  assertEquals([failure.kind, failure.usedBy, failure.requester], [
    "capacitySpent",
    "wallet",
    "0xf1",
  ]);
  assert(failure.retryAfterMs > 3_600_000);
  const other = read(freeWallet(2), "0xother");
  await pass(1_000);
  await other;
});

Deno.test("what has begun goes first, payments before it", async () => {
  using queue = await newQueue();
  const { rateLimiter, pass, read } = queue;
  const begun = read(freeWallet(1), "0xbegun");
  await pass(0);
  const options = await begun;
  await rateLimiter.acquire(options);
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  const all = [
    ...Array.from({ length: 4 }, (_, nth) => read(freeWallet(9), `0x${nth}`)),
  ].map((each) => each.then(note("other")));
  all.push(rateLimiter.acquire(options).then(note("begun")));
  const asPayment = { ...asReader, requester: PAYMENTS };
  all.push(rateLimiter.acquire(asPayment).then(note("payment")));
  await pass(5_000);
  await Promise.all(all);
  // The first of the others may have asked before the rest came.
  const ranked = order.filter((name) => name !== "other");
  assertEquals(ranked, ["payment", "begun"]);
  assert(order.indexOf("begun") <= 3, String(order));
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

Deno.test("acquire() gives up at the abort of its signal, and others are served", async () => {
  using deps = await testDeps();
  const woken = Promise.withResolvers<void>();
  const rateLimiter = upstreamRateLimiter(
    { ...deps, sleep: () => woken.promise },
    BUDGET,
  );
  for (let call = 0; call < 12; call++) await rateLimiter.acquire(asJob);
  const job = rateLimiter.acquire(asJob);
  const aborted = new AbortController();
  const late = rateLimiter.acquire({ ...asJob, signal: aborted.signal });
  aborted.abort();
  await assertRejects(() => late, Fault, "answer took too long");
  await assertRejects(
    () => rateLimiter.acquire({ ...asJob, signal: AbortSignal.abort() }),
    Fault,
    "answer took too long",
  );
  deps.advance(61_001);
  woken.resolve();
  await job;
});

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
    assertMatch(outcome.message, /asks all callers for a pause/);
    assertEquals(deps.now().getTime(), start);
  }
});

Deno.test("the share of a network or a wallet is refused with its limit; used up calls of all name the budget", async () => {
  using deps = await testDeps();
  const rateLimiter = upstreamRateLimiter(deps, BUDGET);
  const as = (requester: Requester) =>
    rateLimiter.acquire({ ...asReader, requester });
  const network = requesterOfClient("192.0.2.1");
  const wallet = changeRequester({ wallet: "0xc1", hostname: null });
  for (let call = 0; call < 6; call++) await as(network);
  for (let call = 0; call < 3; call++) await as(wallet);
  const messageOf = async (requester: Requester) =>
    (await assertRejects(() => as(requester), Fault)).message
      .replace(/\d+ seconds/, "… seconds");
  assertEquals(
    await messageOf(network),
    "Rate limit of this network exceeded: expected at most 6 calls to up.test a minute; try again in … seconds, or accept stored data with Cache-Control: max-stale",
  );
  assertEquals(
    await messageOf(wallet),
    "Rate limit of this wallet exceeded: expected at most 3 calls to up.test a minute; try again in … seconds",
  );
  for (let call = 0; call < 3; call++) await as(SERVICE);
  assertEquals(
    await messageOf(SERVICE),
    "Cannot read this yet: this service's own budget of calls is used up; try again in … seconds",
  );
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

Deno.test("reads that wait in one process are counted in one commit, and two processes keep the limit", async () => {
  using deps = await testDeps();
  const calls = tapKv(deps.kv);
  const processes = [1, 2].map(() =>
    upstreamRateLimiter({
      ...deps,
      store: { budgets: budgetStore(deps.kv) },
      sleep: () => Promise.withResolvers<void>().promise,
    }, BUDGET)
  );
  let admitted = 0;
  const waitAt = (nth: number, count: number) => {
    for (let wallet = 0; wallet < count; wallet++) {
      processes[nth]!.start({
        ...asReader,
        subject: `0x${wallet}`,
        requester: planRequester(`0x${nth}${wallet}`, PLANS.scale.turns),
      }).then(() => admitted++, () => {});
    }
  };
  waitAt(0, 9);
  await waitUntil(() => admitted === 9);
  assertEquals(
    calls.commits,
    2,
    "the first one, and those that came meanwhile",
  );
  waitAt(0, 9);
  waitAt(1, 9);
  await waitUntil(() => admitted === 12);
  await deps.settle();
  assertEquals(admitted, 12);
});
