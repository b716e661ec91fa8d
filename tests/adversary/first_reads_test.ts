/** Series that a fresh service has never read, while it has used up its own calls to the source. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type FreshAnswer,
  freshService,
  mixedPaths,
} from "../support/fresh_service.ts";

const CHAINS = 20;
const PATHS = mixedPaths(CHAINS, "first reads");

/** The longest time that the source takes for a call. */
const LATENCY_MS = 1_200;

/** A network that asks for other series at once, from its own start in the list. */
const flood = (nth: number, count: number, retries = false) => ({
  network: `192.0.2.${nth}`,
  everyMs: 0,
  pathOf: (at: number) => at < count ? PATHS[nth * 40 + at] : undefined,
  retries,
});

const waitOf = ({ at, askedAt }: FreshAnswer) => at - askedAt;

Deno.test("a first read beyond the calls of a minute waits, and is answered within ten seconds when a call is free", async () => {
  using service = await freshService(CHAINS);
  const apart = { runsJobs: false };
  // They use up the calls of all readers in the first second.
  const floods = [flood(0, 20), flood(1, 20)];
  await service.read(floods, { minutes: 55 / 60, ...apart });
  const calls = service.upstreams.metricsApi.calls.length;
  const late = {
    network: "192.0.2.9",
    everyMs: 1,
    pathOf: (nth: number) => nth < 3 ? PATHS[200 + nth] : undefined,
  };
  const answers = await service.read([late], { minutes: 0.5, ...apart });
  assert(calls >= 24, `${calls} calls`);
  assertEquals(answers.map(({ status }) => status), [200, 200, 200]);
  for (const wait of answers.map(waitOf)) {
    assert(wait > 2_000 && wait <= 10_000 + LATENCY_MS, `${wait} ms`);
  }
});

Deno.test("a first read that no call serves in ten seconds is a NOT_READ_YET, whose retry is answered", async (t) => {
  using service = await freshService(CHAINS);
  const polite = {
    network: "192.0.2.9",
    everyMs: 15_000,
    pathOf: (nth: number) => nth < 8 ? PATHS[240 + nth] : undefined,
    retries: true,
  };
  const floods = [0, 1, 2].map((nth) => flood(nth, 32, true));
  const answers = await service.read([...floods, polite], { minutes: 2.5 });
  const refused = answers.filter(({ status }) => status !== 200);
  const retries = answers.filter(({ isRetry }) => isRetry);

  await t.step("it is the only refusal, and names the queue, no source", () => {
    assert(refused.length > 40, `${refused.length} refusals`);
    for (const { status, code, message, retryAfterS } of refused) {
      assertEquals([status, code], [503, "NOT_READ_YET"]);
      assertMatch(message, /waits in the queue of this service; try again in/);
      assert(!message.includes("metrics.test"), message);
      assert(retryAfterS > 0, `${retryAfterS} s`);
    }
  });
  await t.step("no request waits for longer than ten seconds", () => {
    const longest = Math.max(...refused.map(waitOf));
    assert(longest <= 10_000 + LATENCY_MS, `${longest} ms`);
  });
  await t.step("99 of 100 retries are answered", () => {
    const answered = retries.filter(({ status }) => status === 200);
    assert(retries.length > 40, `${retries.length} retries`);
    assert(
      answered.length >= 0.99 * retries.length,
      `${answered.length} of ${retries.length}`,
    );
  });
  await t.step("who asks for little waits for little", () => {
    const own = answers.filter(({ network, isRetry }) =>
      network === polite.network && !isRetry
    );
    const told = own.map(({ retryAfterS }) => retryAfterS);
    assertEquals(own.length, 8);
    assert(told.every((seconds) => seconds <= 120), `${told}`);
  });
  await t.step("the calls stay within the limits of the source", () => {
    const { calls } = service.upstreams.metricsApi;
    const most = Math.max(
      ...calls.map(({ at }) =>
        calls.filter((other) => other.at >= at && other.at < at + 60_000).length
      ),
    );
    assert(most <= 80, `${most} calls in a minute`);
  });
});

Deno.test("a first read whose source fails still says so", async () => {
  using service = await freshService(CHAINS);
  const options = { minutes: 0.1, runsJobs: false };
  // Which chains exist is known.
  await service.read([flood(0, 1)], options);
  service.upstreams.metricsApi.switch.set({ mode: "refuse" });
  const answers = await service.read([flood(1, 1)], options);
  assertEquals(
    answers.map(({ status, code }) => [status, code]),
    [[503, "UPSTREAM_UNAVAILABLE"]],
  );
  assertMatch(answers[0]!.message, /metrics\.test/);
});
