/** The queue of renders: one at a time, in turns, and few of each network. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import {
  isRenderRefused,
  renderQueue,
} from "../../../routes/http/render_queue.ts";
import { Fault } from "../../../services/platform/fault.ts";

const A = "192.0.2.1";
const B = "192.0.2.2";

const SETTINGS = {
  now: () => new Date("2026-11-21T08:00:00Z"),
  sleep: () => Promise.resolve(),
  openRequestsPerMinute: 6_000,
};

/** A queue whose renders end when the test says so. */
function newQueue(
  settings: Partial<Parameters<typeof renderQueue>[0]> = {},
) {
  const { run } = renderQueue({ ...SETTINGS, ...settings });
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

Deno.test("run() limits a network to a twentieth of its requests a minute", async () => {
  const { render, end } = newQueue({ openRequestsPerMinute: 60 });
  for (let nth = 0; nth < 3; nth++) {
    const rendered = render(A);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await end();
    await rendered;
  }
  const { message, failure } = await assertRejects(() => render(A), Fault);
  assertEquals(
    message,
    "Rate limit of this network exceeded: expected at most 3 pages and charts that are not cached a minute; try again in 20 seconds",
  );
  assertEquals("retryAfterMs" in failure && failure.retryAfterMs, 20_000);
});

Deno.test("run() passes the turn on while a render waits for an upstream", async () => {
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
  const { run } = renderQueue(SETTINGS);
  const bug = new Error("a bug");
  const failed = run(A, () => Promise.reject(bug));
  const next = run(B, () => Promise.resolve("drawn"));
  assertStrictEquals(await assertRejects(() => failed), bug);
  assertEquals(await next, "drawn");
});

Deno.test("run() pauses for twice the length of a render while keyed requests are served", async () => {
  const { noteKeyed, run } = renderQueue(SETTINGS);
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
  const { run } = renderQueue(SETTINGS);
  const { promise, resolve } = Promise.withResolvers<void>();
  const render = (network: string) => run(network, () => promise);
  const all = Array.from({ length: 256 }, (_, at) => render(`network ${at}`));
  await assertRejects(() => render("another"), Fault, "and 256 in all");
  resolve();
  await Promise.all(all);
  await render("another");
});

Deno.test("run() rounds the limit of a network up, and has none for an unknown network", async () => {
  const { run } = renderQueue({ ...SETTINGS, openRequestsPerMinute: 21 });
  const draw = (network: string | undefined) =>
    run(network, () => Promise.resolve("drawn"));
  assertEquals([await draw(A), await draw(A)], ["drawn", "drawn"]);
  await assertRejects(() => draw(A), Fault, "at most 2 pages");
  for (let nth = 0; nth < 3; nth++) {
    assertEquals(await draw(undefined), "drawn");
  }
});

Deno.test("isRenderRefused() is true only for a refused render", () => {
  const of = (kind: string, of: string) =>
    isRenderRefused({ failure: { kind, of } } as unknown as Fault);
  assertEquals(of("ipRateLimit", "renders"), true);
  assertEquals(of("ipRateLimit", "requests"), false);
  assertEquals(of("quota", "renders"), false);
});
