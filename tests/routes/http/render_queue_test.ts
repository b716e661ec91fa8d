/** The queue of renders: one at a time, in turns, and few of each network. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import {
  renderQueue,
  ROUTE_COSTS,
  UPSTREAM_MS,
} from "../../../routes/http/render_queue.ts";
import { shareWork } from "../../../services/platform/cache.ts";
import { Fault } from "../../../services/platform/fault.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";

const SETTINGS = {
  now: () => new Date("2026-11-21T08:00:00Z"),
  sleep: () => Promise.resolve(),
  openRequestsPerMinute: 6_000,
};

/** A queue whose work is a page, unless it says otherwise. */
function openQueue(
  settings: Partial<Parameters<typeof renderQueue>[0]> = {},
) {
  const { noteKeyed, run } = renderQueue({ ...SETTINGS, ...settings });
  return {
    noteKeyed,
    run: <T>(
      network: string | undefined,
      work: () => Promise<T>,
      { route = "/" } = {},
    ) => run(network, work, { route }),
  };
}

/** A queue whose renders end when the test says so. */
function newQueue(
  settings: Partial<Parameters<typeof renderQueue>[0]> = {},
) {
  const { run } = openQueue(settings);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  return {
    started,
    /** Starts a render of a network. */
    render: (network: string) =>
      run(network, () => {
        started.push(network);
        return new Promise<void>((resolve) => ends.push(resolve));
      }),
    /** Ends the render under way and waits for the next one. */
    async end() {
      ends.shift()!();
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

Deno.test("run() renders one at a time, and networks take turns", async () => {
  const { started, render, end } = newQueue();
  const all = [A, A, A, A, B, B].map(render);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(started, [A]);
  for (let nth = 1; nth <= all.length; nth++) {
    assertEquals(started.length, nth);
    await end();
  }
  await Promise.all(all);
  assertEquals(started, [A, A, B, A, B, A]);
});

Deno.test("run() refuses the ninth render of a network, and accepts it once another has ended", async () => {
  const { render, end } = newQueue();
  const eight = Array.from({ length: 8 }, () => render(A));
  const { failure } = await assertRejects(
    () => render(A),
    Fault,
    "at most 8 of this network at once",
  );
  assertEquals(failure, {
    kind: "ipRateLimit",
    of: "renders",
    network: A,
    most: 8,
    perSeconds: 1,
    retryAfterMs: 1_000,
  });
  const other = render(B);
  await end();
  const ninth = render(A);
  for (let nth = 0; nth < 9; nth++) await end();
  await Promise.all([...eight, other, ninth]);
});

Deno.test("run() delays at most 32 refusals of a network, so that a flood is not held open", async () => {
  const second = Promise.withResolvers<void>();
  const { render, end } = newQueue({ sleep: () => second.promise });
  const eight = Array.from({ length: 8 }, () => render(A));
  let refused = 0;
  const flood = Array.from(
    { length: 500 },
    () => render(A).catch(() => refused++),
  );
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(refused, 500 - 32);
  second.resolve();
  await Promise.all(flood);
  assertEquals(refused, 500);
  for (let nth = 0; nth < 8; nth++) await end();
  await Promise.all(eight);
});

/** Works for some ms, as the main thread does. */
function work(ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return Promise.resolve();
}

Deno.test("run() slows the work of a network down that has used its time, and refuses none of it", async () => {
  const slept: number[] = [];
  const { run } = openQueue({
    // The time of three pages a minute, and a part of a fourth.
    openRequestsPerMinute: Math.ceil(3.2 * ROUTE_COSTS.page["/"] * 3 / 10),
    sleep: (ms) => Promise.resolve(void slept.push(ms)),
  });
  const draw = () => Promise.resolve();
  // All are charged when they arrive, not when they end.
  await Promise.all(Array.from({ length: 4 }, () => run(A, draw)));
  assertEquals(slept, []);
  await run(B, draw);
  assertEquals(slept, [], "another network is not slowed down");
  for (let nth = 0; nth < 3; nth++) await run(A, draw);
  assertEquals(slept, [2_000, 2_000, 2_000]);
  for (let nth = 0; nth < 9; nth++) await run(undefined, draw);
  assertEquals(slept.length, 3, "an unknown network is not slowed down");
});

Deno.test("run() charges a picture more than a page, and the time that work takes is not charged", async () => {
  const open = () => {
    const slept: number[] = [];
    const queue = openQueue({
      openRequestsPerMinute: 30,
      sleep: (ms) => Promise.resolve(void slept.push(ms)),
    });
    return { ...queue, slept };
  };
  const pages = open();
  for (let nth = 0; nth < 3; nth++) await pages.run(A, () => work(60));
  assertEquals(pages.slept, []);
  const pictures = open();
  for (let nth = 0; nth < 3; nth++) {
    await pictures.run(A, () => Promise.resolve(), { route: "picture" });
  }
  assertEquals(pictures.slept.length, 1);
});

Deno.test("run() queues 512 answers of chain data of a network, beside its pages", async () => {
  const { run } = openQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = () => run(A, () => promise, { route: "/api/chain-data/metrics" });
  const all = Array.from({ length: 512 }, ask);
  await assertRejects(ask, Fault, "Too many answers are being made");
  const page = run(A, () => promise);
  resolve();
  await Promise.all([...all, page]);
});

Deno.test("run() passes the turn on at once while work waits for an upstream, and charges each read of it, not the wait", async () => {
  const slept: number[] = [];
  const { run } = openQueue({
    // Two pages and their three reads, and a little more.
    openRequestsPerMinute: Math.ceil(
      (2.2 * ROUTE_COSTS.page["/"] + 3 * UPSTREAM_MS) * 3 / 10,
    ),
    sleep: (ms) => Promise.resolve(void slept.push(ms)),
  });
  const upstream = Promise.withResolvers<void>();
  const share = shareWork(SETTINGS.now);
  const seen: string[] = [];
  // Several wait for one read, and one of them for two reads at once.
  const first = run(A, async () => {
    seen.push("first waits");
    await share("series", () => upstream.promise);
    seen.push("first goes on");
    await work(20);
    await Promise.resolve();
    seen.push("first ends");
  });
  const second = run(A, async () => {
    seen.push("second waits");
    await Promise.all([
      share("series", () => upstream.promise),
      share("chain", () => upstream.promise),
    ]);
    seen.push("second goes on");
    await work(20);
    await Promise.resolve();
    seen.push("second ends");
  });
  await run(B, () => Promise.resolve(void seen.push("other")));
  await new Promise((resolve) => setTimeout(resolve, 300));
  upstream.resolve();
  await Promise.all([first, second]);
  assertEquals(seen, [
    "first waits",
    "second waits",
    "other",
    "first goes on",
    "first ends",
    "second goes on",
    "second ends",
  ]);
  await run(A, () => work(1));
  assertEquals(slept, [], "300 ms of waiting cost nothing");
  await run(A, () => work(1));
  assertEquals(slept.length, 1, "the reads were charged");
});

Deno.test("run() passes the turn on after a tenth of a second, whatever the work waits for", async () => {
  const { started, render, end } = newQueue();
  const slow = render(A);
  const next = render(B);
  const startedAt = performance.now();
  while (started.length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assertEquals(started, [A, B]);
  // A tenth of a second, and what a busy machine adds.
  assert(performance.now() - startedAt < 10_000);
  await end();
  await end();
  await Promise.all([slow, next]);
});

Deno.test("run() throws what a render throws, and passes its turn on", async () => {
  const { run } = openQueue();
  const bug = new Error("a bug");
  const failed = run(A, () => Promise.reject(bug));
  const next = run(B, () => Promise.resolve("drawn"));
  assertStrictEquals(await assertRejects(() => failed), bug);
  assertEquals(await next, "drawn");
});

Deno.test("run() pauses for twice the length of a render while keyed requests are served", async () => {
  const { noteKeyed, run } = openQueue();
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  noteKeyed();
  let endedAt = 0;
  const first = run(A, async () => {
    await wait(50);
    endedAt = performance.now();
  });
  const startedAt = await run(B, () => Promise.resolve(performance.now()));
  await first;
  const pauseMs = startedAt - endedAt;
  assert(pauseMs >= 95, `${pauseMs} ms`);
});

Deno.test("run() takes at most 256 renders of all networks", async () => {
  const { run } = openQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const render = (network: string) => run(network, () => promise);
  const all = Array.from({ length: 256 }, (_, at) => render(`network ${at}`));
  await assertRejects(() => render("another"), Fault, "and 256 in all");
  resolve();
  await Promise.all(all);
  await render("another");
});
