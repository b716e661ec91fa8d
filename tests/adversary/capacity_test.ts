/** Capacity with the public limits of the sources: two index calls a second. */
import { assert, assertEquals } from "@std/assert";
import { MINUTE_MS } from "../../services/platform/days.ts";
import { settingsOf } from "../../simnet/start.ts";
import { UPSTREAM_PATHS } from "../../simnet/upstreams.ts";
import {
  countAnswers,
  longestWaits,
  runIntegrators,
} from "../support/capacity.ts";
import { virtualService } from "../support/virtual_service.ts";

Deno.test("a key within its limits is always answered while it is alone", async (t) => {
  const alone = { scale: 1_000, free: 2_000 } as const;
  for (const [plan, everyMs] of Object.entries(alone)) {
    await t.step(`${plan}, one address each ${everyMs} ms`, async () => {
      using service = await virtualService();
      const answers = await runIntegrators(
        service,
        [{ plan: plan as keyof typeof alone, wallets: 1, everyMs }],
        1,
      );
      const expected = MINUTE_MS / everyMs;
      assertEquals(countAnswers(answers), { [`${plan} 200`]: expected });
      const { cChainRpc } = service.upstreams;
      assert(cChainRpc.calls.length <= expected + 1, "one batch an address");
    });
  }
});

Deno.test("26 wallets at several times the capacity get scores or honest 429s, every one at least once a minute", async () => {
  using service = await virtualService();
  const start = service.deps.now().getTime();
  const minutes = 2;
  const end = start + minutes * MINUTE_MS;
  const answers = await runIntegrators(service, [
    { plan: "free", wallets: 20, everyMs: 4_500 },
    { plan: "builder", wallets: 5, everyMs: 3_000 },
    { plan: "scale", wallets: 1, everyMs: 1_000 },
  ], minutes);

  const others = answers.filter(({ status, code }) =>
    status !== 200 && code !== "SCORING_BUSY"
  );
  assertEquals(others, [], "neither 500 nor another refusal");
  const refused = answers.filter(({ status }) => status === 429);
  assert(refused.length > 100, "there is not enough for all");
  assert(refused.every(({ retryAfterS }) => retryAfterS > 0));

  const retries = answers.filter(({ isRetry }) => isRetry);
  const kept = retries.filter(({ status }) => status === 200);
  assert(retries.length > 50, `${retries.length} retries`);
  assert(
    kept.length >= 0.99 * retries.length,
    `${kept.length} of ${retries.length} retries were answered`,
  );

  for (const [wallet, waitMs] of longestWaits(answers, [start, end])) {
    assert(waitMs <= MINUTE_MS, `${wallet} waited ${waitMs} ms`);
  }
  const calls = service.upstreams.explorer.calls.filter(({ at }) => at < end);
  const possible = minutes * 120;
  assert(calls.length <= possible, `${calls.length} calls of ${possible}`);
  assert(calls.length >= 0.95 * possible, `${calls.length} of ${possible}`);

  const scoresOf = (plan: string) =>
    answers.filter((each) => each.plan === plan && each.status === 200).length;
  assert(scoresOf("scale") > 3 * scoresOf("builder") / 5, "16 to 4");
  assert(scoresOf("builder") / 5 > 1.5 * scoresOf("free") / 20, "4 to 1");
});

Deno.test("the sources of the demo refuse nothing to keys that read new addresses at their bursts", async () => {
  const urls = Object.fromEntries(
    Object.entries(UPSTREAM_PATHS)
      .map((
        [name, path],
      ) => [name, `http://${name.toLowerCase()}.test${path}`]),
  ) as Record<keyof typeof UPSTREAM_PATHS, string>;
  using service = await virtualService(settingsOf({ urls }));
  const answers = await runIntegrators(service, [
    { plan: "free", wallets: 1, everyMs: 1_000 },
    { plan: "scale", wallets: 5, everyMs: 1_000 },
  ], 1);
  assertEquals(countAnswers(answers), { "free 200": 60, "scale 200": 300 });
});
